// @ts-check
/* A button that asks the server for a file as it is now, and hands it to the person. */
import { closest, readBase64, saveFile } from "../../js/dom.js";
import { ask } from "../../js/server.js";
/** @import { Component } from "../../js/types.js" */

/**
 * Return the value of what is chosen in a picker, "" where nothing is.
 * @param {string} picker its id, "" where there is none
 */
const chosenIn = (picker) => {
  /** @type {HTMLInputElement | null} */
  const input = picker ? document.querySelector(`#${picker} input:checked`) : null;
  return input ? input.value : "";
};

/** @param {{ text: string, base64?: string }} file */
const contentOf = (file) => (file.base64 ? readBase64(file.base64) : file.text);

/** @param {Component} component */
export const mount = ({ element, server }) => {
  element.addEventListener("click", async (event) => {
    const button = closest(event, "button");
    if (!button) return;
    const message = element.querySelector(".export-wrong");
    message.textContent = "";
    const file = await ask(server, "export_file", {
      chosen: chosenIn(button.dataset.picker ?? ""),
    });
    if (file.wrong) message.textContent = file.wrong;
    else saveFile(file.name, contentOf(file), file.kind);
  });
};
