/** The page: its views, its keys, and the dialogs. */

import { askQuestion, beginWithGraph, prepareAsking, showKeptAnswer, stopAsking } from "./ask.js";
import { followGraph, listGraphs, readAddress } from "./graphs.js";
import { prepareHistory, showHistory } from "./history.js";
import { listenToKeys } from "./keys.js";
import { showSchema } from "./schema.js";
import { changeKey, onKeyWanted } from "./service.js";
import { prepareSuggestions } from "./suggest.js";

document.getElementById("no-script").remove();

const VIEWS = { ask: () => {}, history: showHistory, schema: () => showSchema(askFromElsewhere) };

function askFromElsewhere(question) {
  location.hash = "#/ask";
  show("ask");
  askQuestion(question);
}

/** Show the view, or the kept answer, that the address names. */
function follow() {
  if (followGraph()) beginWithGraph();
  const { view, id } = readAddress();
  if (view === "answers" && id) {
    show("ask");
    showKeptAnswer(id);
  } else {
    show(Object.hasOwn(VIEWS, view) ? view : "ask");
  }
}

function changeGraph() {
  const { view } = readAddress();
  beginWithGraph();
  const there = `#/${view === "answers" ? "ask" : view}`; // it names the graph of before no more
  if (location.hash === there) follow();
  else location.hash = there;
}

function show(name) {
  for (const view of Object.keys(VIEWS)) document.getElementById(view).hidden = view !== name;
  for (const link of document.querySelectorAll("nav a")) {
    if (link.dataset.view === name) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  VIEWS[name]();
}

const access = document.getElementById("access");
let keyGiven = null; // the promise of the key that the dialog asks for

// Settled as the form is sent, not at the dialog's "close", which comes later: what is asked in
// between would go by the old key, and a dialog that is opened in between would be taken for closed.
onKeyWanted((why) => {
  document.getElementById("access-why").textContent = why;
  keyGiven ??= new Promise((resolve) => {
    const field = document.getElementById("access-key");
    const settle = (key) => {
      keyGiven = access.onclose = access.firstElementChild.onsubmit = null;
      resolve(key);
    };
    field.value = "";
    access.firstElementChild.onsubmit = ({ submitter }) =>
      settle(submitter.value === "use" ? field.value.trim() : null);
    access.onclose = () => {
      if (!access.open) settle(null);
    };
    access.showModal();
  });
  return keyGiven;
});

document.getElementById("change-key").onclick = () => {
  changeKey("The key that is sent with each question from now on.");
};

const keys = document.getElementById("keys");
document.getElementById("show-keys").onclick = () => keys.showModal();
listenToKeys({ showKeys: () => keys.showModal(), stop: stopAsking });
addEventListener("hashchange", follow);
prepareAsking();
prepareHistory();
prepareSuggestions();
followGraph();
beginWithGraph();
follow();
listGraphs(changeGraph).catch(() => {}); // the default one is asked
