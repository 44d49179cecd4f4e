/** The rows of an answer as a table that can be sorted. */

import { cellOf, compareCells, isNumber } from "./cells.js";
import { button, el, nameOf } from "../dom.js";
import { many } from "../words.js";

const WAYS = { none: " ↕", descending: " ↓", ascending: " ↑" }; // beside the names of columns
const MOST_ROWS = 50; // that are shown at first, and with each further part

/** Whether an answer says several things of each of its parts. */
export function hasTable({ columns = [], rows = [], abstained, verdict }) {
  return !abstained && !verdict && columns.length > 1 && rows.length > 0;
}

export function drawTable(answer) {
  return new TableView(answer).element;
}

class TableView {
  constructor(answer) {
    this.rows = answer.rows;
    this.columns = answer.columns;
    this.total = countRows(answer);
    this.order = { place: null, descending: false };
    this.numeric = this.columns.map((_, place) => isNumberColumn(this.rows, place));
    this.body = el("tbody");
    this.note = el("p", { class: "small", role: "status" });
    this.more = button("", () => this.showPart());
    this.heads = this.columns.map((name, place) => this.drawHead(name, place));
    const table = el("table", {}, el("thead", {}, el("tr", {}, this.heads)), this.body);
    const around = { class: "scrolled", role: "region", tabIndex: 0, aria: { label: "Rows" } };
    this.element = el("div", { class: "table" }, el("div", around, table), this.more, this.note);
    this.fill();
  }

  drawHead(name, place) {
    const mark = el("span", { class: "way", aria: { hidden: "true" } }, WAYS.none);
    const sort = button(nameOf(name, "said"), () => this.sortBy(place), { class: "quiet" });
    sort.append(mark);
    const classes = this.numeric[place] ? "number" : "";
    return el("th", { scope: "col", class: classes, aria: { sort: "none" } }, sort);
  }

  /** Sort by a column; once more: the other way round. Cells without a value come last. */
  sortBy(place) {
    const again = this.order.place === place;
    const descending = again ? !this.order.descending : this.numeric[place];
    this.order = { place, descending };
    const sign = descending ? -1 : 1;
    this.rows = [...this.rows].sort((a, b) => compareCells(a[place], b[place], sign));
    for (const [at, head] of this.heads.entries()) {
      const way = at !== place ? "none" : descending ? "descending" : "ascending";
      head.setAttribute("aria-sort", way);
      head.querySelector(".way").textContent = WAYS[way];
    }
    this.fill();
  }

  fill() {
    this.body.replaceChildren();
    this.showPart();
  }

  showPart() {
    const first = this.body.children.length;
    this.body.append(...this.rows.slice(first, first + MOST_ROWS).map((row) => this.drawRow(row)));
    const shown = this.body.children.length;
    const left = this.rows.length - shown;
    this.more.textContent = `Show more (${many(left, "row")} left)`;
    this.more.hidden = left === 0;
    this.note.textContent = shown < this.total ? tellCut(shown, this.total) : "";
  }

  drawRow(row) {
    const [first, ...others] = row.map((cell, place) => {
      const tag = place === 0 ? "th" : "td";
      const about = place === 0 ? { scope: "row" } : {};
      const classes = this.numeric[place] ? "number" : "";
      return el(tag, { class: classes, ...about }, cellOf(cell, this.columns[place]));
    });
    return el("tr", {}, first, ...others);
  }
}

/** `Showing 20 of 193`. */
export function tellCut(shown, total) {
  return `Showing ${shown.toLocaleString("en")} of ${total.toLocaleString("en")}`;
}

/** How many rows there would be without a limit, as far as that is known. */
function countRows({ rows, answers, total }) {
  return total && rows.length === answers.length ? total : rows.length;
}

function isNumberColumn(rows, place) {
  const cells = rows.map((row) => row[place]).filter((cell) => cell !== null);
  return cells.length > 0 && cells.every(isNumber);
}
