// @ts-check
/* The page of a pupil: it follows the class, takes a tap on the image and a choice, and shows what
   the teacher reveals. A pupil is a random token in this browser, and nothing else. */
import { findAll, make } from "../../js/dom.js";
import {
  makeAnswers,
  makeImage,
  makeJudge,
  makeOutline,
  makeQuestions,
  makeTruth,
} from "./lesson_view.js";
/** @import { Point, Step } from "./lesson_view.js" */

/** @typedef {{choice: number | null, at: Point | null}} Mine */
/**
 * What the server says of the class.
 * @typedef {object} ClassState
 * @property {"join" | "step" | "end"} place
 * @property {string} title of the lesson
 * @property {number} number of the pupil
 * @property {string} phase
 * @property {Step & {phase: string}} [view]
 * @property {Mine} [mine]
 * @property {{counts: number[], chosen: number} | null} [tally]
 */

const PAUSE = 2000; // ms between two looks at the class
const STEP = 0.02; // of the image, that an arrow moves the crosshair
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const root = document.getElementById("pupil");
const code = root.dataset.code;
const TOKEN = `hallascope-class-${code}`;
let memory = ""; // the token, where the browser keeps nothing
let etag = "";
/** @type {ClassState | null} */
let state = null;
let shownKey = ""; // of what stands on the page
/** @type {Mine} */
let mine = { choice: null, at: null };
/** @type {Point} */
let crosshair = [0.5, 0.5];
let sending = 0; // counts answers on their way

const recallToken = () => {
  try {
    return localStorage.getItem(TOKEN) || memory;
  } catch {
    return memory;
  }
};
/** @param {string} token */
const rememberToken = (token) => {
  memory = token;
  try {
    if (token) localStorage.setItem(TOKEN, token);
    else localStorage.removeItem(TOKEN);
  } catch {
    // a browser that keeps nothing: the token lasts as long as the page
  }
};
/** @param {number} time in ms */
const wait = (time) =>
  new Promise((done) => {
    setTimeout(done, time);
  });
/** @param {number} value */
const clamp = (value) => Math.min(1, Math.max(0, value));
/** @param {number} share */
const percent = (share) => `${Math.round(share * 100)} %`;

/** @param {string} words */
const say = (words, isWrong = false) => {
  const status = root.querySelector("[role=status]");
  if (!status) return;
  status.replaceChildren(words);
  status.className = isWrong ? "notice wrong" : "soft";
};

/* --- the server ----------------------------------------------------------------------------------- */

/**
 * @param {string} name
 * @param {RequestInit} [options]
 */
const request = (name, options = {}) =>
  fetch(`${code}/${name}`, {
    cache: "no-store",
    ...options,
    headers: { "X-Class-Pupil": recallToken(), ...options.headers },
  });

/** @param {unknown} message */
const asJson = (message) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(message),
});

/** @param {Response} response */
const sentenceOf = async (response) => {
  try {
    return (await response.json()).error || "The server gave no reason.";
  } catch {
    return "The server gave no reason.";
  }
};

/** Send the answer as it stands now, until the server has it; a later one takes its place. */
const send = async () => {
  sending += 1;
  const turn = sending;
  const { step } = state.view;
  const isCurrent = () => turn === sending && state.view && state.view.step === step;
  say("Sending");
  while (isCurrent()) {
    try {
      const response = await request("answer", asJson({ step, ...mine }));
      if (!isCurrent()) return;
      if (response.ok) say("Sent. You can change it until the answers are shown.");
      else say(await sentenceOf(response), true);
      if (response.status !== 429 && response.status < 500) return;
    } catch {
      say("There is no connection: your answer is sent again.", true);
    }
    await wait(PAUSE);
  }
};

/* --- the image ------------------------------------------------------------------------------------ */

const paintPin = () => {
  const field = /** @type {HTMLElement} */ (root.querySelector(".field"));
  if (!field) return;
  /** @type {HTMLElement} */
  const pin = field.querySelector(".pin");
  pin.hidden = mine.at === null;
  const [x, y] = mine.at || [0, 0];
  pin.style.setProperty("--x", `${100 * x}%`);
  pin.style.setProperty("--y", `${100 * y}%`);
  field.style.setProperty("--x", `${100 * crosshair[0]}%`);
  field.style.setProperty("--y", `${100 * crosshair[1]}%`);
};
/**
 * @param {number} x
 * @param {number} y
 */
const markAt = (x, y) => {
  crosshair = [x, y];
  mine = { ...mine, at: [x, y] };
  paintPin();
  send();
};
/** @param {MouseEvent & {currentTarget: Element}} event */
const markByMouse = (event) => {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  markAt(clamp((event.clientX - left) / width), clamp((event.clientY - top) / height));
};
/** @param {KeyboardEvent} event */
const steer = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = ARROWS[/** @type {keyof typeof ARROWS} */ (event.key)];
  if (event.key === "Enter" || event.key === " ") {
    markAt(crosshair[0], crosshair[1]);
  } else if (arrow) {
    const step = STEP * (event.shiftKey ? 4 : 1);
    crosshair = [clamp(crosshair[0] + arrow[0] * step), clamp(crosshair[1] + arrow[1] * step)];
    paintPin();
    const [left, top] = crosshair.map(percent);
    say(`${left} from the left, ${top} from the top; Enter marks.`);
  } else {
    return;
  }
  event.preventDefault();
};

/**
 * @param {Step} view
 * @param {boolean} isOpen
 */
