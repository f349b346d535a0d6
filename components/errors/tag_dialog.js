// @ts-check
/* The dialog that tags images: a field, the tags that were given last (digits choose them), the error
   types of the papers, the tags that these images have, and a note. */
import { makeNameField, RATER } from "../evidence/dialogs.js";
import { showDialog } from "../js/dialog.js";
import { make } from "../js/dom.js";
import { ask } from "../js/server.js";
import { remember } from "../js/storage.js";
/** @import { Component } from "../js/types.js" */

const MOST_DIGITS = 9;

/**
 * What the server says that can be chosen, as `pages/errors/gallery.py` sends it.
 * @typedef {object} TagChoices
 * @property {number} images
 * @property {[string, number][]} counts how many of the images have a tag
 * @property {string[]} latest
 * @property {{group: string, source: string, tags: {tag: string, meaning: string}[]}[]} groups
 * @property {[string, string[]][]} questions of a single image, with their tags
 * @property {{author: string, text: string}[]} notes
 */

/** @param {number} number */
const countImages = (number) =>
  number === 1 ? "1 image" : `${number.toLocaleString("en")} images`;

/**
 * @param {string} title
 * @param {string} about
 * @param {Node[]} content
 */
const makePart = (title, about, content) =>
  content.length
    ? make(
        "section",
        { class: "tag-part" },
        make("h3", {}, title, about ? make("span", { class: "soft" }, ` · ${about}`) : null),
        make("div", { class: "tag-buttons" }, ...content),
      )
    : null;

/**
 * Open the dialog for these images; `onDone` gets a sentence, and the tags by image after a change.
 * @param {Component["server"]} server
 * @param {number[]} evaluations
 * @param {(words: string, tags: Record<number, string>) => void} onDone
 */
export const openTags = async (server, evaluations, onDone) => {
  const reply = await ask(server, "read_tag_choices", { evaluations });
  if (reply.wrong) {
    onDone(reply.wrong, {});
    return;
  }
  /** @type {TagChoices} */
  const choices = reply;
  const message = make("p", { class: "message", role: "alert" });
  const field = make("input", {
    type: "text",
    maxlength: 40,
    autocomplete: "off",
    "aria-label": "Tag",
    placeholder: "A word or two, such as “extra fingers”",
  });
  const name = makeNameField();
  const subject = make(
    "select",
    { "aria-label": "What the tag is about" },
    make("option", { value: "" }, choices.images === 1 ? "The image" : "Each image"),
    ...choices.questions.map(([question]) => make("option", { value: question }, question)),
  );
  const note = make("textarea", {
    rows: 2,
    maxlength: 1000,
    "aria-label": "Note",
    placeholder: choices.images > 1 ? "Replaces your own note on each of these images" : null,
  });
  let keptNote = "";

  const readRater = () => {
    const rater = name.value.trim();
    remember(RATER, rater);
    return rater;
  };
  /**
   * @param {string} tag
   * @param {boolean} remove
   * @param {string} question
   */
  const change = async (tag, remove = false, question = subject.value) => {
    if (note.value !== keptNote && !(await sendNote())) return;
    const request = { evaluations, tag, remove, question, rater: readRater() };
    const result = await ask(server, "change_tags", request);
    if (result.wrong) {
      message.textContent = result.wrong;
      field.focus();
      return;
    }
    dialog.close();
    onDone(result.words, result.tags);
  };
  /** Keep the note as it is written, and return what became of it in words; "" where it failed. */
  const sendNote = async () => {
    const request = { evaluations, note: note.value, rater: readRater() };
    const result = await ask(server, "keep_note", request);
    if (result.wrong) {
      message.textContent = result.wrong;
      return "";
    }
    keptNote = note.value;
    return result.words;
  };
  const keepNote = async () => {
    const words = note.value === keptNote ? "nothing changed" : await sendNote();
    if (!words) return;
    dialog.close();
    onDone(words, {});
  };

  /**
   * @param {string} tag
   * @param {string} aside
   * @param {string} meaning
   * @param {number} [digit]
   */
  const makeTagButton = (tag, aside = "", meaning = "", digit) =>
    make(
      "button",
      {
        type: "button",
        class: "tag-choice",
        title: meaning || null,
        "aria-keyshortcuts": digit ?? null,
        onclick: () => change(tag),
      },
      digit ? make("kbd", {}, digit) : null,
      tag,
      aside ? make("span", { class: "soft" }, aside) : null,
    );
  /**
   * @param {string} tag
   * @param {string} aside
   * @param {string} question
   */
  const makeChip = (tag, aside, question = "") =>
    make(
      "span",
      { class: "tag-chip" },
      make("span", {}, tag, aside ? make("span", { class: "soft" }, aside) : null),
      make(
        "button",
        {
          type: "button",
          "aria-label": `Remove the tag ${tag}`,
          onclick: () => change(tag, true, question),
        },
        "×",
      ),
    );

  const latest = choices.latest.slice(0, MOST_DIGITS);
  const ofQuestions = choices.questions.flatMap(([question, tags]) =>
    tags.map((tag) => makeChip(tag, ` · ${question}`, question)),
  );
  const ofImages = choices.counts.map(([tag, number]) =>
    makeChip(tag, choices.images > 1 ? ` · ${number}` : ""),
  );
  const groups = choices.groups.map(({ group, source, tags }) =>
    makePart(
      group,
      source,
      tags.map(({ tag, meaning }) => makeTagButton(tag, "", meaning)),
    ),
  );
  const form = make(
    "form",
    { class: "tag-form" },
    field,
    choices.questions.length ? subject : null,
    make("button", { type: "submit", class: "keep" }, "Add tag"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void change(field.value);
  });
  const title = `Tag ${countImages(choices.images)}`;
  const dialog = make(
    "dialog",
    { class: "evidence-dialog tag-dialog", "aria-label": title },
    make("h2", {}, title),
    form,
    message,
    makePart("Tags now", "", [...ofImages, ...ofQuestions]),
    makePart(
      "Last used",
      "press the digit",
      latest.map((tag, place) => makeTagButton(tag, "", "", place + 1)),
    ),
    make(
      "details",
      { class: "tag-groups", open: latest.length === 0 },
      make("summary", {}, "Error types of the papers"),
      ...groups,
    ),
    make(
      "section",
      { class: "tag-part" },
      make("h3", {}, "Note"),
      ...choices.notes.map(({ author, text }) =>
        make("p", { class: "tag-note" }, author ? make("strong", {}, `${author}: `) : null, text),
      ),
      note,
      make("button", { type: "button", class: "close", onclick: () => keepNote() }, "Keep note"),
    ),
    make("label", { class: "tag-name" }, make("span", {}, "Your name"), name),
    make("button", { type: "button", class: "close", onclick: () => dialog.close() }, "Close"),
  );
  dialog.addEventListener("keydown", (event) => {
    event.stopPropagation(); // no key of the page acts behind the dialog
    const digit = Number(event.key);
    const isTyping = event.target === note || event.target === name || field.value !== "";
    if (isTyping || !digit || digit > latest.length) return;
    event.preventDefault();
    void change(latest[digit - 1]);
  });
  const own = choices.notes.find(({ author }) => author === name.value.trim());
  keptNote = own ? own.text : "";
  note.value = keptNote;
  showDialog(dialog, document.querySelector("#tabs") ?? document.body);
  field.focus();
};
