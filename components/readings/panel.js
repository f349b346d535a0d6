// @ts-check
/* What a prompt asks for: chips and the words of the prompt light up together, and a chip opens the
   form in which it is corrected. Every correction is sent to the server at once. */
import { closest, findAll, make } from "../js/dom.js";
import { ask } from "../js/server.js";
import { recall } from "../js/storage.js";
import { AUTHOR, makeForm } from "./form.js";
/** @import { Component } from "../js/types.js" */
/** @import { Chip, Edit, Reading } from "./form.js" */

/** @typedef {{author: string, reading: Reading | null, prompt: string}} Undo the correction of an author as it was, null: there was none */

const PAUSE = 500; // milliseconds without typing before the prompt is read
const CHANGED = "hallascope:reading"; // an event that names the prompt whose reading was corrected
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

/** @param {HTMLElement} node */
const keysOf = (node) => /** @type {string[]} */ (JSON.parse(node.dataset.keys));

/** @param {Component} component */
export const mount = ({ element, props, server, watch }) => {
  /** @type {HTMLElement} */
  const root = element.querySelector(".asked-place");
  const place = make("div", { class: "asked-shown" });
  const told = make("span", { class: "asked-told", role: "status" });
  const undoButton = make("button", { type: "button", class: "asked-link", hidden: true }, "Undo");
  root.append(place, make("p", { class: "asked-foot" }, told, undoButton));
  /** @type {Reading | null} */
  let reading = null;
  /** @type {Undo[]} */
  let undos = [];
  let prompt = ""; // the one that is shown or asked for
  let requests = 0; // what comes for an earlier one is too late
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;

  const chips = () => findAll(place, ".asked-chip");
  const isFormOpen = () => place.querySelector(".asked-form") !== null;

  /* --- showing ---------------------------------------------------------------------------------- */

  const say = (/** @type {string} */ words, isWrong = false) => {
    told.replaceChildren(words);
    told.classList.toggle("wrong", isWrong);
    undoButton.hidden = !undos.length;
  };

  /** @param {{html: string, reading: Reading}} view */
  const show = (view) => {
    place.innerHTML = view.html; // escaped where Python builds it
    reading = view.reading;
    findAll(place, ".words .word[role]").forEach((word, index) => {
      word.tabIndex = index ? -1 : 0;
    });
  };

  const read = async () => {
    requests += 1;
    const request = requests;
    if (!prompt) {
      place.replaceChildren();
      reading = null;
      say("");
      return;
    }
    place.setAttribute("aria-busy", "true");
    const view = await ask(server, "read", { prompt });
    if (request !== requests) return;
    place.removeAttribute("aria-busy");
    if (view.wrong) {
      place.replaceChildren();
      reading = null;
      say(view.wrong, true);
      return;
    }
    show(view);
    say("");
  };

  /* --- words and chips -------------------------------------------------------------------------- */

  /** @param {HTMLElement | null} node */
  const lightUp = (node) => {
    const keys = node ? keysOf(node) : [];
    findAll(place, "[data-keys]").forEach((other) =>
      other.classList.toggle(
        "near",
        keysOf(other).some((key) => keys.includes(key)),
      ),
    );
  };

  /**
   * Move from one word or chip to another by arrow keys; each group is one stop of the Tab key.
   * @param {HTMLElement} node
   * @param {number} step
   */
  const moveOn = (node, step) => {
    const isChip = node.matches(".asked-chip");
    const group = isChip ? chips() : findAll(place, ".words .word[role]");
    const next = group[(group.indexOf(node) + step + group.length) % group.length];
    group.forEach((other) => {
      other.tabIndex = other === next ? 0 : -1;
    });
    next.focus();
  };

  /** @param {HTMLElement} word */
  const goToChip = (word) => {
    const [key] = keysOf(word);
    const chip = chips().find((other) => keysOf(other).includes(key));
    chip.focus();
  };

  /* --- correcting ------------------------------------------------------------------------------- */

  const closeForm = () => {
    place.querySelector(".asked-form")?.remove();
    chips().forEach((chip) => chip.setAttribute("aria-expanded", "false"));
  };

  /**
   * Show what came of a change, with the focus where the change was.
   * @param {{html: string, reading: Reading}} view
   * @param {string} words
   * @param {number} at the place of the chip
   */
  const showChange = (view, words, at) => {
    requests += 1; // what is still to come was read before
    show(view);
    say(words);
    const focus = chips()[Math.min(at, chips().length - 1)] || place.querySelector("[data-add]");
    focus.focus();
    document.dispatchEvent(new CustomEvent(CHANGED, { detail: { source: element, prompt } }));
  };

  /**
   * Keep an edit as an author's. Return the sentence that says why it cannot be kept, or "".
   * @param {string} author
   * @param {Edit | null} edit null: it is right as it stands
   * @param {number} at the place of the chip that is corrected
   */
  const save = async (author, edit, at) => {
    const before = reading;
    const view = await ask(server, "save", { author, reading: before, edit });
    if (view.wrong) return view.wrong;
    const kept = view.reading;
    const isOwn = before.source === "person" && before.author === kept.author;
    undos.push({ author: kept.author, reading: isOwn ? before : null, prompt });
    showChange(view, "Saved. It is used from the next run on.", at);
    return "";
  };

  const confirm = async () => {
    const wrong = await save(recall(AUTHOR) || "Anonymous", null, 0);
    if (wrong) say(wrong, true);
  };

  const removeCorrection = async () => {
    const before = reading;
    const view = await ask(server, "remove", { author: before.author, prompt });
    if (view.wrong) {
      say(view.wrong, true);
      return;
    }
    undos.push({ author: before.author, reading: before, prompt });
    showChange(view, "The correction is removed.", 0);
  };

  const undo = async () => {
    const last = undos[undos.length - 1];
    const view = last.reading
      ? await ask(server, "save", { author: last.author, reading: last.reading, edit: null })
      : await ask(server, "remove", { author: last.author, prompt: last.prompt });
    if (view.wrong) {
      say(view.wrong, true);
      return;
    }
    undos.pop();
    showChange(view, "Undone.", 0);
  };

  /**
   * Open the form of a chip beneath its line, or that of a new thing at the end.
   * @param {Chip} chip
   * @param {HTMLElement} button
   */
  const openForm = (chip, button) => {
    closeForm();
    const index = chips().indexOf(button);
    const at = index < 0 ? chips().length : index;
    const form = makeForm({
      chip,
      reading,
      relations: props.relations,
      save: (author, edit) => save(author, edit, at),
      cancel: () => {
        closeForm();
        button.focus();
      },
    });
    button.setAttribute("aria-expanded", "true");
    (button.closest("li") || button.closest("p")).append(form.node);
    form.focus();
  };

  /* --- events ----------------------------------------------------------------------------------- */

  place.addEventListener("click", (event) => {
    const button = closest(event, "button");
    const word = closest(event, ".words .word[role]");
    if (word) goToChip(word);
    if (!button) return;
    const { chip, add } = button.dataset;
    if (chip) openForm(JSON.parse(chip), button);
    else if (add) openForm({ element: add, item: "", words: "" }, button);
    else if (button.dataset.do === "remove") removeCorrection();
    else if (button.dataset.do === "confirm") confirm();
  });
  place.addEventListener("keydown", (event) => {
    const node = closest(event, "[data-keys]");
    if (!node || node !== event.target || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    const isPress = event.key === "Enter" || event.key === " ";
    if (step) moveOn(node, step);
    else if (isPress && !node.matches("button")) goToChip(node);
    else return;
    event.preventDefault();
  });
  ["mouseover", "focusin"].forEach((type) =>
    place.addEventListener(type, (event) => lightUp(closest(event, "[data-keys]"))),
  );
  ["mouseleave", "focusout"].forEach((type) => place.addEventListener(type, () => lightUp(null)));
  undoButton.addEventListener("click", undo);
  document.addEventListener(CHANGED, (event) => {
    const { detail } = /** @type {CustomEvent<{source: HTMLElement, prompt: string}>} */ (event);
    if (detail.source !== element && detail.prompt === prompt && !isFormOpen()) read();
  });

  const refresh = () => {
    const next = String(props.value || "")
      .split(/\s+/)
      .filter(Boolean)
      .join(" ");
    if (next === prompt) return;
    const isFirst = prompt === "";
    prompt = next;
    undos = [];
    clearTimeout(timer);
    timer = setTimeout(read, isFirst && next.length < 2 ? 0 : PAUSE);
  };
  watch("value", refresh);
  refresh();
  element.dataset.ready = "true";
};
