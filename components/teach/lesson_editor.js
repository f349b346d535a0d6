// @ts-check
/* The editor of a teacher: exercises are added to a list, put in order, and become a link or a page. */
import { makeWholeNumber } from "../html/fields/number_field.js";
import { readAddress } from "../js/address.js";
import { make, saveFile } from "../js/dom.js";
import { ask } from "../js/server.js";
import { CHANGED, readDraft, writeDraft } from "./class_set.js";
/** @import { Component } from "../js/types.js" */
/** @import { Entry } from "./class_set.js" */

/** @type {Record<string, string>} */
const TITLES = { level: "Level", coi: "Composition", category: "Category" };

/**
 * @param {string} words
 * @param {HTMLElement} control
 */
const labeled = (words, control) => make("label", {}, make("span", {}, words), control);

/**
 * @param {string} kind
 * @param {string} words
 * @param {() => void} action
 */
const button = (kind, words, action) =>
  make("button", { type: "button", class: kind, onclick: action }, words);

/**
 * @param {HTMLSelectElement} select
 * @param {Entry[]} entries
 * @param {string} nothing what stands there where there are none
 */
const fillOptions = (select, entries, nothing) => {
  const shown = entries.length ? entries : [{ words: nothing, item: null }];
  select.replaceChildren(
    ...shown.map((entry) => make("option", { value: JSON.stringify(entry) }, entry.words)),
  );
};

/**
 * @param {HTMLSelectElement} select
 * @returns {Entry | null}
 */
const chosenEntry = (select) => {
  /** @type {Entry | null} */
  const entry = select.value ? JSON.parse(select.value) : null;
  return entry && entry.item ? entry : null;
};

/** @param {Record<string, string>} query */
const linkTo = (query) => `${location.origin}${location.pathname}?${new URLSearchParams(query)}`;

