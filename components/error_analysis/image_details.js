// @ts-check
/* What the server says of judged images, asked for in chunks while they come into sight, and the
   small parts of a cell that show it. */
import { make } from "../js/dom.js";
import { ask } from "../js/server.js";
/** @import { Component } from "../js/types.js" */

/**
 * One judged image, as `pages/error_analysis/gallery.py` sends it.
 * @typedef {object} ImageDetails
 * @property {number} id of the evaluation
 * @property {string} run
 * @property {string} key
 * @property {string | null} src the thumbnail; null: its file is not here
 * @property {string} model
 * @property {string} prompt
 * @property {number} seed
 * @property {string} score
 * @property {string} verdict the answers in words
 * @property {[string, string, string][]} answers the kind of each, its word, and its question
 * @property {string[]} tags
 */

const CHUNK = 60; // images that are asked for at once
const DELAY = 40; // milliseconds that scrolling must rest before images are asked for
const MOST_SIGNS = 12;
const SIGN = 16;
// the name of SVG's elements, as the browser gives it to what it parses
const SVG = document.createRange().createContextualFragment("<svg></svg>")
  .firstElementChild.namespaceURI;

/**
 * @param {Component["server"]} server
 * @param {(sentence: string) => void} complain
 * @param {(ids: number[]) => void} onRead is told whose details came
 */
export const createDetails = (server, complain, onRead) => {
  /** @type {Map<number, ImageDetails | null>} */
  const details = new Map(); // null: not stored any more
  /** @type {Set<number>} */
  const asked = new Set();
  /** @type {number[]} */
  let wanted = [];
  /** @type {{id: number, act: (image: ImageDetails) => void} | null} */
  let awaited = null; // what is to be done with an image that is not read yet
  let timer = 0;

  const actOnAwaited = () => {
    const image = awaited && details.get(awaited.id);
    if (!awaited || image === undefined) return;
    const { act } = awaited;
    awaited = null;
    if (image) act(image);
  };

  /** @param {number[]} ids */
  const read = async (ids) => {
    ids.forEach((id) => asked.add(id));
    const reply = await ask(server, "read_images", { evaluations: ids });
    ids.forEach((id) => asked.delete(id));
    if (reply.wrong) {
      complain(reply.wrong);
      return;
    }
    ids.forEach((id) => details.set(id, null));
    /** @type {ImageDetails[]} */
    const images = reply.images;
    images.forEach((image) => details.set(image.id, image));
    onRead(ids);
    actOnAwaited();
  };

  const readWanted = () => {
    const missing = wanted.filter((id) => !details.has(id) && !asked.has(id));
    for (let at = 0; at < missing.length; at += CHUNK) void read(missing.slice(at, at + CHUNK));
  };

  return {
    /** @param {number} id */
    get: (id) => details.get(id),
    /**
     * Act on an image, once it is read; a later call replaces an earlier one that waits.
     * @param {number} id
     * @param {(image: ImageDetails) => void} act
     */
    whenRead: (id, act) => {
      awaited = { id, act };
      actOnAwaited();
    },
    /**
     * Ask for what is in sight, once scrolling rests.
     * @param {number[]} ids
     */
    want: (ids) => {
      wanted = ids;
      clearTimeout(timer);
      timer = setTimeout(readWanted, DELAY);
    },
    /**
     * Forget what is known of these images, and ask again.
     * @param {number[]} ids
     */
    reload: (ids) => {
      ids.forEach((id) => details.delete(id));
      readWanted();
    },
  };
};

/**
 * Draw the answers as one row of signs; the cell says the same in words.
 * @param {ImageDetails} image
 * @param {Record<string, string>} icons
 * @param {Set<string>} [changed] questions that are marked
 */
export const drawStrip = (image, icons, changed = new Set()) => {
  const answers = image.answers.slice(0, MOST_SIGNS);
  const strip = document.createElementNS(SVG, "svg");
  const box = `0 0 ${SIGN * Math.max(answers.length, 1)} ${SIGN + 4}`;
  strip.setAttribute("viewBox", box);
  strip.setAttribute("class", "cell-strip");
  strip.setAttribute("aria-hidden", "true");
  answers.forEach(([kind, word, question], place) => {
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("transform", `translate(${SIGN * place} 0)`);
    const title = document.createElementNS(SVG, "title");
    title.textContent = `${question} · ${word}`;
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", icons[kind]);
    path.setAttribute("class", `sign-${kind}`);
    group.append(title, path);
    if (changed.has(question)) {
      const mark = document.createElementNS(SVG, "rect");
      Object.entries({
        x: 1,
        y: SIGN + 1,
        width: SIGN - 2,
        height: 2.5,
        class: "sign-changed",
      }).forEach(([name, value]) => mark.setAttribute(name, String(value)));
      group.append(mark);
    }
    strip.append(group);
  });
  return strip;
};

/**
 * Make the thumbnail, or an empty place where its file is not here.
 * @param {ImageDetails} image
 */
export const makeThumbnail = (image) =>
  image.src
    ? make("img", { src: image.src, alt: "", decoding: "async", draggable: "false" })
    : make("span", { class: "cell-missing" }, "not kept here");

/**
 * Bring the evidence into sight once it is there; a part of the images stays in sight above it.
 * @param {string} id of its element
 */
export const revealEvidence = (id) => {
  const viewer = document.getElementById(id);
  if (!viewer) return;
  const observer = new MutationObserver(() => {
    if (!viewer.querySelector(".exhibit")) return;
    observer.disconnect();
    const { top } = viewer.getBoundingClientRect();
    if (top > innerHeight * 0.6) scrollBy(0, top - innerHeight * 0.4);
  });
  observer.observe(viewer, { childList: true, subtree: true });
};

/**
 * Bring a cell into sight where the page was scrolled away from its list.
 * @param {Element | null} cell
 */
export const revealCell = (cell) => {
  if (!cell) return;
  const { top, bottom } = cell.getBoundingClientRect();
  if (top < 0 || bottom > innerHeight) cell.scrollIntoView({ block: "nearest" });
};
