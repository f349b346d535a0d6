// @ts-check
/* Three buttons above the evidence. "Share" shows the card of what is chosen, "Export" takes images
   of the run away, "Cite" gives a methods paragraph with BibTeX. Each opens a dialog. */
import { readAddress } from "../js/address.js";
import { showDialog } from "../js/dialog.js";
import { closest, findAll, make, saveFile } from "../js/dom.js";
import { ask } from "../js/server.js";
/** @import { Component } from "../js/types.js" */

/**
 * What is shown of a run: its image, the metric ("" for the first one) and what is chosen.
 * @typedef {{run: string, key: string, metric: string, chosen: string}} ShownImage
 */

const KINDS = ["question", "finding"]; // of what a card can show

/**
 * Return the key of the question or finding that is lit, be it chosen or only suggested; "" where
 * nothing is.
 * @param {HTMLElement} exhibit
 */
const chosenIn = (exhibit) => {
  /** @type {HTMLElement | null} */
  const row = exhibit.querySelector("[data-said].lit");
  /** @type {string[]} */
  const keys = row ? JSON.parse(row.dataset.keys) : [];
  return keys.find((key) => KINDS.includes(key.split("=")[0])) ?? "";
};

/**
 * Return what the viewer shows, or null where nothing is shown yet.
 * @param {string} evidence the id of the viewer
 * @returns {ShownImage | null}
 */
const shownImage = (evidence) => {
  /** @type {HTMLElement | null} */
  const exhibit = document.querySelector(`#${evidence} .exhibit[data-run]`);
  if (!exhibit) return null;
  const { run, key, metric } = exhibit.dataset;
  return { run, key, metric: metric ?? "", chosen: chosenIn(exhibit) };
};

/* --- dialogs ------------------------------------------------------------------------------------ */

/**
 * Open a dialog; it is taken away when it closes.
 * @param {HTMLElement} place
 * @param {string} title
 * @param {(Node | string)[]} content
 */
const openDialog = (place, title, content) => {
  const close = make("button", { type: "button", class: "share-close" }, "Close");
  const dialog = make(
    "dialog",
    { class: "share-dialog", "aria-label": title },
    make("div", { class: "share-head" }, make("h2", {}, title), close),
    ...content,
  );
  close.addEventListener("click", () => dialog.close());
  place.replaceChildren();
  showDialog(dialog, place);
};

/**
 * Make a button that copies what stands in a field, and says so.
 * @param {string} words
 * @param {HTMLInputElement | HTMLTextAreaElement} field
 * @param {HTMLElement} said
 */
const copyButton = (words, field, said) =>
  make(
    "button",
    {
      type: "button",
      class: "share-button",
      onclick: async () => {
        try {
          await navigator.clipboard.writeText(field.value);
          said.textContent = "Copied.";
        } catch {
          field.select(); // pages without https have no clipboard
          said.textContent = "It is selected: press Ctrl+C (or ⌘C) to copy it.";
        }
      },
    },
    words,
  );

/**
 * @param {string} label
 * @param {string} text
 * @param {number} rows
 */
const textField = (label, text, rows) => {
  const field = make("textarea", {
    "aria-label": label,
    rows,
    readonly: true,
    spellcheck: "false",
  });
  field.value = text;
  return {
    field,
    labeled: make("label", { class: "share-field" }, make("span", {}, label), field),
  };
};

const status = () => make("p", { class: "share-said", role: "status" });

/* --- the card of an image ------------------------------------------------------------------------ */

/**
 * @param {HTMLElement} place
 * @param {{card: string, query: string, alt: string, name: string}} shared
 */
const openCard = (place, shared) => {
  const said = status();
  const link = make("input", { type: "text", readonly: true, "aria-label": "Link" });
  link.value = `${location.origin}${location.pathname}?${shared.query}`;
  const preview = make("img", {
    src: shared.card,
    alt: shared.alt,
    width: 1200,
    height: 630,
    class: "share-card",
  });
  preview.addEventListener("error", () => {
    said.textContent = "The card could not be drawn. Close this, and try again.";
  });
  const download = make(
    "a",
    { href: shared.card, download: shared.name, class: "share-button" },
    "Download card (PNG)",
  );
  openDialog(place, "Share this image", [
    preview,
    make("p", { class: "share-field" }, link),
    make("p", { class: "share-actions" }, copyButton("Copy link", link, said), download),
    said,
  ]);
};

/* --- export -------------------------------------------------------------------------------------- */

/**
 * @param {string} label
 * @param {Record<string, string>} choices words by value
 * @param {string} chosen
 */
const selectField = (label, choices, chosen) => {
  const field = make(
    "select",
    { "aria-label": label },
    ...Object.entries(choices).map(([value, words]) => make("option", { value }, words)),
  );
  field.value = chosen in choices ? chosen : "";
  return {
    field,
    labeled: make("label", { class: "share-field" }, make("span", {}, label), field),
  };
};