/** @param {Component} component */
export const mount = ({ element, props, server }) => {
  /** @type {HTMLElement} */
  const root = element.querySelector(".bench");
  /** @type {{sorts: Record<string, [string, string][]>, prompts: string[]}} */
  const known = props.known;
  /** @type {Entry[]} */
  let entries = [];
  /** @type {{token: string, key: string} | null} */
  let lesson = null; // as it was made from the list; null: the list has changed since

  /**
   * @param {string} selector
   * @returns {HTMLElement}
   */
  const find = (selector) => root.querySelector(selector);
  const say = (/** @type {string} */ words, isWrong = false) => {
    find(".told").replaceChildren(words);
    find(".told").classList.toggle("wrong", isWrong);
  };
  /**
   * Ask the server; what went wrong is said, and null is returned.
   * @param {string} name
   * @param {unknown} request
   */
  const askOrSay = async (name, request) => {
    const reply = await ask(server, name, request);
    if (!reply.wrong) return reply;
    say(reply.wrong, true);
    return null;
  };

  /* --- the list --------------------------------------------------------------------------------- */

  /**
   * @param {number} from
   * @param {number | null} to null: the exercise is removed
   */
  const move = (from, to) => {
    const [entry] = entries.splice(from, 1);
    if (to !== null) entries.splice(to, 0, entry);
    listChanged();
    const position = Math.min(to ?? from, entries.length - 1);
    /** @type {HTMLElement | null} */
    const focus = find(".chosen-items").children[position]?.querySelector("button:not(:disabled)");
    focus?.focus();
  };
  /**
   * @param {Entry} entry
   * @param {number} position
   */
  const makeEntry = (entry, position) => {
    /**
     * @param {string} words
     * @param {number | null} to
     * @param {boolean} disabled
     */
    const step = (words, to, disabled) =>
      make(
        "button",
        {
          type: "button",
          disabled,
          "aria-label": `${words}: ${entry.words}`,
          onclick: () => move(position, to),
        },
        words,
      );
    return make(
      "li",
      {},
      make("span", {}, entry.words),
      make(
        "span",
        { class: "row-moves" },
        step("Up", position - 1, position === 0),
        step("Down", position + 1, position === entries.length - 1),
        step("Remove", null, false),
      ),
    );
  };
  const forgetLesson = () => {
    lesson = null;
    find(".made").hidden = true;
  };
  const listChanged = () => {
    writeDraft(entries);
    forgetLesson();
    find(".chosen-items").replaceChildren(...entries.map(makeEntry));
    find(".none-yet").hidden = entries.length > 0;
    find(".finish").toggleAttribute("disabled", entries.length === 0);
  };
  /** @param {Entry[]} added */
  const add = (added) => {
    entries = [...entries, ...added];
    listChanged();
    say(added.length === 1 ? `Added: ${added[0].words}` : `${added.length} exercises added.`);
  };

  /* --- what can be added ------------------------------------------------------------------------ */

  const makeDrawing = () => {
    const list = `${element.id}-prompts`;
    const faults = make(
      "select",
      { class: "faults" },
      make("option", { value: "" }, "name a prompt first"),
    );
    const seed = makeWholeNumber("Seed", 0, 999999, 0, "seed");
    const listFaults = async () => {
      const reply = await askOrSay("faults", { prompt: prompt.value });
      if (!reply) return;
      fillOptions(faults, reply.found, "nothing can be wrong in it");
      say("");
    };
    const prompt = make("input", { type: "text", class: "prompt", list, onchange: listFaults });
    const addDrawing = () => {
      const fault = seed.findFault("seed");
      if (fault) {
        say(fault, true);
        return;
      }
      const entry = chosenEntry(faults);
      if (!entry) {
        say("Name a prompt that Primer draws first, then what is wrong in it.", true);
        return;
      }
      const number = Number(seed.box.value);
      const words = `${entry.item[0]}: ${entry.words}`;
      add([{ item: [...entry.item.slice(0, 3), number], words }]);
    };
    return make(
      "fieldset",
      {},
      make("legend", {}, "A drawing"),
      make("datalist", { id: list }, ...known.prompts.map((value) => make("option", { value }))),
      labeled("It is to show", prompt),
      labeled("What is wrong", faults),
      seed.field,
      button("add-drawing", "Add", addDrawing),
    );
  };

  const makeSample = () => {
    const number = makeWholeNumber("How many", 1, 40, 5, "number");
    const selects = Object.entries(known.sorts).map(([name, options]) =>
      make(
        "select",
        { name },
        ...options.map(([value, words]) => make("option", { value }, words)),
      ),
    );
    const addSample = async () => {
      const fault = number.findFault("number of exercises");
      if (fault) {
        say(fault, true);
        return;
      }
      const sorts = Object.fromEntries(selects.map(({ name, value }) => [name, value]));
      const reply = await askOrSay("chance", { number: Number(number.box.value), ...sorts });
      if (reply) add(reply.found);
    };
    return make(
      "fieldset",
      {},
      make("legend", {}, "By chance"),
      number.field,
      ...selects.map((select) => labeled(TITLES[select.name], select)),
      button("add-chance", "Add", addSample),
    );
  };

  const makeRunPicture = () => {
    const faults = make(
      "select",
      { class: "wrongs" },
      make("option", { value: "" }, "name a run first"),
    );
    const listFaults = async () => {
      const reply = await askOrSay("wrongs", { run: run.value });
      if (!reply) return;
      fillOptions(faults, reply.found, "nothing in it is known to be wrong");
      say("");
    };
    const run = make("input", {
      type: "text",
      class: "run",
      value: readAddress().get("run") || "",
      onchange: listFaults,
    });
    const addPicture = () => {
      const entry = chosenEntry(faults);
      if (entry) add([entry]);
      else say("Look for what is wrong in the run first, then choose.", true);
    };
    return make(
      "fieldset",
      {},
      make("legend", {}, "An image of a run"),
      labeled("Run", run),
      button("look-run", "Show", listFaults),
      labeled("What is wrong, and in which image", faults),
      button("add-run", "Add", addPicture),
    );
  };

  /* --- the link, the page, the class ------------------------------------------------------------ */

  /**
   * @param {string} words
   * @param {string} url
   * @param {string} kind
   */
  const makeLink = (words, url, kind) => {
    const field = make("input", { type: "text", readonly: true, class: kind, value: url });
    field.addEventListener("focus", () => field.select());
    const copy = async () => {
      field.select();
      try {
        await navigator.clipboard.writeText(url);
        say("Copied.");
      } catch {
        say("Copy what is marked by hand: this browser does not let a page do it.");
      }
    };
    return make(
      "div",
      { class: "linked" },
      labeled(words, field),
      make("button", { type: "button", onclick: copy }, "Copy"),
    );
  };
  const askAnswers = () => askOrSay("answers", { token: lesson.token, key: lesson.key });
  const showAnswers = async () => {
    const reply = await askAnswers();
    if (reply) find(".class").innerHTML = reply.html; // escaped where Python builds the tables
  };
  const saveAnswers = async () => {
    const reply = await askAnswers();
    if (reply) saveFile("answers.csv", reply.csv, "text/csv");
  };
  const savePage = async () => {
    say("The page is being made; the judge looks at every image …");
    const reply = await askOrSay("as_page", { token: lesson.token });
    if (!reply) return;
    saveFile(reply.name, reply.text, "text/html");
    say("The page is saved: it opens without a server.");
  };
  const showLesson = () => {
    const { token, key } = lesson;
    const learner = linkTo({ tab: "teach", set: token });
    const teacher = linkTo({ tab: "teach", part: "sets", set: token, key });
    const teacherWords = "For you alone: with this link you see the answers. Keep it.";
    const teacherButtons = [
      button("look-answers", "Look at the answers", showAnswers),
      button("save-answers", "Save the answers as a table", saveAnswers),
    ];
    find(".made").hidden = false;
    find(".made").replaceChildren(
      make("h3", { tabindex: "-1" }, "The set is ready"),
      makeLink("For learners: the link holds the whole set", learner, "learner-link"),
      ...(key ? [makeLink(teacherWords, teacher, "teacher-link")] : []),
      make(
        "div",
        { class: "row-moves" },
        button("save-page", "Save as a page without a server", savePage),
        ...(key ? teacherButtons : []),
      ),
      make("div", { class: "class" }),
    );
  };
  const finish = async () => {
    /** @type {HTMLInputElement} */
    const title = root.querySelector(".title");
    const items = entries.map(({ item }) => item);
    const reply = await askOrSay("make", { title: title.value, items });
    if (!reply) return;
    lesson = reply;
    showLesson();
    say("");
    find(".made h3").focus();
  };

  const lay = () => {
    const title = make("input", {
      type: "text",
      class: "title",
      maxlength: "120",
      oninput: forgetLesson,
    });
    const none = "No exercises yet: add some above. They are asked in this order.";
    root.replaceChildren(
      make("p", { class: "told", role: "status" }),
      labeled("Title of the set", title),
      make("div", { class: "adding" }, makeDrawing(), makeSample(), makeRunPicture()),
      make(
        "section",
        { "aria-label": "The exercises of the set" },
        make("p", { class: "soft none-yet" }, none),
        make("ol", { class: "chosen-items" }),
      ),
      button("finish primary", "Make the set", finish),
      make("section", { class: "made", hidden: true }),
    );
  };
  const openDraft = () => {
    entries = readDraft();
    listChanged();
  };
  /** Open the set that the address names, with its answers where their key stands there, too. */
  const begin = async () => {
    const query = readAddress();
    if (!query.get("set") || query.get("part") !== "sets") return;
    const request = { set: query.get("set"), key: query.get("key") || "" };
    const reply = await askOrSay("begin", request);
    if (!reply) return;
    entries = reply.items;
    listChanged();
    /** @type {HTMLInputElement} */
    const title = root.querySelector(".title");
    title.value = reply.title;
    lesson = { token: reply.token, key: reply.key };
    showLesson();
    if (lesson.key) showAnswers();
  };
  lay();
  openDraft();
  document.addEventListener(CHANGED, openDraft);
  begin();
  element.dataset.ready = "true";
};
