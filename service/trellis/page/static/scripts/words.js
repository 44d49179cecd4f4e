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

export function moment(iso) {
  return new Date(iso).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
