/** Builds elements. Whatever comes from the graph is set as text, so it is never read as markup. */

/** An element with properties (`class`, `data`, `aria`, others by their name) and children. */
export function el(tag, { class: classes, data = {}, aria = {}, ...properties } = {}, ...children) {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  Object.assign(made.dataset, data);
  for (const [name, value] of Object.entries(aria)) made.setAttribute(`aria-${name}`, value);
  Object.assign(made, properties);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** A name of the graph: isolated, so that its direction of writing leaves the rest alone. */
export function nameOf(text, classes = "name") {
  return el("bdi", { class: classes }, String(text));
}

/** A relationship type before the node that it leads to; readers are not told of the arrow. */
export function drawRelation(type) {
  const arrow = el("span", { aria: { hidden: "true" } }, " →");
  return el("span", { class: "relation" }, nameOf(type, "said"), arrow);
}

export function button(text, onclick, properties = {}) {
  return el("button", { type: "button", onclick, ...properties }, text);
}

/** A closed section that opens at its title. */
export function details(title, ...children) {
  return el("details", {}, el("summary", {}, title), ...children);
}

/** Show an element with these children, or hide it where there are none. */
export function fill(element, ...children) {
  const given = children.flat().filter((child) => child !== null && child !== undefined);
  element.replaceChildren(...given);
  element.hidden = given.length === 0;
}
