// @ts-check
/* Labeling: one picture, its questions, an answer by a key. Answers are sent one after the other, so
   that the last line of a picture is its newest. */
import { findAll, make } from "../js/dom.js";
import { ask } from "../js/server.js";
/** @import { Component } from "../js/types.js" */

/**
 * @typedef {object} Question
 * @property {string} text
 * @property {string[]} choices
 * @property {string[] | null} marks of the choices, where they are other ones than the usual
 * @property {string | null} judged the mark that the judge gave
 */
/** @typedef {{id: string, name?: string, picture: string, caption?: string, questions: Question[]}} Item */
/**
 * @typedef {object} Work
 * @property {Item[]} items
 * @property {(string | null)[][]} answers the marks, by picture and question
 * @property {number} at the picture that is shown
 * @property {string} who
 */

const CANNOT_TELL = "Cannot be told";
const TYPING = "textarea, select, [contenteditable], input:not([type=radio])";

/** @param {Component} component */
export const mount = ({ element, props, server, watch }) => {
  /** @type {string[]} "A" to "E" and "?", on the keys 1 to 6 */
  const usualMarks = props.marks;
  /** @type {HTMLElement} */
  const root = element.querySelector(".desk");
  /** @type {Work | null} */
  let work = null;
  let arrived = ""; // the work as it came last
  let current = 0; // the question that a key answers
  let sending = Promise.resolve();
  /** @type {Set<number>} */
  const unsaved = new Set(); // positions of pictures whose answers are not stored yet

  /**
   * @param {string} selector
   * @returns {HTMLElement}
   */
  const find = (selector) => root.querySelector(selector);
  const fields = () => findAll(root, ".asks");
  /** @param {number} position */
  const isFinished = (position) => work.answers[position].every((mark) => mark !== null);

  /* --- saving ----------------------------------------------------------------------------------- */

  const say = (/** @type {string} */ words, isWrong = false) => {
    find(".told").replaceChildren(words);
    find(".told").classList.toggle("wrong", isWrong);
  };
  /** @param {number} position */
  const send = async (position) => {
    const answers = [...work.answers[position]];
    const request = { id: work.items[position].id, answers, who: work.who };
    const reply = await ask(server, "save", request);
    if (reply.wrong) {
      say(`Not saved: ${reply.wrong} It is tried again with the next answer.`, true);
      return;
    }
    if (JSON.stringify(answers) === JSON.stringify(work.answers[position])) {
      unsaved.delete(position);
    }
    if (!unsaved.size) say("Saved.");
  };
  /** @param {number} position */
  const save = (position) => {
    unsaved.add(position);
    say("Saving …");
    sending = sending.then(async () => {
      for (const waiting of [...unsaved]) await send(waiting);
    });
  };
  window.addEventListener("beforeunload", (event) => {
    if (unsaved.size) event.preventDefault();
  });

  /* --- answering -------------------------------------------------------------------------------- */

  const showProgress = () => {
    const done = work.items.filter((_, position) => isFinished(position)).length;
    root.querySelector("progress").value = done;
    find(".done").replaceChildren(`${done} of ${work.items.length} labelled`);
  };
  /** @param {number} question */
  const select = (question, focus = false) => {
    current = question;
    fields().forEach((field, index) => field.classList.toggle("current", index === question));
    const field = fields()[question];
    if (!focus || !field) return;
    /** @type {HTMLElement} */
    const radio = field.querySelector("input:checked") || field.querySelector("input");
    radio.focus({ preventScroll: true });
    field.scrollIntoView({ block: "nearest" });
  };
  /**
   * @param {number} question
   * @param {string} mark
   */
  const answer = (question, mark) => {
    work.answers[work.at][question] = mark;
    showProgress();
    save(work.at);
  };
  /**
   * Answer the current question by the key of a choice, and go on to the next question.
   * @param {number} choice
   */
  const answerByKey = (choice) => {
    const radio = fields()[current].querySelectorAll("input")[choice];
    radio.checked = true;
    answer(current, radio.value);
    select(Math.min(current + 1, fields().length - 1), true);
  };

  /* --- showing ---------------------------------------------------------------------------------- */

  /**
   * @param {Question} question
   * @param {number} position of the question
   * @param {number} choice
   * @param {string} words
   */
  const makeChoice = (question, position, choice, words) => {
    const mark = (question.marks || usualMarks)[choice];
    const radio = make("input", {
      type: "radio",
      name: `${element.id}-${work.at}-${position}`,
      value: mark,
      onchange: () => answer(position, mark),
      onfocus: () => select(position),
    });
    radio.checked = work.answers[work.at][position] === mark;
    const letter = /[A-E]/.test(mark) ? `${mark}) ` : "";
    return make(
      "label",
      { class: "mark" },
      radio,
      make("kbd", { "aria-hidden": "true" }, choice + 1),
      make("span", {}, letter + words),
      question.judged === mark ? make("span", { class: "about" }, "judge") : null,
    );
  };
  /**
   * @param {Question} question
   * @param {number} position
   */
  const makeQuestion = (question, position) =>
    make(
      "fieldset",
      { class: "asks", onclick: () => select(position) },
      make("legend", {}, `${position + 1}. ${question.text}`),
      ...[...question.choices, CANNOT_TELL].map((words, choice) =>
        makeChoice(question, position, choice, words),
      ),
    );

  /** @param {number} position */
  const show = (position, focus = true) => {
    work.at = Math.min(Math.max(position, 0), work.items.length - 1);
    const item = work.items[work.at];
    const image = root.querySelector("img");
    image.src = item.picture;
    image.alt = `Picture ${item.name || item.id}`;
    find(".number").replaceChildren(`Picture ${item.name || item.id}`);
    find(".meant").replaceChildren(item.caption || "");
    find(".questions").replaceChildren(...item.questions.map(makeQuestion));
    find(".previous").toggleAttribute("disabled", work.at === 0);
    find(".next").toggleAttribute("disabled", work.at === work.items.length - 1);
    showProgress();
    select(Math.max(work.answers[work.at].indexOf(null), 0), focus);
  };
  const showPrevious = () => show(work.at - 1);
  const showNext = () => show(work.at + 1);
  /** Show the next picture that is not finished, around the end. */
  const showUnfinished = () => {
    const order = work.items.map((_, step) => (work.at + 1 + step) % work.items.length);
    const open = order.find((position) => !isFinished(position));
    if (open === undefined) say("All pictures are labelled.");
    else show(open);
  };

  const lay = () => {
    /**
     * @param {string} kind
     * @param {string} words
     * @param {string} key
     * @param {() => void} action
     */
    const button = (kind, words, key, action) =>
      make(
        "button",
        { type: "button", class: kind, "aria-keyshortcuts": key, onclick: action },
        words,
        make("kbd", { "aria-hidden": "true" }, key),
      );
    root.replaceChildren(
      make(
        "section",
        { class: "shown" },
        make("h2", { class: "number" }),
        make("p", { class: "meant" }),
        make("img", { draggable: "false" }),
        make(
          "div",
          { class: "moves" },
          button("previous", "Previous", "P", showPrevious),
          button("next", "Next", "N", showNext),
          button("onward", "Next unfinished", "U", showUnfinished),
        ),
        make(
          "p",
          { class: "tally" },
          make("progress", { max: work.items.length, "aria-label": "Labelled" }),
          make("span", { class: "done" }),
        ),
        make("p", { class: "told", role: "status" }),
      ),
      make("section", { class: "questions", "aria-label": "Questions" }),
    );
  };

  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.closest(TYPING);
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
    const isOutOfSight = !root.offsetParent;
    if (!work || isTyping || isShortcut || isOutOfSight) return;
    const action = { p: showPrevious, n: showNext, u: showUnfinished }[event.key.toLowerCase()];
    const field = fields()[current];
    const choices = field ? findAll(field, "input") : [];
    const choice = choices.findIndex((_, index) => event.key === String(index + 1));
    if (!action && choice < 0) return;
    event.preventDefault();
    if (action) action();
    else answerByKey(choice);
  });

  const refresh = () => {
    const next = JSON.stringify(props.value);
    if (next === arrived || !props.value || !Array.isArray(props.value.items)) return;
    arrived = next;
    work = JSON.parse(next);
    if (!work.items.length) {
      work = null;
      root.replaceChildren();
      return;
    }
    lay();
    show(work.at);
    element.dataset.ready = "true";
  };
  watch("value", refresh);
  refresh();
};
