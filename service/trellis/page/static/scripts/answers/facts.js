/** The facts as a list that the keyboard walks, and beside it the picture that mirrors it. */

import { button, drawRelation, el, fill, nameOf } from "../dom.js";
import { Picture } from "../pictures/picture.js";
import { cutIntoParts, findTopics, readFacts } from "../pictures/graph.js";
import { findNeighbours } from "./neighbours.js";
import { TextAround, drawPassage } from "./passages.js";
import { labelWords, many, shorten } from "../words.js";

const CLOSER = 1.4; // factor of one step of the zoom
const LONGEST = 40; // characters of a name on a button
const isDesk = matchMedia("(min-width: 44.01rem)");

export function drawFacts(answer) {
  const facts = readFacts(answer);
  if (!facts.length) return null;
  return new FactView(facts, answer).element;
}

class FactView {
  constructor(facts, answer) {
    this.answer = answer;
    this.facts = facts;
    this.parts = cutIntoParts(facts);
    this.left = facts.length;
    this.items = [];
    this.list = el("ul", {
      class: "facts",
      role: "listbox",
      aria: { label: "Facts that the answer stands on" },
      onkeydown: (event) => this.walk(event),
    });
    const roles = { topics: findTopics(facts, answer), answers: answer.answers.map(({ id }) => id) };
    this.legend = el("ul", { class: "legend" });
    this.ends = el("div", { class: "ends", hidden: true });
    this.told = el("p", { class: "small", role: "status" });
    this.picture = new Picture(roles, {
      onChosen: (index) => this.chooseFromPicture(index),
      onDrawn: (drawn) => this.showLegend(drawn, roles),
    });
    this.more = button("", () => this.showMore());
    this.around = new TextAround();
    const sums = (answer.summaries ?? []).map((text) => el("p", {}, nameOf(text, "said")));
    this.element = el("section", { class: "evidence" }, this.drawHead(), ...sums, this.drawBody());
    this.showPart();
    this.picture.add(facts);
  }

  drawHead() {
    const toggle = button("Picture", () => this.togglePicture(), {
      id: "toggle-picture",
      class: "quiet",
      aria: { pressed: "true", keyshortcuts: "g" },
    });
    this.toggle = toggle;
    const quiet = (text, act, label) => button(text, act, { class: "quiet", aria: { label } });
    this.open = button("Show every node", () => this.openBundles(), {
      class: "quiet",
      aria: { pressed: "false" },
    });
    this.tools = el(
      "p",
      { class: "tools" },
      quiet("+", () => this.picture.zoom(CLOSER), "Zoom in"),
      quiet("−", () => this.picture.zoom(1 / CLOSER), "Zoom out"),
      quiet("Fit", () => this.picture.fit(), "Fit the picture into its frame"),
      this.open,
    );
    return el("div", { class: "head" }, el("h3", {}, this.title()), toggle);
  }

  /** How many facts there are, and how many are shown where that is not all. */
  title() {
    const { facts_total: total, paths = [] } = this.answer;
    if (!total) return many(this.facts.length, "fact");
    return `${paths.length.toLocaleString("en")} of ${many(total, "fact")}`;
  }

  drawBody() {
    const listed = el("div", {}, this.list, this.more, this.around.element, this.ends, this.told);
    this.seen = el("div", {}, this.picture.element, this.legend, this.tools);
    return el("div", { class: "beside" }, listed, this.seen);
  }

  /** What the colours stand for. */
  showLegend({ kinds, hasBundles }, { topics, answers }) {
    this.open.hidden = !hasBundles;
    const drawKind = ([kind, number]) =>
      el("li", {}, el("span", { class: `dot kind-${number}` }), nameOf(labelWords(kind), "said"));
    const marks = [
      topics.length ? el("li", {}, el("span", { class: "dot named" }), "in the question") : null,
      answers.length ? el("li", {}, el("span", { class: "dot found" }), "answer") : null,
    ];
    const { facts_total: total } = this.answer;
    const cut = total ? el("li", {}, `drawn from ${many(this.facts.length, "fact")} of ${total.toLocaleString("en")}`) : null;
    fill(this.legend, kinds.map(drawKind), marks, cut);
  }

  /** Show the next part of the facts. */
  showPart() {
    const part = this.parts.shift() ?? [];
    const first = this.items.length;
    for (const fact of part) this.items.push(this.drawFact(fact, this.items.length));
    this.list.append(...this.items.slice(first));
    this.left -= part.length;
    this.more.textContent = `Show more (${many(this.left, "fact")} left)`;
    this.more.hidden = this.left === 0;
    if (first === 0) this.items[0].tabIndex = 0;
    return first;
  }

  showMore() {
    this.choose(this.showPart());
  }

  chooseFromPicture(index) {
    while (this.items.length <= index) this.showPart();
    this.choose(index, { focus: false });
  }

  drawFact(fact, index) {
    return el(
      "li",
      {
        role: "option",
        tabIndex: -1,
        class: fact.passage ? "passage" : "",
        title: fact.sentence,
        aria: { selected: "false" },
        onclick: () => this.choose(index),
        onfocus: () => this.choose(index, { focus: false }),
      },
      fact.passage ? drawPassage(fact) : drawStatement(fact),
    );
  }

  walk(event) {
    const here = this.items.indexOf(document.activeElement);
    const last = this.items.length - 1;
    const next = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: last }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    this.choose(Math.max(0, Math.min(last, next)));
  }

  /** Make one fact the chosen one, in the list and in the picture. */
  choose(index, { focus = true } = {}) {
    for (const [at, item] of this.items.entries()) {
      item.tabIndex = at === index ? 0 : -1;
      item.setAttribute("aria-selected", String(at === index));
    }
    this.picture.point(index);
    this.around.choose(this.facts[index].passage);
    this.offerNeighbours(this.facts[index]);
    if (focus) this.items[index].focus();
    else if (isDesk.matches) this.items[index].scrollIntoView({ block: "nearest" });
  }

  /** Buttons that add what else is known of the chosen fact's nodes to the picture. */
  offerNeighbours({ head, tail }) {
    const ends = [head, tail].filter(({ id, name, isValue }) => id !== name && !isValue);
    const draw = (node) =>
      button(`Neighbours of ${shorten(node.name, LONGEST)}`, () => this.expand(node), { class: "quiet" });
    fill(this.ends, ends.map(draw));
    this.told.textContent = "";
  }

  async expand(node) {
    try {
      const { facts, isCut } = await findNeighbours(node);
      await this.picture.add(facts);
      const all = isCut ? "The first " : "";
      this.told.textContent = `${all}${many(facts.length, "fact")} about ${node.name} added to the picture.`;
    } catch (problem) {
      this.told.textContent = [problem.message, problem.remedy].filter(Boolean).join(". ");
    }
  }

  openBundles() {
    const isOpen = this.open.getAttribute("aria-pressed") !== "true";
    this.open.setAttribute("aria-pressed", String(isOpen));
    this.picture.open(isOpen);
  }

  togglePicture() {
    const hidden = (this.seen.hidden = !this.seen.hidden);
    this.toggle.setAttribute("aria-pressed", String(!hidden));
    this.element.classList.toggle("alone", hidden);
    if (!hidden) this.picture.fit();
  }
}

function drawStatement({ head, relation, tail }) {
  const end = nameOf(tail.name, tail.isValue ? "value" : "name");
  return [nameOf(head.name), " ", drawRelation(relation), " ", end];
}
