/** The picture of the facts. It mirrors the list, which is the control; no reader is told of it. */

import { buildDrawing } from "./bundles.js";
import { el } from "../dom.js";
import { placeNodes } from "./layers.js";
import { KINDS, buildLook } from "./look.js";
import { relationWords, shorten } from "../words.js";

const WHERE = "../../vendor/cytoscape-3.34.4.js";
const LONGEST = 60; // characters of a label; the list has it whole
const MOST_VALUES = 2; // that are said beside a node
const LONGEST_VALUE = 34; // characters of a value with its name
const LONGEST_WORD = 15; // letters that fit into the width of a label
const BEND = 60; // pixels by which an edge between nodes of one column leaves it
const MOST_LABELLED = 2; // edges of one relation at one node that each say its name
const NARROW = 420; // pixels of the frame, below which there is more room below than beside
const [LEAST_HEIGHT, MOST_HEIGHT, MOST_NARROW] = [150, 460, 640]; // pixels
const dark = matchMedia("(prefers-color-scheme: dark)");

let library = null;

/** Load the drawing library, so that it is there when an answer comes; null where it cannot be. */
export function loadLibrary() {
  library ??= import(WHERE).then(({ default: cytoscape }) => cytoscape, () => null);
  return library;
}

export class Picture {
  static #shown = null; // there is one at a time
  #gone = new AbortController();
  #drawn = null; // a promise of the drawing: the library is loaded with the first picture
  #facts = [];
  #chosen = null; // the number of the chosen fact
  #roles;
  #events;

  /** `roles`: ids of `topics` and `answers`; `events`: `onChosen(index)`, a fact was chosen by
   *  pointer, and `onDrawn({kinds, hasBundles})`: it was drawn with these kinds, each with
   *  the number of its colour. */
  constructor(roles, events) {
    this.#roles = { ...roles, opened: new Set() };
    this.#events = events;
    this.element = el("div", { class: "picture", aria: { hidden: "true" } });
    Picture.#shown?.#close();
    Picture.#shown = this;
  }

  /** Free what the drawing holds. */
  async #close() {
    this.#gone.abort();
    (await this.#drawn)?.destroy();
  }

  /** Draw more facts; those with an `index` are of the list. */
  async add(facts) {
    this.#facts.push(...facts);
    await this.#draw();
  }

  /** Draw the nodes of all bundles one by one, or bundle them again. */
  async open(isOpen) {
    const { nodes } = buildDrawing(this.#facts, { ...this.#roles, opened: new Set() });
    this.#roles.opened = new Set(isOpen ? nodes.map(({ key }) => key).filter(Boolean) : []);
    await this.#draw();
  }

  async point(index) {
    this.#chosen = index;
    const drawing = await this.#drawn;
    if (!drawing) return;
    drawing.elements().removeClass("chosen faint");
    const one = drawing.elements().filter((it) => it.data("facts").includes(index)).first();
    if (one.nonempty()) {
      const shown = one.isEdge() ? one.union(one.connectedNodes()) : one;
      drawing.elements().not(shown).addClass("faint");
      shown.addClass("chosen");
    }
    this.element.dataset.chosen = String(index);
  }

  /** Zoom by a factor around the middle. */
  async zoom(factor) {
    const drawing = await this.#drawn;
    const [x, y] = [this.element.clientWidth / 2, this.element.clientHeight / 2];
    drawing?.zoom({ level: drawing.zoom() * factor, renderedPosition: { x, y } });
  }

  async fit() {
    const drawing = await this.#drawn;
    if (drawing) fit(drawing);
  }

  async #draw() {
    this.#drawn = (this.#drawn ?? this.#begin()).then((drawing) => {
      if (drawing) this.#fill(drawing);
      return drawing;
    });
    if (!(await this.#drawn)) return;
    if (this.#chosen !== null) await this.point(this.#chosen);
    this.element.dataset.facts = String(this.#facts.filter(({ index }) => index !== undefined).length);
  }

  /** A drawing without facts; null, and no picture, where the library cannot be loaded. */
  async #begin() {
    const cytoscape = await loadLibrary();
    if (cytoscape) return this.#open(cytoscape);
    this.element.replaceChildren("The picture could not be loaded. The list has all facts.");
    return null;
  }

  #open(cytoscape) {
    const drawing = cytoscape({
      container: this.element,
      style: buildLook(),
      minZoom: 0.05,
      maxZoom: 3,
      userZoomingEnabled: false, // the wheel scrolls the page
    });
    drawing.on("tap", "edge", ({ target }) => this.#choose(target));
    drawing.on("tap", "node", ({ target }) => {
      const key = target.data("key");
      if (!key) return this.#choose(target.connectedEdges()[0] ?? target);
      this.#roles.opened.add(key);
      return this.#draw();
    });
    const { signal } = this.#gone;
    dark.addEventListener("change", () => drawing.style(buildLook()), { signal });
    const observer = new ResizeObserver(() => fit(drawing));
    observer.observe(this.element);
    signal.addEventListener("abort", () => observer.disconnect());
    return drawing;
  }

  /** What stands leftmost: all that the question names, or one end of what connects two things. */
  #chooseRoots(nodes) {
    const { topics, answers } = this.#roles;
    if (!topics.length) return answers;
    return nodes.some(({ role }) => role === "answer") ? topics : topics.slice(0, 1);
  }

  #choose(element) {
    const index = element.data("facts").find((it) => it !== undefined);
    if (index !== undefined) this.#events.onChosen(index);
  }

  #fill(drawing) {
    const { nodes, edges } = buildDrawing(this.#facts, this.#roles);
    for (const node of nodes) node.label = writeLabel(node);
    const isNarrow = this.element.clientWidth < NARROW;
    const { places, height, width } = placeNodes(nodes, this.#chooseRoots(nodes), isNarrow);
    const kinds = numberKinds(nodes);
    const scale = Math.min(1, (this.element.clientWidth || width) / (width + 40));
    this.element.style.height = `${Math.max(LEAST_HEIGHT, Math.min(isNarrow ? MOST_NARROW : MOST_HEIGHT, height * scale + 60))}px`;
    drawing.elements().remove();
    drawing.add([
      ...nodes.map((node) => ({
        group: "nodes",
        data: { id: node.id, label: node.label, key: node.key, facts: node.facts },
        position: places.get(node.id),
        classes: `${classesOf(node, kinds)} ${places.get(node.id).side}`,
      })),
      ...labelEdges(edges, places),
    ]);
    fit(drawing);
    const hasBundles = nodes.some(({ key }) => key) || this.#roles.opened.size > 0;
    this.#events.onDrawn({ kinds: [...kinds], hasBundles });
  }
}

