/** What is known of a question while it is being answered, as its events come. */

import { el, fill, nameOf } from "./dom.js";
import { drawOpinions } from "./answers/opinions.js";
import { kindOf, many, probability } from "./words.js";

const MOST_CANDIDATES = 5;

export class Progress {
  #element;
  #tell;
  #rounds = [];
  #opinions = [];

  constructor(element, tell) {
    this.#element = element;
    this.#tell = tell;
  }

  /** Show one event, if it is a step of a question; another `links` is another method's. */
  show(name, data) {
    if (name === "place") return this.#tell(`Waiting: your question is ${data.words}`);
    const steps = {
      links: (round) => this.#showLinks(round, data.links),
      chain: (round) => this.#showChain(round, data.triples),
      candidates: (round) => this.#showCandidates(round, data.candidates),
      evidence: (round) => this.#showEvidence(round, data.evidence),
      opinion: (round) => this.#showOpinion(round, data.opinion),
    };
    if (!Object.hasOwn(steps, name)) return undefined;
    if (name === "links" || this.#rounds.length === 0) this.#rounds.push({});
    steps[name](this.#rounds.at(-1));
    return fill(this.#element, this.#rounds.map(drawRound));
  }

  #showLinks(round, mentions) {
    round.links = el("ul", { class: "chips" }, mentions.map(drawMention));
    this.#tell(`${many(mentions.length, "name")} found. Writing possible answers`);
  }

  #showChain(round, triples) {
    const texts = triples.map((triple) => el("li", {}, nameOf(triple.join(" – "))));
    round.chain = el("ol", { class: "tried" }, texts);
    this.#tell(many(triples.length, "step"));
  }

  #showCandidates(round, candidates) {
    round.candidates = drawCandidates(candidates.slice(0, MOST_CANDIDATES));
    this.#tell(`${many(candidates.length, "possible reading")}. Checking the facts`);
  }

  #showEvidence(round, evidence) {
    round.evidence = el("p", {}, `${many(evidence.length, "fact")} found`);
    this.#tell(`${many(evidence.length, "fact")}. Choosing the answer`);
  }

  #showOpinion(round, opinion) {
    this.#opinions.push(opinion);
    round.opinions = drawOpinions(this.#opinions);
    this.#tell(`${many(this.#opinions.length, "method")} asked`);
  }
}

function drawRound(round, index) {
  const again = index > 0 ? el("p", { class: "small" }, "Another method:") : null;
  const parts = [again, round.links, round.chain, round.candidates, round.evidence];
  return el("div", { class: "round" }, [...parts, round.opinions]);
}

export function drawMention({ text, links }) {
  const [best] = links;
  const kind = best ? kindOf(best) : "";
  const target = best ? [" → ", nameOf(best.name), kind ? ` (${kind})` : ""] : [];
  return el("li", {}, nameOf(text, "said"), ...target);
}

/** Candidates with their probability, and what became of them. */
export function drawCandidates(candidates) {
  return el("ol", { class: "tried" }, candidates.map(drawCandidate));
}

function drawCandidate({ text, score, answers, problem, reading }) {
  const fate = problem ?? (answers === undefined ? "" : many(answers, "result"));
  const share = el("span", { class: "share" }, probability(score));
  const said = el("span", {}, nameOf(reading || text, "said"), fate ? ` · ${fate}` : "");
  return el("li", {}, share, said);
}
