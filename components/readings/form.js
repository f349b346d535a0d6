// @ts-check
/* The form in which one thing that a prompt asks for is corrected, added or deleted. */
import { make } from "../js/dom.js";
import { recall, remember } from "../js/storage.js";

/** @typedef {{element: string, item: string, words: string}} Chip what a chip says, as Python names it */
/** @typedef {{kind: string, [name: string]: unknown}} Edit as the server takes it */
/** @typedef {{least: number, most: number | null, approximate: boolean}} Count */
/**
 * @typedef {object} AskedObject
 * @property {string} id
 * @property {string} name
 * @property {Count | null} count
 * @property {{value: string}[]} attributes
 * @property {boolean} absent
 */
/**
 * @typedef {object} Reading
 * @property {string} prompt
 * @property {AskedObject[]} objects
 * @property {{subject: string, words: string, target: string}[]} relations
 * @property {{text: string, on: string}[]} texts
 * @property {string} source
 * @property {string} author
 */
/**
 * @typedef {object} Fields
 * @property {HTMLElement[]} rows
 * @property {HTMLElement} first the field that gets the focus
 * @property {() => Edit} read
 */
/**
 * @typedef {object} FormOptions
 * @property {Chip} chip what is corrected; without an item: what is added
 * @property {Reading} reading
 * @property {string[]} relations
 * @property {(author: string, edit: Edit) => Promise<string>} save gives a sentence where it fails
 * @property {() => void} cancel
 */

export const AUTHOR = "hallascope-author"; // the setting that is remembered
const PICTURE = "picture"; // the target of a place in the picture
const BOUNDS = ["any", "exactly", "at least", "at most", "about"];
const DELETED = { object: "object", absent: "object", count: "count", relation: "relation" };

let serial = 0; // of lists of suggestions, whose ids must differ

/**
 * @param {string} label
 * @param {HTMLElement} field
 */
const labeled = (label, field) => make("label", {}, make("span", {}, label), field);

/**
 * @param {string} value
 * @param {Record<string, any>} attributes
 */
const textBox = (value, attributes = {}) => {
  const box = make("input", { type: "text", maxlength: 200, autocomplete: "off", ...attributes });
  box.value = value;
  return box;
};

/**
 * @param {[string, string][]} options values and what they are called
 * @param {string} value
 */
const selection = (options, value) => {
  const nodes = options.map(([name, words]) => make("option", { value: name }, words));
  const select = make("select", {}, ...nodes);
  select.value = value;
  return select;
};

/**
 * Return the objects as options, each called by what describes it: "red cube".
 * @param {Reading} reading
 * @returns {[string, string][]}
 */
const objectOptions = ({ objects }) =>
  objects.map(({ id, name, attributes }) => [
    id,
    [...attributes.map(({ value }) => value), name].join(" "),
  ]);

/**
 * @param {Count | null} count
 * @returns {[string, number | ""]} how the count is bounded, and its number
 */
const splitCount = (count) => {
  if (!count) return ["any", ""];
  const { least, most, approximate } = count;
  if (approximate && most !== null) return ["about", Math.floor((least + most) / 2)];
  if (most === null) return ["at least", least];
  if (least === most) return ["exactly", least];
  return least ? ["same", ""] : ["at most", most];
};

/* --- the fields of each kind -------------------------------------------------------------------- */

/**
 * @param {FormOptions} options
 * @returns {Fields}
 */
const objectFields = ({ chip, reading }) => {
  const asked = reading.objects.find(({ id }) => id === chip.item);
  const [bound, number] = splitCount(asked ? asked.count : null);
  const name = textBox(asked ? asked.name : "", { placeholder: "cat" });
  /** @type {[string, string][]} */
  const boundOptions = BOUNDS.map((words) => [words, words === "any" ? "not said" : words]);
  if (bound === "same") boundOptions.push(["same", `${asked.count.least} to ${asked.count.most}`]);
  const bounds = selection(boundOptions, bound);
  const count = make("input", { type: "number", min: 1, max: 1000, "aria-label": "Number" });
  count.value = String(number);
  count.addEventListener("input", () => {
    if (count.value && ["any", "same"].includes(bounds.value)) bounds.value = "exactly";
  });
  const isSameCount = () => bounds.value === bound && count.value === String(number);
  const values = asked ? asked.attributes.map(({ value }) => value) : [];
  const attributes = textBox(values.join(", "), { placeholder: "red, small", maxlength: 2000 });
  const absent = make("input", { type: "checkbox" });
  absent.checked = asked ? asked.absent : chip.element === "absent";
  /** @type {Record<string, HTMLElement>} */
  const firsts = { count, attribute: attributes };
  return {
    rows: [
      labeled("Object", name),
      make("div", { class: "pair" }, labeled("Count", bounds), count),
      labeled("Attributes", attributes),
      make("label", { class: "check" }, absent, make("span", {}, "must not appear")),
    ],
    first: firsts[chip.element] || name,
    read: () => ({
      kind: "object",
      id: chip.item,
      name: name.value,
      bound: isSameCount() ? "same" : bounds.value,
      number: count.value === "" ? null : Number(count.value),
      attributes: attributes.value,
      absent: absent.checked,
    }),
  };
};

