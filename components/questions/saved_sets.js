// @ts-check
/* The list of saved sets: the person gets a file of them from the server; Python is told to open or
   remove one. */
import { closest, findAll, readBase64, saveFile } from "../js/dom.js";
import { ask } from "../js/server.js";
/** @import { Component } from "../js/types.js" */

const MEDIA_TYPES = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  jsonl: "application/jsonl",
};

/** @param {Component} component */
export const mount = ({ element, server, trigger }) => {
  /**
   * @param {keyof typeof MEDIA_TYPES} form
   * @param {string | null} prompt of one set; null: all sets
   */
  const download = async (form, prompt) => {
    const message = element.querySelector(".export-wrong");
    message.textContent = "";
    const file = await ask(server, "export_sets", { prompt, form });
    if (file.wrong) {
      message.textContent = file.wrong;
      return;
    }
    const bytes = readBase64(file.base64);
    saveFile(file.name, bytes, MEDIA_TYPES[form]);
  };

  element.addEventListener("click", (event) => {
    const button = closest(event, "button");
    if (!button) return;
    const { form, of, action } = button.dataset;
    if (form) {
      download(/** @type {keyof typeof MEDIA_TYPES} */ (form), of || null);
      return;
    }
    /** @type {HTMLElement} */
    const set = button.closest(".set");
    trigger("select", { action, prompt: set.dataset.prompt });
  });
  element.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || !target.matches(".filter")) return;
    const words = target.value.trim().toLowerCase();
    findAll(element, ".set").forEach((set) => {
      set.hidden = !set.dataset.prompt.toLowerCase().includes(words);
    });
  });
};
