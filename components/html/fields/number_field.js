// @ts-check
/* Fields for numbers: a note beside the field says its bounds while what stands in it is out of
   them. */
import { closest, make } from "../../js/dom.js";

const NOTE = "out-of-bounds";

/**
 * @param {HTMLElement} field
 * @param {"least" | "most"} name
 */
const bound = (field, name) => {
  const match = field.className.match(new RegExp(`(?:^|\\s)${name}-(\\S+)`));
  return match ? match[1] : "";
};

/** @param {string} number */
const readable = (number) => Number(number).toLocaleString("en-US");

/** @param {HTMLInputElement} box */
const noteOf = (box) => box.parentElement.querySelector(`.${NOTE}`);

/** @param {HTMLInputElement} box */
const addNote = (box) => {
  const id = `note-${Math.random().toString(36).slice(2)}`;
  const note = make("span", { class: NOTE, id, role: "alert" });
  box.after(note);
  box.setAttribute("aria-describedby", id);
  return note;
};

/**
 * @param {HTMLInputElement} box
 * @param {HTMLElement} field
 */
const check = (box, field) => {
  const isWhole = field.classList.contains("whole");
  box.min = bound(field, "least");
  box.max = bound(field, "most");
  const { badInput, rangeUnderflow, rangeOverflow } = box.validity;
  const isFraction = isWhole && !Number.isInteger(Number(box.value));
  const isWrong = box.value === "" || badInput || rangeUnderflow || rangeOverflow || isFraction;
  box.setAttribute("aria-invalid", String(isWrong));
  if (isWrong) {
    const kind = isWhole ? "whole number" : "number";
    const upTo = box.max && ` to ${readable(box.max)}`;
    (noteOf(box) || addNote(box)).textContent = `Give a ${kind} from ${readable(box.min)}${upTo}.`;
  } else if (noteOf(box)) {
    noteOf(box).remove();
    box.removeAttribute("aria-describedby");
  }
};

["input", "change", "focusin", "focusout"].forEach((type) =>
  document.addEventListener(type, (event) => {
    const box = event.target;
    const field = closest(event, ".bounded");
    if (field && box instanceof HTMLInputElement && box.type === "number") check(box, field);
  }),
);
