// @ts-check
/* Light or dark: what the person chose last. */
import { findAll } from "../js/dom.js";
import { recall, remember } from "../js/storage.js";

const KEY = "hallascope-look";

/** @returns {string | null} "light", "dark", or null where the person chose neither yet */
export const rememberedLook = () => recall(KEY);

/** @param {string} look "light" or "dark" */
export const showLook = (look) => {
  document.body.classList.toggle("dark", look === "dark");
  findAll(document, "[data-look]").forEach((button) => {
    button.setAttribute("aria-pressed", String(look === "dark"));
  });
};

/** Let the buttons with `data-look` switch between light and dark. */
export const listenForLook = () =>
  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || !event.target.closest("[data-look]")) return;
    const look = document.body.classList.contains("dark") ? "light" : "dark";
    remember(KEY, look);
    showLook(look);
  });
