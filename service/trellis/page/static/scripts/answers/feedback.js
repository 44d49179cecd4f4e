/** Whether an answer is right, and what would have been. */

import { button, el } from "../dom.js";
import { postJson } from "../service.js";

const MOST_NAMES = 100;

export function drawFeedback({ id }) {
  const said = el("p", { class: "small", role: "status" });
  const correction = drawCorrection((expected) => send(false, expected));
  const right = button("Right", () => send(true), {
    id: "say-right",
    aria: { keyshortcuts: "y", pressed: "false" },
  });
  const wrong = button("Wrong", () => reveal(), {
    id: "say-wrong",
    aria: { keyshortcuts: "n", pressed: "false" },
  });

  function reveal() {
    correction.hidden = false;
    correction.querySelector("textarea").focus();
  }

  async function send(isRight, expected = []) {
    try {
      await postJson(`answers/${encodeURIComponent(id)}/feedback`, { right: isRight, expected });
      right.setAttribute("aria-pressed", String(isRight));
      wrong.setAttribute("aria-pressed", String(!isRight));
      correction.hidden = true;
      said.textContent = "Saved. Thank you.";
    } catch (error) {
      said.textContent = [error.message, error.remedy].filter(Boolean).join("; ");
    }
  }

  const choices = el("div", { class: "head" }, el("h3", {}, "Is this answer right?"), right, wrong);
  return el("section", { class: "feedback" }, choices, correction, said);
}

function drawCorrection(send) {
  const field = el("textarea", { id: "expected", rows: 3, maxLength: 20_000 });
  const form = el(
    "form",
    { hidden: true },
    el("label", { htmlFor: "expected" }, "What is the right answer? Write one name per line, or leave it empty."),
    field,
    el("button", { type: "submit" }, "Send"),
  );
  form.onsubmit = (event) => {
    event.preventDefault();
    const names = field.value.split("\n").map((name) => name.trim());
    send(names.filter(Boolean).slice(0, MOST_NAMES));
  };
  return form;
}
