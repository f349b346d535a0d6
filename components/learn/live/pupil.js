// @ts-check
/* The page of a pupil: it follows the class, takes a tap on the image and a choice, and shows what
   the teacher reveals, as HTML from the server. A pupil is a random token in this browser, and
   nothing else. */
import { make } from "../../js/dom.js";
import { recall, remember } from "../../js/storage.js";
import { mountMarking } from "../marking.js";
import { asJson, send, sentenceOf, wait } from "./class_server.js";
/** @import { Point } from "../marking.js" */

/** @typedef {{choice: number | null, at: Point | null}} Mine */
/** @typedef {{step: number, phase: string, html: string, mine: Mine}} ClassState */

const PAUSE = 2000; // ms between two looks at the class

const root = document.getElementById("pupil");
const { code } = root.dataset;
const TOKEN = `hallascope-class-${code}`;
let memory = ""; // the token, where the browser keeps nothing
let etag = "";
let shown = ""; // the step and the phase that stand on the page
let openStep = -1;
/** @type {Mine} */
let mine = { choice: null, at: null };
let sending = 0; // counts answers on their way

const recallToken = () => recall(TOKEN) || memory;
/** @param {string} token */
const rememberToken = (token) => {
  memory = token;
  remember(TOKEN, token || null);
};

/** @param {string} words */
const say = (words, isWrong = false) => {
  const status = root.querySelector("[role=status]");
  if (!status) return;
  status.replaceChildren(words);
  status.className = isWrong ? "notice wrong" : "soft";
};

/**
 * @param {string} name
 * @param {RequestInit} [options]
 */
const ask = (name, options) => send(`${code}/${name}`, { "X-Class-Pupil": recallToken() }, options);

/**
 * Send the answer as it stands now, until the server has it; a later one takes its place.
 * @param {Partial<Mine>} change
 */
const answer = async (change) => {
  mine = { ...mine, ...change };
  sending += 1;
  const turn = sending;
  const step = openStep;
  const isCurrent = () => turn === sending && openStep === step;
  say("Sending");
  while (isCurrent()) {
    try {
      const response = await ask("answer", asJson({ step, ...mine }));
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

root.addEventListener("change", (event) => {
  const radio = /** @type {HTMLInputElement} */ (event.target);
  answer({ choice: Number(radio.value) });
});

/** @param {ClassState} state */
const show = (state) => {
  const key = `${state.step} ${state.phase}`;
  openStep = state.step;
  if (key === shown) return; // only the own answer has changed, which stands there already
  shown = key;
  mine = state.mine;
  root.innerHTML = state.html; // escaped where Python makes it
  /** @type {HTMLElement | null} */
  const field = root.querySelector(".field[tabindex]");
  if (field) mountMarking(field, mine.at, (at) => answer({ at }), say);
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
  const response = await ask("join", asJson({}));
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
  const response = await ask("state", { headers: etag ? { "If-None-Match": etag } : {} });
  if (response.status === 200) {
    etag = response.headers.get("ETag") || "";
    show(await response.json());
  } else if (response.status === 403) {
    rememberToken("");
    etag = "";
    shown = "";
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
