// @ts-check
/* A button that asks the server for a file as it is now, and hands it to the person. */
import { closest, readBase64, saveFile } from "../../js/dom.js";
import { ask } from "../../js/server.js";
/** @import { Component } from "../../js/types.js" */

/**
 * Return the value of what is chosen in a picker, "" where nothing is.
 * @param {string | undefined} picker its id
 */
const chosenIn = (picker) => {
  /** @type {HTMLInputElement | null} */
  const input = picker ? document.querySelector(`#${picker} input:checked`) : null;
  return input ? input.value : "";
};

/**
 * Hand out the file that a function of the server makes, or say in the element why there is none.
 * @param {Component} component
 * @param {string} name
 * @param {unknown} request
 */
export const handOut = async ({ element, server }, name, request) => {
  const message = element.querySelector(".export-wrong");
  message.textContent = "";
  const file = await ask(server, name, request);
  if (file.wrong) message.textContent = file.wrong;
  else saveFile(file.name, file.base64 ? readBase64(file.base64) : file.text, file.kind);
};

/** @param {Component} component */
export const mount = (component) => {
  component.element.addEventListener("click", (event) => {
    const button = closest(event, "button");
    if (!button) return;
    handOut(component, button.dataset.function, { chosen: chosenIn(button.dataset.picker) });
  });
};
