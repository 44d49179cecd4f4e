/** The picture of the facts. It mirrors the list, which is the control; no reader is told of it. */

import { el } from "./dom.js";
import { buildLook } from "./look.js";

const WHERE = "../vendor/cytoscape-3.34.4.js";
const CROWDED = 6; // more nodes stand in circles, not in rows
const LONGEST = 40; // characters of a value in the picture; the list has it whole
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
  #roles;
  #onChosen;

  /** `roles`: ids of `topics` and `answers`; `onChosen(index)`: a fact was chosen by pointer. */
  constructor(roles, onChosen) {
    this.#roles = roles;
    this.#onChosen = onChosen;
    this.element = el("div", { class: "picture", aria: { hidden: "true" } });
    Picture.#shown?.#close();
    Picture.#shown = this;
  }

  /** Free what the drawing holds. */
  async #close() {
    this.#gone.abort();
    (await this.#drawn)?.destroy();
  }

  /** Add facts, the first of which has the number `first`. */
  async add(facts, first) {
    const elements = facts.flatMap((fact, at) => this.#describe(fact, first + at));
    this.#drawn = (this.#drawn ?? this.#begin()).then((drawing) => {
      drawing?.add(elements.filter(({ data }) => drawing.getElementById(data.id).empty()));
      if (drawing) this.#arrange(drawing);
      return drawing;
    });
    if (await this.#drawn) this.element.dataset.facts = String(first + facts.length);
  }

  async point(index) {
    const drawing = await this.#drawn;
    if (!drawing) return;
    const edge = drawing.getElementById(`fact ${index}`);
    drawing.elements().removeClass("chosen faint");
    drawing.elements().not(edge.union(edge.connectedNodes())).addClass("faint");
    edge.union(edge.connectedNodes()).addClass("chosen");
    this.element.dataset.chosen = String(index);
  }

  async fit() {
    (await this.#drawn)?.resize().fit(undefined, 24);
  }

  /** A drawing without facts; null, and no picture, where the library cannot be loaded. */
  async #begin() {
    const cytoscape = await loadLibrary();
    if (cytoscape) return this.#open(cytoscape);
    this.element.replaceChildren("There is no picture: its library could not be loaded.");
    return null;
  }

  #open(cytoscape) {
    const drawing = cytoscape({
      container: this.element,
      style: buildLook(),
      minZoom: 0.2,
      maxZoom: 2.5,
      userZoomingEnabled: false, // the wheel scrolls the page
      autoungrabify: false,
    });
    drawing.on("tap", "edge", ({ target }) => this.#onChosen(target.data("index")));
    drawing.on("tap", "node", ({ target }) => {
      this.#onChosen(target.connectedEdges()[0].data("index"));
    });
    const { signal } = this.#gone;
    dark.addEventListener("change", () => drawing.style(buildLook()), { signal });
    const observer = new ResizeObserver(() => drawing.resize().fit(undefined, 24));
    observer.observe(this.element);
    signal.addEventListener("abort", () => observer.disconnect());
    return drawing;
  }

  #describe({ head, relation, tail }, index) {
    const [source, target] = [head, tail].map(({ id }) => `node ${id}`);
    const edge = { id: `fact ${index}`, index, source, target, label: relation };
    return [this.#describeNode(head), this.#describeNode(tail), { group: "edges", data: edge }];
  }

  #describeNode({ id, name, isValue }) {
    const { topics, answers } = this.#roles;
    const role = topics.includes(id) ? "topic" : answers.includes(id) ? "answer" : "";
    const label = isValue && name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name;
    const classes = isValue ? "value" : role;
    return { group: "nodes", data: { id: `node ${id}`, label }, classes };
  }

  #arrange(drawing) {
    const roots = drawing.nodes(".topic");
    const crowded = drawing.nodes().length > CROWDED;
    drawing
      .layout({ name: "breadthfirst", roots, circle: crowded, directed: false, padding: 24 })
      .run();
  }
}
