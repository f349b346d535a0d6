// @ts-check
/* Reads and writes the controls of a choice: drop-down lists, and rows of chips with radio buttons or
   check boxes. Each names itself in `data-field` and its default value in `data-default`. */
import { findAll } from "./dom.js";

/**
 * Say whether two values are the same as JSON.
 * @param {unknown} left
 * @param {unknown} right
 */
export const isSame = (left, right) => JSON.stringify(left) === JSON.stringify(right);

/**
 * Return what is chosen in a control.
 * @param {HTMLElement} field
 * @returns {string[]}
 */
export const readField = (field) => {
  if (field instanceof HTMLSelectElement) return [field.value];
  /** @type {HTMLInputElement[]} */
  const boxes = findAll(field, "input");
  return boxes.filter((box) => box.checked).map((box) => box.value);
};

/**
 * Choose these values in a control, or its default where it has none of them.
 * @param {HTMLElement} field
 * @param {string[]} values
 */
export const writeField = (field, values) => {
  const plain = field.dataset.default;
  if (field instanceof HTMLSelectElement) {
    field.value = values[0];
    if (field.selectedIndex < 0) field.value = plain;
    return;
  }
  /** @type {HTMLInputElement[]} */
  const boxes = findAll(field, "input");
  const isKnown = boxes.some((box) => values.includes(box.value));
  boxes.forEach((box) => {
    const isDefault = !isKnown && box.type === "radio" && box.value === plain;
    box.checked = values.includes(box.value) || isDefault;
  });
};
