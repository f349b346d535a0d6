// @ts-check
/* Three buttons above the evidence. "Share" shows the card of what is chosen, "Export" takes images
   of the run away, "Cite" gives a methods paragraph with BibTeX. Each opens its dialog. */
import { closest, drawFolded, findAll, make, readBase64, saveFile } from "../js/dom.js";
import { ask } from "../js/server.js";
/** @import { Component } from "../js/types.js" */

const KINDS = ["question", "finding"]; // of what a card can show

/**
 * Return what the viewer shows: the run, the key of its image, the question or finding that is
 * chosen ("" where none is), and its metric ("" for the first one). Null where nothing is shown yet.
 * @param {string} evidence the id of the viewer
 */
const shownImage = (evidence) => {
  /** @type {HTMLElement | null} */
  const exhibit = document.querySelector(`#${evidence} .exhibit[data-run]`);
  if (!exhibit) return null;
  const { run, key, metric, choice } = exhibit.dataset;
  const [, scope, name] = /^(?:(.*)\.)?(.*)$/.exec(choice ?? "");
  const chosen = KINDS.includes(name.split("=")[0]) ? name : "";
  return { run, key, metric: scope || (metric ?? ""), chosen };
};

/** @param {{key: string, name: string, src: string | null}} image */
const imageChoice = ({ key, name, src }) =>
  make(
    "label",
    { class: "share-image" },
    make("input", { type: "checkbox", name: "images", value: key, checked: true }),
    src ? make("img", { src, alt: "", width: 72, height: 72 }) : null,
    make("span", {}, name),
  );

/**
 * Copy the field that a button names; where the page has no clipboard, as without https, select it.
 * @param {HTMLButtonElement} button
 * @returns {Promise<string>} what to say
 */
const copyField = async (button) => {
  /** @type {HTMLTextAreaElement} */
  const field = button.closest("dialog").querySelector(`[name="${button.value}"]`);
  try {
    await navigator.clipboard.writeText(field.value);
    return "Copied.";
  } catch {
    field.select();
    return "It is selected: press Ctrl+C (or ⌘C) to copy it.";
  }
};

/** @param {Component} component */
export const mount = ({ element, server }) => {
  /** @type {(selector: string) => any} */
  const find = (selector) => element.querySelector(selector);
  let run = "";

  /** @param {string} words */
  const say = (words) => {
    const said = find("dialog[open] .share-said"); // none where the dialog was closed meanwhile
    if (said) said.textContent = words;
  };
  /** @returns {HTMLInputElement[]} */
  const boxes = () => findAll(element, '[name="images"]');

  const countImages = () => {
    const checked = boxes().filter((box) => box.checked).length;
    find(".share-count").textContent = `${checked} of ${boxes().length} images`;
    find("[data-download]").disabled = !checked;
  };

  /** @type {Record<string, (reply: any) => void>} */
  const fill = {
    share: ({ card, alt, query, name }) => {
      Object.assign(find(".share-card"), { src: card, alt });
      Object.assign(find("[download]"), { href: card, download: name });
      find('[name="link"]').value = `${location.origin}${location.pathname}?${query}`;
    },
    export: ({ images }) => {
      find("form[data-export]").reset();
      find(".share-images").replaceChildren(...images.map(imageChoice));
      countImages();
    },
    cite: ({ paragraph, bibtex }) => {
      find('[name="paragraph"]').value = paragraph;
      find('[name="bibtex"]').value = bibtex;
    },
  };

  /** @param {HTMLElement} button */
  const open = async (button) => {
    drawFolded(find(".share-dialogs"));
    const shown = shownImage(find(".share-row").dataset.evidence);
    const reply = shown
      ? await ask(server, button.dataset.function, shown)
      : { wrong: "Generate images first, or open a run." };
    find(".share-wrong").textContent = reply.wrong ?? "";
    if (reply.wrong) return;
    run = shown.run;
    find(`dialog[data-of="${button.dataset.share}"]`).showModal();
    say("");
    fill[button.dataset.share](reply);
  };

  const exportFile = async () => {
    const choices = new FormData(find("form[data-export]"));
    const images = choices.getAll("images");
    find("[data-download]").disabled = true;
    say("Writing the file …");
    const file = await ask(server, "export_selection", {
      ...Object.fromEntries(choices),
      run,
      images: images.length < boxes().length ? images : [],
    });
    countImages();
    say(file.wrong ?? file.said);
    if (file.wrong) return;
    const bytes = readBase64(file.base64);
    saveFile(file.name, bytes, "application/octet-stream");
  };

  element.addEventListener("click", async (event) => {
    const { target } = event;
    if (target instanceof HTMLDialogElement) target.close(); // a click beside it
    const opener = closest(event, "[data-share]");
    if (opener) await open(opener);
    const copy = closest(event, "[data-copy]");
    if (copy instanceof HTMLButtonElement) say(await copyField(copy));
    if (closest(event, "[data-all]")) {
      const on = boxes().some((box) => !box.checked);
      boxes().forEach((box) => {
        box.checked = on;
      });
      countImages();
    }
  });
  element.addEventListener("change", (event) => {
    if (closest(event, ".share-images")) countImages();
  });
  element.addEventListener("submit", (event) => {
    if (!closest(event, "form[data-export]")) return;
    event.preventDefault();
    exportFile();
  });
  element.addEventListener(
    "error",
    (event) => {
      if (!closest(event, ".share-card")) return;
      say("The card could not be drawn. Close this, and try again.");
    },
    true, // the error of an image goes no further than its own listeners
  );
};
