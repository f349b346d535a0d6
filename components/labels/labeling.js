// @ts-check
/* Labeling: one image, its questions, an answer by a key. Answers are sent one after the other, so
   that the last line of an image is its newest. The work is either a list of images, whose answers
   are saved one by one, or a queue: there an image is saved once all is answered or it is skipped,
   and the server says what comes next. */
import { closest, findAll, make } from "../js/dom.js";
import { ask } from "../js/server.js";
import { readChoice, readCommand } from "./labeling_keys.js";
/** @import { Component } from "../js/types.js" */

/**
 * @typedef {object} Question
 * @property {string} text
 * @property {string[]} choices
 * @property {string[] | null} marks of the choices, where they are other ones than the usual
 * @property {string | null} judged the mark that the judge gave
 */
/**
 * @typedef {object} Item
 * @property {string} id
 * @property {string} name
 * @property {string} picture
 * @property {string} [caption]
 * @property {string} [why] why it comes now, where the person may know
 * @property {Question[]} questions
 * @property {Reference[]} [references] what the image is held against
 */
/**
 * @typedef {object} Reference
 * @property {string} name
 * @property {string} picture
 */
/**
 * @typedef {object} Tally
 * @property {number} done images that this person labeled or skipped
 * @property {number} left images that are left for them
 */
/**
 * @typedef {object} Work
 * @property {Item[]} items
 * @property {(string | null)[][]} answers the marks, by image and question
 * @property {number} at the image that is shown
 * @property {unknown} who
 * @property {Set<number>} unsaved positions of images whose answers are not stored yet
 * @property {Map<number, Set<number>>} removed by position the questions whose stored answer is
 *   taken back
 * @property {Tally} [queue] of a queue alone
 * @property {string[]} [soon] images of a queue that may come next
 */
/**
 * What the server says of a queue.
 * @typedef {object} Step
 * @property {string} [wrong] why nothing was kept
 * @property {Item | null} item what comes next, or what was taken back
 * @property {Tally} queue
 * @property {string[]} soon
 */
/** @typedef {{position: number, question: number, before: string | null}} Change */

