/** The look of the picture, in the colours of the page. */

export function buildLook() {
  const colours = getComputedStyle(document.documentElement);
  const colour = (name) => colours.getPropertyValue(`--${name}`).trim();
  return [
    {
      selector: "node",
      style: {
        label: "data(label)",
        width: 14,
        height: 14,
        color: colour("ink"),
        "background-color": colour("faint-ink"),
        "font-family": "system-ui, sans-serif",
        "font-size": 14,
        "text-valign": "bottom",
        "text-margin-y": 4,
        "text-max-width": 110,
        "text-wrap": "ellipsis",
        "text-background-color": colour("paper"),
        "text-background-opacity": 0.85,
        "text-background-padding": 2,
      },
    },
    { selector: ".topic", style: { shape: "round-rectangle", "background-color": colour("ink") } },
    { selector: ".answer", style: { width: 18, height: 18, "background-color": colour("accent") } },
    {
      selector: ".value",
      style: { shape: "rectangle", width: 8, height: 8, "font-size": 12, "border-width": 0 },
    },
    {
      selector: "edge",
      style: {
        label: "data(label)",
        width: 1.5,
        color: colour("faint-ink"),
        "line-color": colour("line"),
        "target-arrow-color": colour("line"),
        "target-arrow-shape": "triangle",
        "curve-style": "bezier",
        "font-family": "system-ui, sans-serif",
        "font-size": 11,
        "text-rotation": "autorotate",
        "text-max-width": 110,
        "text-wrap": "ellipsis",
        "text-background-color": colour("paper"),
        "text-background-opacity": 0.85,
      },
    },
    { selector: ".faint", style: { opacity: 0.5 } },
    {
      selector: "edge.chosen",
      style: {
        width: 3,
        color: colour("ink"),
        "line-color": colour("accent"),
        "target-arrow-color": colour("accent"),
      },
    },
    { selector: "node.chosen", style: { "border-width": 3, "border-color": colour("accent") } },
  ];
}