/** The name of a node, and what is said of it. */
function writeLabel({ name, values }) {
  const said = values.slice(0, MOST_VALUES).map(({ relation, name: value }) =>
    shorten(`${relationWords(relation)}: ${value}`, LONGEST_VALUE),
  );
  return [shorten(name, LONGEST), ...said].join("\n");
}

function fit(drawing) {
  drawing.resize().fit(undefined, 16);
  if (drawing.zoom() > 1.15) drawing.zoom(1.15).center();
}

/** A number for each kind, the most frequent first: its colour. */
function numberKinds(nodes) {
  const counts = new Map();
  for (const { kind, members } of nodes) {
    if (kind) counts.set(kind, (counts.get(kind) ?? 0) + (members?.length ?? 1));
  }
  const kinds = [...counts].sort((a, b) => b[1] - a[1]).slice(0, KINDS);
  return new Map(kinds.map(([kind], number) => [kind, number]));
}

function classesOf({ name, role, kind, key }, kinds) {
  const colour = kinds.has(kind) ? `kind-${kinds.get(kind)}` : "";
  const long = name.split(/[\s-]/).some(({ length }) => length > LONGEST_WORD) ? "long" : "";
  return [role, colour, key ? "bundle" : "", long].join(" ");
}

/** The edges; of many that say the same at one node, one in the middle has the name. */
function labelEdges(edges, places) {
  const fans = new Map();
  for (const edge of edges) {
    for (const end of [edge.source, edge.target]) {
      const key = JSON.stringify([end, edge.relation]);
      fans.set(key, [...(fans.get(key) ?? []), edge]);
    }
  }
  const silent = new Set();
  for (const fan of fans.values()) {
    if (fan.length <= MOST_LABELLED) continue;
    const said = fan[Math.floor(fan.length / 2)];
    for (const edge of fan) if (edge !== said) silent.add(edge);
  }
  return edges.map((edge) => {
    const { id, source, target, relation, facts, both } = edge;
    const name = relationWords(relation);
    const label = silent.has(edge) ? "" : name;
    const isBundle = [source, target].some((end) => end.startsWith("bundle "));
    const [from, to] = [places.get(source), places.get(target)];
    const bend = from.x === to.x ? Math.sign(to.y - from.y) * BEND : 0;
    const classes = [bend ? "upright" : "", both ? "both" : "", isBundle ? "bundle" : "", facts.every((it) => it === undefined) ? "context" : ""];
    return { group: "edges", data: { id, source, target, label, name, facts, bend }, classes: classes.join(" ") };
  });
}
