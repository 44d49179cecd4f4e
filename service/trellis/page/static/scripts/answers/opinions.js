/** What each of several methods came to, where the service chose among them. */

import { el, nameOf } from "../dom.js";
import { duration, many, percent } from "../words.js";

const STANCES = {
  answered: ({ answer_count }) => many(answer_count, "answer"),
  none: () => "found that there is none",
  abstained: () => "was not confident in what it found",
  held_back: () => "found something that does not answer the question",
  failed: ({ problem }) => `failed: ${problem}`,
  late: () => "took too long",
};

export function drawOpinions(opinions) {
  return el("ul", { class: "tried" }, opinions.map(drawOpinion));
}

function drawOpinion(opinion) {
  const { method, stance, confidence, seconds, agrees } = opinion;
  const said = (STANCES[stance] ?? (() => stance))(opinion);
  return el(
    "li",
    {},
    el("span", { class: "share" }, percent(confidence)),
    el("span", {}, nameOf(method, "said"), ": ", nameOf(said, "said")),
    el("span", { class: "small" }, duration(seconds), agrees ? " · same answer" : ""),
  );
}

/** Which methods were asked for an answer, which were not, and what decided. */
export function drawChoice({ methods, skipped, reason }) {
  return [
    drawOpinions(methods),
    skipped.length ? el("p", { class: "small" }, `Not asked: ${skipped.join(", ")}`) : null,
    el("p", {}, nameOf(reason, "said")),
  ];
}
