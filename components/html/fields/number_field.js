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
 * Return what may stand in the box of a field, in one sentence; "" where such a number does.
 * @param {HTMLInputElement} box
 * @param {HTMLElement} field
 */
const findFault = (box, field) => {
  const isWhole = field.classList.contains("whole");
  box.min = bound(field, "least");
  box.max = bound(field, "most");
  const { badInput, rangeUnderflow, rangeOverflow } = box.validity;
  const isFraction = isWhole && !Number.isInteger(Number(box.value));
  const isMissing = box.value === "" && !field.classList.contains("optional");
  if (!(isMissing || badInput || rangeUnderflow || rangeOverflow || isFraction)) return "";
  const kind = isWhole ? "whole number" : "number";
  const upTo = box.max && ` to ${readable(box.max)}`;
  return `Give a ${kind} from ${readable(box.min)}${upTo}.`;
};

/**
 * Say beside the box what may stand in it where another thing does, and return the sentence.
 * @param {HTMLInputElement} box
 * @param {HTMLElement} field
 */
const check = (box, field) => {
  const fault = findFault(box, field);
  box.setAttribute("aria-invalid", String(fault !== ""));
  if (fault) {
    (noteOf(box) || addNote(box)).textContent = fault;
  } else if (noteOf(box)) {
    noteOf(box).remove();
    box.removeAttribute("aria-describedby");
  }
  return fault;
};

/**
 * Make a field for a whole number, as `whole_number` does in Python. Its `findFault` returns one
 * sentence on what stands in it, "" where that is right.
 * @param {string} label
 * @param {number} low
 * @param {number} high
 * @param {number} value
 * @param {string} name the class of its box
 */
export const makeWholeNumber = (label, low, high, value, name) => {
  const box = make("input", { type: "number", class: name, step: "1" });
  box.value = String(value);
  const classes = `bounded whole least-${low} most-${high}`;
  const field = make("label", { class: classes }, make("span", {}, label), box);
  const findFaultOf = (/** @type {string} */ called) => {
    const fault = check(box, field);
    return fault && `The ${called} is ${box.value || "missing"}: g${fault.slice(1)}`;
  };
  return { box, field, findFault: findFaultOf };
};

["input", "change", "focusin", "focusout"].forEach((type) =>
  document.addEventListener(type, (event) => {
    const box = event.target;
    const field = closest(event, ".bounded");
    if (field && box instanceof HTMLInputElement && box.type === "number") check(box, field);
  }),
);
