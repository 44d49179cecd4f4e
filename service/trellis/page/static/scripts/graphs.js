/** The graphs that the service serves, and which of them the page asks. */

import { el } from "./dom.js";
import { chooseGraph, getShared } from "./service.js";

const KEPT = "trellis-graph";
const picker = document.getElementById("graph");
const ADDRESS = /^#\/([^/?]*)(?:\/([^?]*))?(?:\?graph=(.*))?$/;
let asked = ""; // the name of the graph; empty: the default one

/** The view, the id of an answer, and the graph that the page's address names. */
export function readAddress() {
  const [, view = "ask", id = "", graph = ""] = location.hash.match(ADDRESS) ?? [];
  return { view, id: decode(id), graph: decode(graph) };
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // it is no address that the page has made, and will name nothing
  }
}

/** The address of an answer. */
export function writeAddress(id) {
  return `#/answers/${encodeURIComponent(id)}${asked ? `?graph=${encodeURIComponent(asked)}` : ""}`;
}

/** Ask the graph that the address names, else the one asked last; `true` where it is another.
 *  The address of an answer of the default graph names none. */
export function followGraph() {
  const { view, graph } = readAddress();
  return change(graph || (view !== "answers" && sessionStorage.getItem(KEPT)) || "");
}

function change(name) {
  if (name === asked) return false;
  asked = name;
  sessionStorage.setItem(KEPT, name);
  chooseGraph(name);
  picker.value = name;
  return true;
}

/** Let the user choose where there are several; `onChanged` is called when the graph changes. */
export async function listGraphs(onChanged) {
  const { graphs } = await getShared("graphs");
  const choices = graphs.map(({ name, default: isDefault, ready }) =>
    el("option", { value: isDefault ? "" : name }, ready ? name : `${name} (not ready)`),
  );
  picker.replaceChildren(...choices);
  picker.parentElement.hidden = choices.length < 2;
  const names = choices.map(({ value }) => value);
  const hasChanged = names.length > 0 && !names.includes(asked) && change(names[0]);
  picker.value = asked;
  picker.onchange = () => change(picker.value) && onChanged();
  if (hasChanged) onChanged();
}
