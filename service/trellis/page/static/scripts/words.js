/** Numbers and kinds as people read them. */

/** A share in percent; nothing is called certain that is not. */
export function percent(share) {
  return share > 0.99 && share < 1 ? "> 99 %" : `${Math.round(share * 100)} %`;
}

export const probability = (logarithm) => percent(Math.exp(logarithm));

export function duration(seconds) {
  if (seconds < 0.0095) return `${(seconds * 1000).toFixed(1)} ms`;
  return seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${seconds.toFixed(1)} s`;
}

export function many(count, one, several = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : several}`;
}

/** The kind of a node or value, such as `Country` or `Country.name`. */
export function kindOf({ labels = [], property }) {
  const kinds = labels.join(", ");
  return property && property !== "name" ? `${kinds}.${property}` : kinds;
}

export const timeOf = (iso) => new Date(iso).toLocaleTimeString("en-GB", { timeStyle: "short" });

export function moment(iso) {
  return new Date(iso).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

/** The words of a label such as `BodyOfWater`, in lower case; those of an acronym stay as they are. */
export function labelWords(label) {
  const words = label.replaceAll("_", " ").replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").split(" ");
  return words.map((it) => (/^\p{Lu}{2,}$/u.test(it) ? it : it.toLowerCase())).join(" ");
}

/** The words of a relationship type: `FLOWS_THROUGH` is "flows through". */
export const relationWords = (type) =>
  /[a-z]/.test(type) ? type.replaceAll("_", " ") : type.replaceAll("_", " ").toLowerCase();

/** `1 country`, `54 countries`; without a label `54 results`. */
export function countOf(count, label) {
  const noun = label ? labelWords(label) : "result";
  return many(count, noun, makePlural(noun));
}

function makePlural(noun) {
  if (/(series|species)$/.test(noun)) return noun;
  if (/person$/.test(noun)) return noun.replace(/person$/, "people");
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, "ies");
  return /(s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** `a`, `a and b`, `a, b and c`. */
export const joinNames = (names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** A text of at most `most` characters. */
export function shorten(text, most) {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most).join("")}…` : text;
}
