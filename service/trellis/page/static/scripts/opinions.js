/** What each of several methods came to, where the service chose among them. */

import { el, nameOf } from "./dom.js";
import { duration, many, percent } from "./words.js";

const STANCES = {
  answered: ({ answer_count }) => many(answer_count, "answer"),
  none: () => "says that there are none",
  abstained: () => "found nothing that it is sure of",
  held_back: () => "held back what it found",
  failed: ({ problem }) => `failed: ${problem}`,
  late: () => "was not ready in time",
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
    el("span", { class: "small" }, duration(seconds), agrees ? " · as given" : ""),
  );
}

/** Which methods were asked for an answer, which were not, and what decided. */
export function drawChoice({ methods, skipped, reason }) {
  return [
    drawOpinions(methods),
    skipped.length ? el("p", { class: "small" }, `not asked: ${skipped.join(", ")}`) : null,
    el("p", {}, nameOf(reason, "said")),
  ];
}