const CANNOT_TELL = "Cannot tell";
const ALL_DONE = "All images are labeled.";
/** @type {HTMLElement | null} */
let activeDesk = null; // the one that keys go to, where a page has several
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
  /** @type {Change[]} */
  let changes = []; // the newest is last
  /** @type {Map<string, HTMLImageElement>} */
  let preloaded = new Map(); // by address, images that may be shown next
  let isWaiting = false; // for what comes next in a queue

  /** @type {(selector: string) => HTMLElement} */
  const find = (selector) => root.querySelector(selector);
  const fields = () => findAll(root, ".asks");
  /** @param {number} position */
  const isFinished = (position) => work.answers[position].every((mark) => mark !== null);
  const say = (/** @type {string} */ words, isWrong = false) => {
    find(".told").replaceChildren(words);
    find(".told").classList.toggle("wrong", isWrong);
  };

  /* --- saving a list ---------------------------------------------------------------------------- */

  /**
   * @param {Work} own the list of the image, which may not be shown any more
   * @param {number} position
   */
  const send = async (own, position) => {
    const answers = [...own.answers[position]];
    const taken = [...(own.removed.get(position) || [])];
    const request = { id: own.items[position].id, answers, removed: taken, who: own.who };
    const reply = await ask(server, "save", request);
    if (reply.wrong) {
      const words = own === work ? " It is tried again with the next answer." : "";
      say(`Not saved: ${reply.wrong}${words}`, true);
      return;
    }
    taken.forEach((question) => own.removed.get(position).delete(question));
    if (JSON.stringify(answers) === JSON.stringify(own.answers[position])) {
      own.unsaved.delete(position);
    }
    if (own !== work || own.unsaved.size) return;
    say(findUnfinished() < 0 ? `Saved. ${ALL_DONE}` : "Saved.");
  };
  /** @param {number} position */
  const save = (position) => {
    const own = work;
    own.unsaved.add(position);
    say("Saving …");
    sending = sending.then(async () => {
      for (const waiting of [...own.unsaved]) await send(own, waiting);
    });
  };
  window.addEventListener("beforeunload", (event) => {
    if (work?.unsaved.size) event.preventDefault();
  });

  /* --- saving a queue --------------------------------------------------------------------------- */

  /**
   * Tell the server what was done with an image, and show what it says comes next.
   * @param {"keep" | "skip" | "undo"} action
   * @param {number} position
   */
  const step = async (action, position) => {
    const own = work;
    isWaiting = true;
    const mustStay = action === "keep" || own.unsaved.has(position); // where nothing is kept
    own.unsaved.add(position);
    say("Saving …");
    const { id } = own.items[position];
    const request = { action, id, answers: own.answers[position], who: own.who };
    /** @type {Step} */
    const reply = await ask(server, "step", request);
    isWaiting = false;
    if (!reply.wrong || !mustStay) own.unsaved.delete(position);
    if (own !== work) return;
    if (reply.wrong) {
      const isUndo = action === "undo";
      say(isUndo ? reply.wrong : `Not saved: ${reply.wrong} Press the key again.`, true);
      return;
    }
    work.queue = reply.queue;
    preload(reply.soon);
    if (action === "undo") reopen(reply.item);
    else open(reply.item);
    void showForecast();
  };
  /**
   * Show the item that comes next, or that there is none.
   * @param {Item | null} item
   */
  const open = (item) => {
    show(item ? positionOf(item) : work.at);
    say(item ? "Saved." : ALL_DONE);
  };
  /**
   * Show an image that was taken back, without its last answer.
   * @param {Item} item
   */
  const reopen = (item) => {
    const position = positionOf(item);
    const answers = work.answers[position];
    answers[answers.length - 1] = null;
    changes = [];
    answers.forEach((mark, question) => {
      if (mark !== null) changes.push({ position, question, before: null });
    });
    show(position);
    say("Taken back.");
  };
  /**
   * Return the position of an item, which is added where it is not known yet.
   * @param {Item} item
   */
  const positionOf = (item) => {
    const known = work.items.findIndex((other) => other.id === item.id);
    if (known >= 0) return known;
    work.answers.push(Array(item.questions.length).fill(null));
    return work.items.push(item) - 1;
  };
  /** @param {string[]} addresses */
  const preload = (addresses) => {
    const images = addresses.map((address) => [address, findImage(address)]);
    preloaded = new Map(/** @type {[string, HTMLImageElement][]} */ (images));
  };
  /** @param {string} address */
  const findImage = (address) =>
    preloaded.get(address) || make("img", { src: address, draggable: "false" });
  /** Show how sure the result is by now; the next image does not wait for it. */
  const showForecast = async () => {
    if (!server.forecast) return;
    const reply = await ask(server, "forecast", work.who);
    find(".forecast").replaceChildren(reply.wrong || reply.words);
  };

  /* --- answering -------------------------------------------------------------------------------- */

  const showProgress = () => {
    const bar = root.querySelector("progress");
    if (work.queue) {
      bar.max = work.queue.done + work.queue.left;
      bar.value = work.queue.done;
      find(".done").replaceChildren(`${work.queue.done} labeled, ${work.queue.left} left`);
      return;
    }
    const done = work.items.filter((_, position) => isFinished(position)).length;
    bar.max = work.items.length;
    bar.value = done;
    find(".done").replaceChildren(`${done} of ${work.items.length} labeled`);
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
   * Set an answer, and go on to the next question; after the last, to the next image.
   * @param {number} question
   * @param {string} mark
   */
  const answer = (question, mark) => {
    if (isWaiting) return;
    const wasFinished = isFinished(work.at);
    const answers = work.answers[work.at];
    changes.push({ position: work.at, question, before: answers[question] });
    answers[question] = mark;
    work.removed.get(work.at)?.delete(question);
    showProgress();
    const isNowFinished = isFinished(work.at);
    if (work.queue && isNowFinished) void step("keep", work.at);
    if (!work.queue) save(work.at);
    if (isNowFinished && !wasFinished && !work.queue) showUnfinished();
    else select(nextQuestion(question), true);
  };
  /** @param {number} question */
  const nextQuestion = (question) => {
    const open = work.answers[work.at].indexOf(null, question);
    return open < 0 ? Math.min(question + 1, fields().length - 1) : open;
  };
  /** @param {number} choice */
  const answerByKey = (choice) => {
    const radio = fields()[current].querySelectorAll("input")[choice];
    radio.checked = true;
    answer(current, radio.value);
  };
  const skip = () => {
    if (work.queue && !isWaiting) void step("skip", work.at);
  };
  /** Take back the last answer, or in a queue the last image where this one has no answer yet. */
  const undo = () => {
    if (isWaiting) return;
    const change = changes.at(-1);
    const isStored = isFinished(work.at) && !work.unsaved.has(work.at);
    const isOfThisImage = change && change.position === work.at && !isStored;
    if (work.queue && !isOfThisImage) {
      void step("undo", work.at);
      return;
    }
    if (!change) {
      say("There is nothing to take back.");
      return;
    }
    changes.pop();
    takeBack(change);
  };
  /** @param {Change} change */
  const takeBack = ({ position, question, before }) => {
    work.answers[position][question] = before;
    if (work.queue) {
      if (!isFinished(position)) work.unsaved.delete(position);
    } else {
      if (before === null)
        work.removed.set(position, (work.removed.get(position) || new Set()).add(question));
      save(position);
    }
    show(position);
    select(question, true);
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

  /** @param {Reference} reference */
  const makeReference = (reference) =>
    make(
      "figure",
      {},
      make("img", { src: reference.picture, alt: `Reference image of ${reference.name}` }),
      make("figcaption", {}, `Reference: ${reference.name}`),
    );

  /** @param {number} position */
  const show = (position, focus = true) => {
    work.at = Math.min(Math.max(position, 0), work.items.length - 1);
    const item = work.items[work.at];
    const name = `Image ${item.name}`;
    // another element: an old one shows the last image until the next one is there
    const image = findImage(item.picture);
    image.alt = name;
    find("img").replaceWith(image);
    find(".number").replaceChildren(name);
    find(".meant").replaceChildren(item.caption || "");
    find(".why").replaceChildren(item.why ? `Next because: ${item.why}` : "");
    find(".references").replaceChildren(...(item.references || []).map(makeReference));
    find(".questions").replaceChildren(...item.questions.map(makeQuestion));
    find(".previous").toggleAttribute("disabled", work.at === 0);
    find(".next").toggleAttribute("disabled", work.at === work.items.length - 1);
    if (!work.queue) {
      preload(work.items.slice(work.at + 1, work.at + 3).map((next) => next.picture));
    }
    showProgress();
    select(Math.max(work.answers[work.at].indexOf(null), 0), focus);
  };
  const showPrevious = () => show(work.at - 1);
  const showNext = () => show(work.at + 1);
  /** Return the position of the next image that is not finished, around the end, or -1. */
  const findUnfinished = () => {
    const order = work.items.map((_, offset) => (work.at + 1 + offset) % work.items.length);
    return order.find((position) => !isFinished(position)) ?? -1;
  };
  const showUnfinished = () => {
    const open = findUnfinished();
    if (open < 0) say(ALL_DONE);
    else show(open);
  };
  const selectAbove = () => select(Math.max(current - 1, 0), true);
  const selectBelow = () => select(Math.min(current + 1, fields().length - 1), true);
  const showKeys = () => find(".keys").toggleAttribute("open");

  /** @type {Record<string, () => void>} */
  const actions = {
    previous: showPrevious,
    next: showNext,
    up: selectAbove,
    down: selectBelow,
    unfinished: showUnfinished,
    skip,
    undo,
    help: showKeys,
  };
  root.addEventListener("click", (event) => {
    const button = closest(event, "[data-command]");
    if (button) actions[button.dataset.command]();
  });
  root.addEventListener("focusin", () => {
    activeDesk = root;
  });
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target instanceof Element && event.target.closest(TYPING);
    const isShortcut = event.ctrlKey || event.metaKey || event.altKey;
    const isOutOfSight = !root.offsetParent || activeDesk !== root;
    if (!work || isTyping || isShortcut || isOutOfSight) return;
    const field = fields()[current];
    const choice = readChoice(event);
    const command = readCommand(event);
    const isAnswer = !command && choice >= 0 && choice < findAll(field, "input").length;
    if (!command && !isAnswer) return;
    event.preventDefault();
    // a key that is held answers once, and none answers an image that is not there yet
    if (event.repeat && (isAnswer || command === "skip" || command === "undo")) return;
    if (command) actions[command]();
    else if (!isWaiting) answerByKey(choice);
  });

  const markPage = () => {
    const isOpen = document.querySelector(".desk fieldset") !== null;
    const isForRaters = document.querySelector("#rater-header") !== null;
    document.documentElement.classList.toggle("with-desk", isOpen);
    document.documentElement.classList.toggle("for-raters", isForRaters);
  };

  const refresh = () => {
    const next = JSON.stringify(props.value);
    if (next === arrived || !props.value || !Array.isArray(props.value.items)) return;
    arrived = next;
    work = { ...JSON.parse(next), unsaved: new Set(), removed: new Map() };
    changes = [];
    if (!work.items.length) {
      work = null;
      root.hidden = true;
      find(".questions").replaceChildren();
      markPage();
      return;
    }
    activeDesk = root;
    root.hidden = false;
    find(".forecast").replaceChildren();
    const choices = Math.max(...work.items[0].questions.map((each) => each.choices.length));
    find(".keys .last").textContent = String(choices + 1);
    preload(work.soon || []);
    show(work.at);
    markPage();
    if (work.queue) void showForecast();
    element.dataset.ready = "true";
  };
  watch("value", refresh);
  markPage();
  refresh();
};
