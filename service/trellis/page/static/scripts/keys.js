/** The keys of the page: each presses a button that is there to be seen, or moves the focus.
 *  Those that are a single character can be switched off. */

const PRESSED = { g: "toggle-picture", c: "copy-query" };
const KEPT = "trellis-keys-off";

export function listenToKeys({ showKeys, stop }) {
  const use = document.getElementById("use-keys");
  use.checked = localStorage.getItem(KEPT) === null;
  use.onchange = () => (use.checked ? localStorage.removeItem(KEPT) : localStorage.setItem(KEPT, "yes"));
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) {
      return;
    }
    if (event.defaultPrevented) return;
    if (event.key === "Escape") {
      stop();
      if (isField(event.target)) event.target.blur();
    } else if (!isField(event.target) && press(event.key, use.checked, showKeys)) {
      event.preventDefault();
    }
  });
}

/** Do what a key stands for; whether it stands for anything now. */
function press(key, usesLetters, showKeys) {
  if (key === "ArrowDown") return enterFacts();
  if (!usesLetters) return false;
  if (key === "/") return focusQuestion();
  if (key === "?") return showKeys() ?? true;
  const pressed = document.getElementById(PRESSED[key] ?? "");
  if (!pressed || pressed.disabled || pressed.offsetParent === null) return false;
  pressed.click();
  return true;
}

function focusQuestion() {
  location.hash = "#/ask";
  document.getElementById("ask").hidden = false;
  const question = document.getElementById("question");
  question.focus();
  question.select();
  return true;
}

/** Focus the fact where the walk through the list is. */
function enterFacts() {
  const fact = document.querySelector('.facts [tabindex="0"]');
  if (!fact || fact.offsetParent === null || fact.parentNode.contains(document.activeElement)) {
    return false;
  }
  fact.focus();
  return true;
}

function isField(element) {
  return element.matches("input, textarea, select, [contenteditable]");
}
