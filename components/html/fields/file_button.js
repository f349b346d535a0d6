// @ts-check
/* A button that asks the server for a text file as it is now, and hands it to the person. */
import { closest, saveFile } from "../../js/dom.js";
import { ask } from "../../js/server.js";
/** @import { Component } from "../../js/types.js" */

/** @param {Component} component */
export const mount = ({ element, server }) => {
  element.addEventListener("click", async (event) => {
    if (!closest(event, "button")) return;
    const message = element.querySelector(".export-wrong");
    message.textContent = "";
    const file = await ask(server, "export_file", {});
    if (file.wrong) message.textContent = file.wrong;
    else saveFile(file.name, file.text, file.kind);
  });
};
