/** The look of the picture, in the colours of the page. */

import { LABEL_WIDTH } from "./layers.js";

export const KINDS = 8; // kinds of nodes with a colour of their own

export function buildLook() {
  const colours = getComputedStyle(document.documentElement);
  const colour = (name) => colours.getPropertyValue(`--${name}`).trim();
  const kinds = Array.from({ length: KINDS }, (_, kind) => ({
    selector: `.kind-${kind}`,
    style: { "background-color": colour(`kind-${kind}`) },
  }));
  const text = {
    "font-family": "system-ui, sans-serif",
    "text-background-color": colour("paper"),
    "text-background-opacity": 0.9,
    "text-background-padding": 1,
  };
  return [
    {
      selector: "node",
      style: {
        ...text,
        label: "data(label)",
        width: 16,
        height: 16,
        color: colour("ink"),
        "background-color": colour("faint-ink"),
        "font-size": 14,
        "text-halign": "right",
        "text-valign": "center",
        "text-justification": "left",
        "text-margin-x": 6,
        "text-max-width": LABEL_WIDTH - 24,
        "text-wrap": "wrap",
      },
    },
    { selector: ".long", style: { "text-overflow-wrap": "anywhere" } },
    ...kinds,
    {
      selector: ".left",
      style: { "text-halign": "left", "text-justification": "right", "text-margin-x": -6 },
    },
    {
      selector: ".below",
      style: {
        "text-halign": "center",
        "text-valign": "bottom",
        "text-justification": "center",
        "text-margin-x": 0,
        "text-margin-y": 4,
      },
    },
    {
      selector: ".topic",
      style: { shape: "rectangle", "border-width": 3, "border-color": colour("ink") },
    },
    {
      selector: ".answer",
      style: { width: 20, height: 20, "border-width": 2, "border-color": colour("ink") },
    },
    { selector: ".bundle", style: { width: 30, height: 30, "font-weight": "bold" } },
    {
      selector: "edge",
      style: {
        ...text,
        label: "data(label)",
        width: 1.5,
        color: colour("faint-ink"),
        "line-color": colour("edge"),
        "target-arrow-color": colour("edge"),
        "target-arrow-shape": "triangle",
        "source-arrow-color": colour("edge"),
        "curve-style": "bezier",
        "font-size": 12,
        "text-rotation": "autorotate",
        "text-max-width": 150,
        "text-wrap": "ellipsis",
      },
    },
    {
      selector: ".upright", // between nodes of one column: it goes around those between them
      style: {
        "curve-style": "unbundled-bezier",
        "control-point-distances": "data(bend)",
        "control-point-weights": 0.5,
        "text-rotation": 0,
      },
    },
    { selector: ".both", style: { "source-arrow-shape": "triangle" } },
    { selector: "edge.bundle", style: { width: 5 } },
    { selector: ".context", style: { "line-style": "dashed" } },
    { selector: ".faint", style: { opacity: 0.55 } },
    {
      selector: "edge.chosen",
      style: {
        label: "data(name)",
        width: 3,
        color: colour("ink"),
        "line-color": colour("accent"),
        "target-arrow-color": colour("accent"),
        "source-arrow-color": colour("accent"),
      },
    },
    {
      selector: "node.chosen",
      style: { "underlay-color": colour("accent"), "underlay-opacity": 0.35, "underlay-padding": 5 },
    },
  ];
}