/** @param {{key: string, name: string, src: string | null}} image */
const imageChoice = ({ key, name, src }) =>
  make(
    "label",
    { class: "share-image" },
    make("input", { type: "checkbox", value: key, checked: true }),
    src ? make("img", { src, alt: "", width: 72, height: 72 }) : null,
    make("span", {}, name),
  );

/**
 * @param {HTMLElement} element
 * @param {Component["server"]} server
 * @param {string} run
 * @param {{images: {key: string, name: string, src: string | null}[]}} choices
 */
const openExport = (element, server, run, choices) => {
  /** @type {HTMLElement} */
  const row = element.querySelector(".share-row");
  const query = readAddress();
  const said = status();
  /** @type {Record<string, string>} */
  const types = { "": "All question types" };
  /** @type {string[]} */
  const cois = JSON.parse(row.dataset.cois);
  cois.forEach((coi) => {
    types[coi] = coi;
  });
  const form = selectField("Format", JSON.parse(row.dataset.formats), "");
  form.field.selectedIndex = 0;
  const state = (query.get("state") ?? "").replace("-", " ");
  const outcome = selectField("Verdicts", JSON.parse(row.dataset.outcomes), state);
  const coi = selectField("Question types", types, query.get("coi") ?? "");
  const list = make("div", { class: "share-images" }, ...choices.images.map(imageChoice));
  const boxes = () => findAll(list, "input").map((box) => /** @type {HTMLInputElement} */ (box));
  const checked = () =>
    boxes()
      .filter((box) => box.checked)
      .map((box) => box.value);
  const download = make("button", { type: "button", class: "share-button primary" }, "Download");
  const count = make("span", {});
  const refresh = () => {
    count.textContent = `${checked().length} of ${choices.images.length} images`;
    download.disabled = !checked().length;
  };
  const all = make("button", { type: "button", class: "share-link" }, "Check all or none");
  all.addEventListener("click", () => {
    const on = checked().length < boxes().length;
    boxes().forEach((box) => {
      box.checked = on;
    });
    refresh();
  });
  list.addEventListener("change", refresh);
  download.addEventListener("click", async () => {
    download.disabled = true;
    said.textContent = "Writing the file …";
    const file = await ask(server, "export_selection", {
      run,
      format: form.field.value,
      images: checked().length < boxes().length ? checked() : [],
      outcome: outcome.field.value,
      coi: coi.field.value,
    });
    refresh();
    said.textContent = file.wrong ?? file.said;
    if (file.wrong) return;
    const bytes = Uint8Array.from(atob(file.base64), (character) => character.charCodeAt(0));
    saveFile(file.name, bytes, file.kind);
  });
  refresh();
  openDialog(element.querySelector(".share-dialog-place"), "Export results", [
    make("div", { class: "share-fields" }, form.labeled, outcome.labeled, coi.labeled),
    make("fieldset", {}, make("legend", {}, count, " ", all), list),
    make("p", { class: "share-actions" }, download),
    said,
  ]);
};

/* --- citing -------------------------------------------------------------------------------------- */

/**
 * @param {HTMLElement} place
 * @param {{paragraph: string, bibtex: string}} text
 */
const openCitation = (place, { paragraph, bibtex }) => {
  const said = status();
  const methods = textField("Methods paragraph", paragraph, 9);
  const entries = textField("BibTeX", bibtex, 9);
  openDialog(place, "Cite this run", [
    methods.labeled,
    entries.labeled,
    make(
      "p",
      { class: "share-actions" },
      copyButton("Copy paragraph", methods.field, said),
      copyButton("Copy BibTeX", entries.field, said),
    ),
    said,
  ]);
};

/** @param {Component} component */
export const mount = ({ element, server }) => {
  const message = () => element.querySelector(".share-wrong");
  /** @type {Record<string, (shown: ShownImage) => Promise<string | undefined>>} */
  const actions = {
    share: async (shown) => {
      const shared = await ask(server, "share_card", shown);
      if (!shared.wrong) openCard(element.querySelector(".share-dialog-place"), shared);
      return shared.wrong;
    },
    export: async ({ run }) => {
      const choices = await ask(server, "export_choices", { run });
      if (!choices.wrong) openExport(element, server, run, choices);
      return choices.wrong;
    },
    cite: async ({ run }) => {
      const text = await ask(server, "cite_run", { run });
      if (!text.wrong) openCitation(element.querySelector(".share-dialog-place"), text);
      return text.wrong;
    },
  };
  element.addEventListener("click", async (event) => {
    const button = closest(event, "[data-share]");
    if (!button) return;
    /** @type {HTMLElement} */
    const row = element.querySelector(".share-row");
    const shown = shownImage(row.dataset.evidence);
    const wrong = shown
      ? await actions[button.dataset.share](shown)
      : "Generate images first, or open a run.";
    message().textContent = wrong ?? "";
  });
};
