/** What can be asked: the kinds of the live graph, and an example for each relationship. */

import { button, drawRelation, el, fill, nameOf } from "./dom.js";
import { getJson } from "./service.js";
import { many } from "./words.js";

const lead = document.getElementById("schema-lead");
const parts = document.getElementById("schema-parts");

/** `ask(question)` is called where an example is chosen. */
export async function showSchema(ask) {
  try {
    const [schema, { kinds }] = await Promise.all([
      getJson("schema"),
      getJson("schema/examples"),
    ]);
    lead.textContent =
      `${many(schema.nodes, "node")} of ${many(schema.labels.length, "kind")}, ` +
      `${many(schema.edges, "fact")} of ${many(schema.relationships.length, "kind")}.`;
    fill(parts, drawKinds(schema.relationships, kinds, ask), drawLabels(schema.labels));
  } catch (error) {
    fill(parts, el("p", { class: "problem" }, [error.message, error.remedy].join("; ")));
  }
}

const keyOf = (kind) => JSON.stringify([kind.start_label, kind.type, kind.end_label]);

function drawKinds(relations, examples, ask) {
  const questions = new Map(examples.map((example) => [keyOf(example), example.question]));
  const rows = relations.map((kind) => drawKind(kind, questions.get(keyOf(kind)), ask));
  return el("section", {}, el("h2", {}, "Facts"), el("ul", { class: "rows" }, rows));
}

function drawKind(kind, question, ask) {
  return el(
    "li",
    {},
    el(
      "p",
      {},
      nameOf(kind.start_label || "node"),
      " ",
      drawRelation(kind.type),
      " ",
      nameOf(kind.end_label || "node"),
      el("span", { class: "kind" }, kind.count.toLocaleString("en")),
    ),
    question ? button(question, () => ask(question), { class: "example" }) : null,
  );
}

function drawLabels(labels) {
  const rows = labels.map(({ label, count, properties }) =>
    el(
      "li",
      {},
      el("p", {}, nameOf(label), el("span", { class: "kind" }, count.toLocaleString("en"))),
      el("p", { class: "small" }, nameOf(properties.map(({ name }) => name).join(", "))),
    ),
  );
  return el("section", {}, el("h2", {}, "Nodes"), el("ul", { class: "rows" }, rows));
}
