// @ts-check
/* The dialogs of the evidence viewer: a person's verdict on an answer, a tag, and the list of keys. */
import { showDialog } from "../js/dialog.js";
import { findAll, make } from "../js/dom.js";
import { ask } from "../js/server.js";
import { recall, remember } from "../js/storage.js";
/** @import { Component } from "../js/types.js" */

/**
 * The image that a dialog is about, as the server names it.
 * @typedef {{run: string, key: string}} ImageName
 */

export const RATER = "hallascope-rater"; // the setting with the name of the person
const KEYS = [
  ["J", "Next image"],
  ["K", "Previous image"],
  ["N", "Next error of the image"],
  ["H", "Give your own verdict on the chosen question"],
  ["T", "Tag the image"],
  ["Escape", "Choose nothing, or close a dialog"],
  ["?", "Show this list"],
];

/**
 * Open a dialog; Escape, its button and a click beside it close it.
 * @param {string} title
 * @param {...Node} content
 */
const openDialog = (title, ...content) => {
  const dialog = make(
    "dialog",
    { class: "evidence-dialog", "aria-label": title },
    make("h2", {}, title),
    ...content,
    make("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close"),
  );
  showDialog(dialog, document.querySelector("#tabs") ?? document.body);
  return dialog;
};

/** @returns {HTMLInputElement} the field of the person's name, filled where it is known */
export const makeNameField = () => {
  const field = make("input", { type: "text", autocomplete: "name", maxlength: 80 });
  /** @type {HTMLInputElement | null} */
  const onPeopleTab = document.querySelector("#people-name input");
  field.value = recall(RATER) || onPeopleTab?.value || "";
  return field;
};

/**
 * @param {string} words
 * @param {HTMLInputElement} field
 */
const makeLabel = (words, field) => make("label", {}, make("span", {}, words), field);

const makeMessage = () => make("p", { class: "message", role: "alert" });

/** Open the list of keys. */
export const openKeys = () => {
  const lines = KEYS.map(([key, meaning]) =>
    make("div", {}, make("dt", {}, make("kbd", {}, key)), make("dd", {}, meaning)),
  );
  openDialog("Keys", make("dl", { class: "key-list" }, ...lines));
};

/**
 * Ask for a verdict on the answer of a question card and show it on the card.
 * @param {Component["server"]} server
 * @param {ImageName} image
 * @param {HTMLElement} card
 */
export const openVerdict = (server, image, card) => {
  const name = makeNameField();
  const message = makeMessage();
  /** @param {string} mark */
  const keep = async (mark) => {
    const rater = name.value.trim();
    if (!rater) {
      message.textContent = "Type your name first: the verdict is kept with it.";
      name.focus();
      return;
    }
    remember(RATER, rater);
    const section = /** @type {HTMLElement} */ (card.closest("[data-metric]"));
    const question = Number(card.dataset.question);
    const request = { ...image, metric: section.dataset.metric, question, mark, rater };
    const reply = await ask(server, "keep_verdict", request);
    if (reply.wrong) {
      message.textContent = reply.wrong;
      return;
    }
    card.querySelector(".human-lines").innerHTML = reply.html; // escaped where Python builds it
    dialog.close();
  };
  const isAnswered = card.querySelector(".choice.answered") !== null;
  const choices = findAll(card, ".choice").map((choice) => {
    const mark = choice.querySelector(".letter").textContent;
    const words = choice.querySelector(".letter").nextSibling.textContent.trim();
    const isJudges = choice.classList.contains("answered");
    const outcome = isJudges ? "the judge is right" : "the judge is wrong";
    return makeChoice(mark, words, isAnswered ? outcome : "", keep);
  });
  const untold = makeChoice("?", "Cannot tell", "", keep);
  const dialog = openDialog(
    "Your verdict",
    make("p", { class: "question-text" }, card.querySelector(".lead-button").textContent),
    makeLabel("Your name", name),
    make("p", { class: "soft" }, "What does the image show?"),
    make("ul", { class: "verdict-choices" }, ...choices, untold),
    message,
  );
  const [first] = findAll(dialog, ".verdict-choices button");
  (name.value ? first : name).focus();
};

/**
 * @param {string} mark
 * @param {string} words
 * @param {string} outcome what it says of the judge
 * @param {(mark: string) => void} keep
 */
const makeChoice = (mark, words, outcome, keep) => {
  const aside = outcome ? make("span", { class: "soft" }, ` · ${outcome}`) : null;
  return make(
    "li",
    {},
    make("button", { type: "button", onclick: () => keep(mark) }, words, aside),
  );
};

/**
 * Ask for a tag and show it with the image.
 * @param {Component["server"]} server
 * @param {ImageName} image
 * @param {HTMLElement} chips
 */
export const openTag = (server, image, chips) => {
  const field = make("input", { type: "text", maxlength: 40, autocomplete: "off" });
  const message = makeMessage();
  const form = make(
    "form",
    {},
    makeLabel("A word or two, such as “extra fingers”", field),
    message,
    make("button", { type: "submit", class: "keep" }, "Add the tag"),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const request = { ...image, tag: field.value, rater: recall(RATER) || "" };
    message.textContent = await changeTag(server, request, chips);
    if (!message.textContent) dialog.close();
  });
  const dialog = openDialog("Tag the image", form);
  field.focus();
};

/**
 * Add or remove a tag and show the chips anew; return a sentence where that failed, else "".
 * @param {Component["server"]} server
 * @param {ImageName & {tag: string, remove?: boolean, rater?: string}} request
 * @param {HTMLElement} chips
 * @returns {Promise<string>}
 */
export const changeTag = async (server, request, chips) => {
  const reply = await ask(server, "change_tag", request);
  if (reply.wrong) return reply.wrong;
  chips.innerHTML = reply.html; // escaped where Python builds it
  return "";
};
