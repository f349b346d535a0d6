// @ts-check
/* The script of a lesson that needs no server: what the exercises ask their server for stands in the
   page. Answers stay in this browser until the person saves them as a table. */
import "../site/site.js";
import { saveFile } from "../../components/js/dom.js";
import { mount as mountExercise } from "../../components/learn/exercise.js";

/** @typedef {{place: boolean | null, fact: boolean, when: string}} Answer */
/** @typedef {{width: number, height: number, counts: number[]}} Mask run lengths, column by column */

const lesson = JSON.parse(document.getElementById("held").textContent);
const saveButton = document.getElementById("save");
/** @type {Map<number, Answer>} the first answer to each exercise, by its position */
const answers = new Map();
let learner = "";

/**
 * @param {Mask} mask
 * @param {[number, number]} point in shares of the width and height
 */
const isInside = (mask, [x, y]) => {
  const column = Math.min(Math.floor(x * mask.width), mask.width - 1);
  const row = Math.min(Math.floor(y * mask.height), mask.height - 1);
  const pixel = column * mask.height + row;
  let end = 0;
  const run = mask.counts.findIndex((count) => {
    end += count;
    return pixel < end;
  });
  return run % 2 === 1;
};

/**
 * Say whether the mark is on the fault; null where no place is asked for.
 * @param {any} item
 * @param {{at?: [number, number], part?: string} | null} mark
 */
const isPlaceRight = (item, mark) => {
  if (!item.near) return null;
  if (!mark) return false;
  return mark.at ? isInside(item.near, mark.at) : item.parts.includes(mark.part);
};

/** @type {Record<string, (request: any) => Promise<any>>} */
const server = {
  show: async ({ position }) => lesson.items[position].sheet,
  check: async ({ position, mark, chosen, name }) => {
    const item = lesson.items[position];
    const place = isPlaceRight(item, mark);
    const fact = chosen === item.told.answer;
    learner = name.trim();
    if (!answers.has(position)) {
      answers.set(position, { place, fact, when: new Date().toISOString() });
    }
    saveButton.hidden = false;
    return { place, fact, ...item.told, standing: "" };
  },
  judge: async ({ position }) => ({ words: lesson.items[position].judge }),
};

/** @param {boolean | null} right */
const words = (right) => {
  if (right === null) return "not asked";
  return right ? "right" : "wrong";
};

/**
 * Return a cell of CSV that no spreadsheet takes for a formula.
 * @param {string} text
 */
const csvCell = (text) => {
  const plain = /^[=+\-@\t']/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
};

saveButton.addEventListener("click", () => {
  const rows = [...answers]
    .sort(([first], [second]) => first - second)
    .map(([position, { place, fact, when }]) => {
      const { prompt } = lesson.items[position];
      return [learner, String(position + 1), prompt, words(place), words(fact), when];
    });
  const table = [["name", "exercise", "picture", "place", "fact", "when"], ...rows];
  const lines = table.map((row) => row.map(csvCell).join(","));
  saveFile("answers.csv", `${lines.join("\n")}\n`, "text/csv");
});

mountExercise({
  element: document.getElementById("lesson"),
  props: { value: lesson.work },
  server,
  trigger: () => {},
  watch: () => {},
});
