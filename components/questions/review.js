// @ts-check
/* The review of a question set: cards of questions to edit, move, drop and add. The value is the
   sheet. Only a sheet with a new stamp is shown: what else comes back is an echo, and must not undo
   what was typed meanwhile. */
import { closest, findAll, make } from "../js/dom.js";
/** @import { Component } from "../js/types.js" */

/**
 * A question as it is edited.
 * @typedef {object} Row
 * @property {string} coi its composition of interest
 * @property {string} text
 * @property {string[]} choices
 * @property {string} gold the letter of the right answer
 * @property {string} origin
 * @property {unknown[]} regions
 * @property {Row | null} was the question before it was edited; null: it is new
 */
/** @typedef {{stamp: number, prompt: string, about: {source: string}, rows: Row[]}} Sheet */

const LETTERS = ["A", "B", "C", "D", "E"];
const NONE = "E"; // the letter of "none of the above", whose words are fixed
const PAUSE = 500; // milliseconds without typing before the server is asked for remarks

/**
 * @template Value
 * @param {Value} value
 * @returns {Value}
 */
const copy = (value) => JSON.parse(JSON.stringify(value));

/** @param {string} text */
const trimSpaces = (text) => text.split(/\s+/).filter(Boolean).join(" ");

/** @param {Row} row */
const contentOf = (row) =>
  JSON.stringify([row.coi, trimSpaces(row.text), row.choices.map(trimSpaces), row.gold]);

/** @param {HTMLElement} box a text area, which gets the height of its text */
const fitHeight = (box) => {
  box.style.height = "auto";
  box.style.height = `${box.scrollHeight + 2}px`;
};

/** @param {string[]} remarks */
const asItems = (remarks) => remarks.map((remark) => make("li", {}, remark));

/**
 * @param {string} kind
 * @param {string} words
 * @param {() => void} action
 */
const makeButton = (kind, words, action) =>
  make("button", { type: "button", class: kind, onclick: action }, words);

