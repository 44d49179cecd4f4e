/** Talks to the service by the same HTTP interface that everybody uses. */

import { createParser } from "../vendor/eventsource-parser-3.1.1.js";

const KEPT = "trellis-key";
let askForKey = async () => null;
let declined = 0; // how often the user was asked for a key and gave none

/** `ask` is called with a reason where the service wants a key; it resolves to one, or to null. */
export function onKeyWanted(ask) {
  askForKey = ask;
}

/** A refusal of the service: what was wrong, and what to do. */
export class ServiceProblem extends Error {
  constructor({ title = "Error", detail = "", remedy = "", status = 0 }) {
    super(detail || title);
    this.remedy = remedy;
    this.status = status;
  }
}

let root = "v1/";

/** Ask the graph of a name from now on; an empty one: the default graph. */
export function chooseGraph(name) {
  root = name ? `v1/graphs/${encodeURIComponent(name)}/` : "v1/";
}

/** What the graph's routes answer; `path` is that below `/v1/`. */
export const getJson = async (path) => (await send(root + path)).json();

/** The same as a text of the media type `accept`. */
export const getText = async (path, accept) =>
  (await send(root + path, { headers: { accept } })).text();

/** What a route answers that is the same for all graphs. */
export const getShared = async (path) => (await send(`v1/${path}`)).json();

/** Settings of the page, such as the address of Neo4j Browser. */
export const getPageSettings = () =>
  (pageSettings ??= reach("page/settings.json", {}).then((response) => response.json()));
let pageSettings = null;

export const deletePath = (path) => send(root + path, { method: "DELETE" });

export const postJson = async (path, body) => (await send(root + path, asPost(body))).json();

/** Ask a question; `onEvent(name, data)` is called as its events come. Aborting it stops it.
 *  Throws where the events end before the answer does. */
export async function streamQuestion(asked, signal, onEvent) {
  const response = await send(`${root}questions`, {
    ...asPost(asked, { accept: "text/event-stream" }),
    signal,
  });
  let hasEnded = false;
  const parser = createParser({
    onEvent({ event, data }) {
      hasEnded ||= event === "answer";
      deliver(event, JSON.parse(data), onEvent);
    },
  });
  for await (const text of readTexts(response.body)) parser.feed(text);
  if (!hasEnded) throw new ServiceProblem(BROKEN_OFF);
}

const BROKEN_OFF = {
  detail: "the service stopped before it had answered",
  remedy: "see whether it still runs, then ask again",
};

/** The texts of a stream; a connection that breaks is its end. */
async function* readTexts(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
  } catch (error) {
    if (error.name === "AbortError") throw error;
  }
}

function deliver(name, data, onEvent) {
  if (name === "error") throw new ServiceProblem(data);
  onEvent(name, data);
}

function asPost(body, headers = {}) {
  return {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  };
}

async function send(path, options = {}) {
  const key = sessionStorage.getItem(KEPT);
  const before = declined;
  const response = await reach(path, options, key);
  if (response.ok) return response;
  const problem = await readProblem(response);
  if (response.status !== 401) throw problem;
  const hasChanged = sessionStorage.getItem(KEPT) !== key; // while this request was on its way
  const mayAsk = declined === before; // who just declined is not asked again for the same
  if (hasChanged || (mayAsk && (await changeKey(problem.message)))) return send(path, options);
  problem.remedy = WITHOUT_KEY;
  throw problem;
}

const WITHOUT_KEY =
  "“Access key” below takes one; whoever runs the service makes it by `trellis keys create`";

/** Ask the user for a key, and keep it until the tab is closed; whether there is one. */
export async function changeKey(why) {
  const key = await askForKey(why);
  if (key) sessionStorage.setItem(KEPT, key);
  else declined += 1;
  return Boolean(key);
}

async function reach(path, options, key) {
  const headers = { ...options.headers, ...(key ? { authorization: `Bearer ${key}` } : {}) };
  try {
    return await fetch(path, { ...options, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServiceProblem({
      detail: "the service cannot be reached",
      remedy: "see whether it still runs, then ask again",
    });
  }
}

async function readProblem(response) {
  const told = await response.json().catch(() => ({}));
  return new ServiceProblem({ title: response.statusText, ...told, status: response.status });
}