const makeField = (view, isOpen) => {
  const markable = {
    tabindex: "0",
    role: "application",
    "aria-roledescription": "image to mark",
    "aria-label":
      "The image. Arrows move the crosshair, with Shift further; Enter marks the place.",
    onclick: markByMouse,
    onkeydown: steer,
  };
  return make(
    "div",
    { class: "field", ...(isOpen && view.marking ? markable : {}) },
    makeImage(view, ""),
    make("span", { class: "crosshair", "aria-hidden": "true" }),
    make("span", { class: "pin", hidden: true, "aria-hidden": "true" }),
  );
};

/* --- the page ------------------------------------------------------------------------------------- */

/** @param {Step} view */
const makeChoices = (view) =>
  make(
    "fieldset",
    { class: "choices" },
    make("legend", {}, view.question),
    ...view.choices.map((choice, number) =>
      make(
        "label",
        { class: "choice" },
        make("input", {
          type: "radio",
          name: "choice",
          value: number,
          onchange: () => {
            mine = { ...mine, choice: number };
            send();
          },
        }),
        make("span", { class: "words" }, choice),
      ),
    ),
  );

const paintChoice = () => {
  findAll(root, "input[name=choice]").forEach((input) => {
    const radio = /** @type {HTMLInputElement} */ (input);
    radio.checked = Number(radio.value) === mine.choice;
  });
};

/** @param {ClassState} next */
const makeStep = ({ view, tally, number }) => {
  const isOpen = view.phase === "question";
  const isAsked = view.choices.length > 0;
  const nodes = [
    make("p", { class: "soft" }, `Step ${view.step + 1} of ${view.steps} · Pupil ${number}`),
    make("h1", {}, view.title),
    view.image ? make("p", {}, `Prompt: “${view.prompt}”`) : null,
    isOpen && view.marking ? make("p", {}, "Tap the error in the image, if you see one.") : null,
    view.image ? makeField(view, isOpen) : null,
    isOpen && view.questions && view.questions.length ? makeQuestions(view.questions) : null,
  ];
  if (isAsked && isOpen) nodes.push(makeChoices(view));
  if (isAsked && !isOpen) {
    nodes.push(make("h2", {}, view.question), makeAnswers(view, tally, mine.choice));
  }
  if (view.judge) nodes.push(makeJudge(view.judge));
  if (view.truth || (view.reveal && isAsked)) nodes.push(makeTruth(view));
  if (!isAsked && view.reveal) nodes.push(make("p", { class: "reveal" }, view.reveal));
  return nodes;
};

/** @param {ClassState} next */
const makeMain = (next) => {
  if (next.place === "step") return makeStep(next);
  const words =
    next.place === "join"
      ? "You are in the class. The first step comes here when your teacher starts."
      : "This was the last step. Thank you for your answers.";
  return [
    make("h1", {}, next.title),
    make("p", { class: "lead" }, words),
    make("p", { class: "soft" }, `You are pupil ${next.number}.`),
  ];
};

/** @param {ClassState} next */
const openingWords = (next) => {
  if (next.place !== "step" || !next.view.choices.length) return "";
  if (next.view.phase !== "question") return "The answers are shown.";
  const isSent = mine.choice !== null || mine.at !== null;
  if (isSent) return "Sent. You can change it until the answers are shown.";
  return "Choose an answer.";
};

/** @param {ClassState} next */
const show = (next) => {
  const key = `${next.place} ${next.view ? `${next.view.step} ${next.view.phase}` : ""}`;
  state = next;
  if (key === shownKey) return; // only the own answer has changed, which stands there already
  shownKey = key;
  mine = next.mine || { choice: null, at: null };
  crosshair = mine.at || [0.5, 0.5];
  const nodes = makeMain(next).filter((node) => node !== null);
  root.replaceChildren(...nodes, make("p", { role: "status", class: "soft" }));
  if (next.view && next.view.outline) {
    root.querySelector(".field").append(makeOutline(next.view.outline));
  }
  paintPin();
  paintChoice();
  say(openingWords(next));
  root.dataset.shown = key;
};

/**
 * @param {string} title
 * @param {string} sentence
 */
const end = (title, sentence) => {
  root.replaceChildren(
    make("h1", {}, title),
    make("p", { role: "alert" }, sentence),
    make("p", {}, make("a", { class: "button", href: "../class" }, "Join another class")),
  );
  root.dataset.shown = "over";
};

/* --- following the class -------------------------------------------------------------------------- */

/** Join the class; return whether the page goes on. */
const join = async () => {
  const response = await request("join", asJson({}));
  if (response.ok) rememberToken((await response.json()).token);
  else if (response.status === 429) root.replaceChildren(await sentenceOf(response));
  if (response.ok || response.status === 429) return true;
  end("You cannot join this class now", await sentenceOf(response));
  return false;
};

/** Look at the class once; return whether the page goes on. */
const look = async () => {
  if (!recallToken() && !(await join())) return false;
  if (!recallToken()) return true;
  const response = await request("state", { headers: etag ? { "If-None-Match": etag } : {} });
  if (response.status === 200) {
    etag = response.headers.get("ETag") || "";
    show(await response.json());
  } else if (response.status === 403) {
    rememberToken("");
    etag = "";
    shownKey = "";
  } else if (response.status === 410) {
    end("You are not in this class any more", await sentenceOf(response)); // and keeps its token
    return false;
  } else if (response.status === 404) {
    rememberToken("");
    end("The class is over", await sentenceOf(response));
    return false;
  } else if (response.status !== 304) {
    say(await sentenceOf(response), true);
  }
  return true;
};

const follow = async () => {
  for (;;) {
    try {
      if (!document.hidden && !(await look())) return;
    } catch {
      say("There is no connection: the page tries again.", true);
    }
    await wait(PAUSE * (0.85 + 0.3 * Math.random())); // so that not all ask at once
  }
};

follow();