/** @param {Component} component */
export const mount = ({ element, props, server, watch }) => {
  /** @type {HTMLElement} */
  const root = element.querySelector(".review");
  /** @type {Sheet | null} */
  let sheet = null;
  /** @type {Sheet | null} */
  let previous = null; // what "Bring back" restores
  let serial = 0; // of the radio groups, whose names must differ
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;

  const cards = () => findAll(root, ".draft");
  /** @type {(selector: string) => HTMLElement} */
  const find = (selector) => root.querySelector(selector);

  /** @param {Row} row */
  const originOf = (row) => {
    if (!row.was) return props.by_hand;
    const origin = row.origin || "";
    const isMarked = origin === props.by_hand || origin.endsWith(props.edited);
    if (isMarked || contentOf(row) === contentOf(row.was)) return origin || sheet.about.source;
    return [origin || sheet.about.source, props.edited].filter(Boolean).join(", ");
  };

  /* --- the server ------------------------------------------------------------------------------- */

  const report = () => {
    props.value = copy(sheet);
  };
  const showRemarks = async () => {
    const before = JSON.stringify(sheet);
    let remarks;
    try {
      remarks = await server.remarks(copy(sheet));
    } catch {
      return; // one can review without remarks
    }
    if (before !== JSON.stringify(sheet)) return; // asked again after the next pause
    cards().forEach((card, index) => {
      const own = remarks.each[index] || [];
      card.querySelector(".remarks").replaceChildren(...asItems(own));
    });
    find(".remarks-of-all").replaceChildren(...asItems(remarks.all));
  };
  const changed = () => {
    report();
    clearTimeout(timer);
    timer = setTimeout(showRemarks, PAUSE);
  };

  /* --- cards ------------------------------------------------------------------------------------ */

  /**
   * @param {string} words
   * @param {Sheet | null} restorable the sheet that "Bring back" restores
   */
  const say = (words, restorable = null) => {
    previous = restorable;
    find(".told-last").replaceChildren(words);
    find(".bring-back").hidden = !restorable;
  };

  const number = () =>
    cards().forEach((card, index, all) => {
      const name = `question ${index + 1}`;
      const labels = {
        ".up": `Move ${name} up`,
        ".down": `Move ${name} down`,
        ".drop": `Delete ${name}`,
        select: `Composition of interest of ${name}`,
        ".text": `Text of ${name}`,
      };
      Object.entries(labels).forEach(([selector, words]) =>
        findAll(card, selector).forEach((node) => node.setAttribute("aria-label", words)),
      );
      card.querySelector(".number").textContent = String(index + 1);
      card.setAttribute("aria-label", `Question ${index + 1}`);
      card.querySelector(".up").setAttribute("aria-disabled", String(index === 0));
      card.querySelector(".down").setAttribute("aria-disabled", String(index === all.length - 1));
    });

  /**
   * Show the origin and the right answer of a question.
   * @param {Row} row
   * @param {HTMLElement} card
   */
  const mark = (row, card) => {
    card.querySelector(".origin").textContent = originOf(row);
    findAll(card, ".pick-one").forEach((choice) =>
      choice.classList.toggle("gold", choice.dataset.letter === row.gold),
    );
  };

  /**
   * @param {Row} row
   * @param {HTMLElement} card
   * @param {Partial<Row>} changes
   */
  const edit = (row, card, changes) => {
    Object.assign(row, changes);
    mark(row, card);
    changed();
  };

  /**
   * @param {Row} row
   * @param {HTMLElement} card
   * @param {number} step
   * @param {HTMLElement | null} focus
   */
  const move = (row, card, step, focus = null) => {
    const from = sheet.rows.indexOf(row);
    const to = from + step;
    if (to < 0 || to >= sheet.rows.length) return;
    sheet.rows.splice(from, 1);
    sheet.rows.splice(to, 0, row);
    const list = find(".sheet");
    list.insertBefore(card, step < 0 ? list.children[to] : list.children[to + 1]);
    number();
    /** @type {HTMLElement} */
    const button = card.querySelector(step < 0 ? ".up" : ".down");
    (focus || button).focus();
    card.scrollIntoView({ block: "nearest" });
    say(`Question ${from + 1} is now question ${to + 1}.`);
    changed();
  };

  /**
   * @param {Row} row
   * @param {HTMLElement} card
   */
  const drop = (row, card) => {
    const index = sheet.rows.indexOf(row);
    const before = copy(sheet);
    sheet.rows.splice(index, 1);
    card.remove();
    number();
    say(`Question ${index + 1} is dropped.`, before);
    const next = cards()[Math.min(index, cards().length - 1)];
    /** @type {HTMLElement} */
    const button = next ? next.querySelector(".drop") : find(".add");
    button.focus();
    changed();
  };

  /**
   * @param {Row} row
   * @param {HTMLElement} card
   * @param {number} index
   * @param {string} name of the radio group
   */
  const makeChoice = (row, card, index, name) => {
    const letter = LETTERS[index];
    const radio = make("input", {
      type: "radio",
      name,
      value: letter,
      "aria-label": `${letter} is the right answer`,
      onchange: () => edit(row, card, { gold: letter }),
    });
    radio.checked = row.gold === letter;
    return make(
      "div",
      { class: "pick-one", "data-letter": letter },
      make(
        "label",
        { class: "mark", title: "Mark as the right answer" },
        radio,
        make("span", { class: "letter" }, letter),
      ),
      letter === NONE
        ? make("span", { class: "fixed" }, props.none)
        : makeChoiceText(row, card, index),
    );
  };

  /**
   * @param {Row} row
   * @param {HTMLElement} card
   * @param {number} index
   */
  const makeChoiceText = (row, card, index) => {
    const box = make("input", {
      type: "text",
      "aria-label": `Choice ${LETTERS[index]}`,
      maxlength: 1000,
      oninput: () =>
        edit(row, card, { choices: Object.assign([...row.choices], { [index]: box.value }) }),
    });
    box.value = row.choices[index] || "";
    return box;
  };

  /**
   * @param {Row} row
   * @param {HTMLElement} card
   */
  const makeHead = (row, card) => {
    const select = make(
      "select",
      { class: "coi", onchange: () => edit(row, card, { coi: select.value }) },
      row.coi ? null : make("option", { value: "" }, "composition of interest"),
      ...props.cois.map((/** @type {string} */ coi) => make("option", { value: coi }, coi)),
    );
    select.value = row.coi;
    return make(
      "div",
      { class: "draft-head" },
      make("span", { class: "number", "aria-hidden": "true" }),
      select,
      make("span", { class: "origin" }),
      make(
        "span",
        { class: "moves" },
        makeButton("up", "Up", () => move(row, card, -1)),
        makeButton("down", "Down", () => move(row, card, 1)),
        makeButton("drop", "Delete", () => drop(row, card)),
      ),
    );
  };

  /** @param {Row} row */
  const makeCard = (row) => {
    serial += 1;
    const name = `gold-${element.id || "review"}-${serial}`;
    const card = make("li", { class: "draft", role: "group" });
    const text = make("textarea", {
      class: "text",
      rows: 1,
      maxlength: 2000,
      placeholder: "What is to be seen in the image?",
      oninput: () => {
        fitHeight(text);
        edit(row, card, { text: text.value });
      },
    });
    text.value = row.text;
    card.append(
      makeHead(row, card),
      text,
      make(
        "div",
        { class: "pick-row", role: "radiogroup", "aria-label": "Choices; mark the right one" },
        ...LETTERS.map((_, index) => makeChoice(row, card, index, name)),
      ),
      make("ul", { class: "remarks" }),
    );
    card.addEventListener("keydown", (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (!step || !event.altKey) return;
      event.preventDefault();
      move(row, card, step, closest(event, "*"));
    });
    mark(row, card);
    return card;
  };

  const add = () => {
    /** @type {Row} */
    const row = {
      coi: "",
      text: "",
      choices: ["", "", "", ""],
      gold: "",
      origin: "",
      regions: [],
      was: null,
    };
    sheet.rows.push(row);
    const card = makeCard(row);
    find(".sheet").append(card);
    number();
    say(`Question ${sheet.rows.length} is added.`);
    /** @type {HTMLElement} */
    const text = card.querySelector(".text");
    text.focus();
    changed();
  };

  /* --- the sheet -------------------------------------------------------------------------------- */

  /** @param {Sheet} next */
  const show = (next) => {
    sheet = copy(next);
    const prompt = make("input", {
      type: "text",
      maxlength: 4000,
      placeholder: "What the image should show",
      oninput: () => {
        sheet.prompt = prompt.value;
        changed();
      },
    });
    prompt.value = sheet.prompt;
    const bringBack = makeButton("bring-back", "Bring back", restore);
    bringBack.hidden = true;
    root.replaceChildren(
      make("label", { class: "for-prompt" }, make("span", {}, "For the prompt"), prompt),
      make("ul", { class: "remarks remarks-of-all" }),
      make("ol", { class: "sheet", "aria-label": "Questions" }, ...sheet.rows.map(makeCard)),
      make(
        "div",
        { class: "review-foot" },
        makeButton("add", "Add a question", add),
        make("span", { class: "told-last", role: "status" }),
        bringBack,
      ),
    );
    number();
    fitHeights();
    showRemarks();
  };

  const fitHeights = () => cards().forEach((card) => fitHeight(card.querySelector(".text")));

  const restore = () => {
    const replaced = copy(sheet);
    show(previous);
    report();
    say("Brought back.", replaced);
    const [first] = cards();
    /** @type {HTMLElement} */
    const focus = first ? first.querySelector(".text") : find(".add");
    focus.focus();
  };

  const refresh = () => {
    /** @type {Sheet} */
    const next = props.value;
    if (!next || !Array.isArray(next.rows)) return;
    if (sheet && next.stamp === sheet.stamp) {
      if (JSON.stringify(next) !== JSON.stringify(sheet)) report(); // a late echo
      return;
    }
    const replaced = sheet;
    show(next);
    // opened from the list below
    if (replaced && element.getBoundingClientRect().top < 0) element.scrollIntoView();
    if (replaced && replaced.rows.length) say("Other questions stood here.", copy(replaced));
  };

  watch("value", refresh);
  refresh();
  // The width is known only once the tab is open, and changes with the window.
  let width = 0;
  new ResizeObserver(() => {
    if (element.clientWidth !== width) fitHeights();
    width = element.clientWidth;
  }).observe(element);
  element.dataset.ready = "true";
};