/**
 * @param {FormOptions} options
 * @returns {Fields}
 */
const relationFields = ({ chip, reading, relations }) => {
  const objects = objectOptions(reading);
  const ids = objects.map(([id]) => id);
  const [first = "", second = PICTURE] = ids;
  const asked = chip.item ? reading.relations[Number(chip.item)] : null;
  const known = asked || { subject: first, words: "", target: second };
  serial += 1;
  const list = `asked-relations-${serial}`;
  const subject = selection(objects, known.subject);
  const words = textBox(known.words, { list, placeholder: "left of" });
  const target = selection([...objects, [PICTURE, "the image"]], known.target);
  return {
    rows: [
      labeled("Object", subject),
      labeled("Relation", words),
      labeled("Of or to", target),
      make("datalist", { id: list }, ...relations.map((value) => make("option", { value }))),
    ],
    first: words,
    read: () => ({
      kind: "relation",
      index: chip.item ? Number(chip.item) : null,
      subject: subject.value,
      words: words.value,
      target: target.value,
    }),
  };
};

/**
 * @param {FormOptions} options
 * @returns {Fields}
 */
const textFields = ({ chip, reading }) => {
  const asked = chip.item ? reading.texts[Number(chip.item)] : { text: "", on: "" };
  const text = textBox(asked.text, { placeholder: "OPEN" });
  const on = selection([["", "not said"], ...objectOptions(reading)], asked.on);
  return {
    rows: [labeled("Text", text), labeled("Written on", on)],
    first: text,
    read: () => ({
      kind: "text",
      index: chip.item ? Number(chip.item) : null,
      text: text.value,
      on: on.value,
    }),
  };
};

/** @type {Record<string, (options: FormOptions) => Fields>} */
const FIELDS = { relation: relationFields, text: textFields };

/* --- the form ----------------------------------------------------------------------------------- */

/** @param {Chip} chip */
const deletionWords = (chip) => {
  const kind = DELETED[/** @type {keyof typeof DELETED} */ (chip.element)];
  return kind ? `Delete ${kind}` : `Delete ${chip.words}`;
};

/**
 * @param {FormOptions} options
 * @returns {{node: HTMLFormElement, focus: () => void}}
 */
export const makeForm = (options) => {
  const { chip, save, cancel } = options;
  const { rows, first, read } = (FIELDS[chip.element] || objectFields)(options);
  const author = textBox(recall(AUTHOR) || "", { maxlength: 80, autocomplete: "name" });
  const wrong = make("p", { class: "wrong", role: "alert" });
  let isSending = false;

  /** @param {Edit} edit */
  const send = async (edit) => {
    if (isSending) return;
    isSending = true;
    wrong.replaceChildren();
    const problem = await save(author.value, edit);
    isSending = false;
    if (!problem) {
      remember(AUTHOR, author.value);
      return;
    }
    wrong.replaceChildren(problem);
    if (!author.value.trim()) author.focus();
  };
  const remove = () =>
    send({ kind: "removal", element: chip.element, item: chip.item, words: chip.words });

  const node = make(
    "form",
    {
      class: "asked-form",
      novalidate: true,
      "aria-label": chip.item ? `Correct ${chip.words}` : `Add: ${chip.element}`,
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        send(read());
      },
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (event.key === "Escape") cancel();
      },
    },
    ...rows,
    labeled("Your name", author),
    make(
      "div",
      { class: "buttons" },
      make("button", { type: "submit", class: "primary" }, "Save"),
      chip.item ? make("button", { type: "button", onclick: remove }, deletionWords(chip)) : null,
      make("button", { type: "button", onclick: cancel }, "Cancel"),
    ),
    wrong,
  );
  return {
    node,
    focus: () => {
      first.focus();
      if (first instanceof HTMLInputElement) first.select();
    },
  };
};
