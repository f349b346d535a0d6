// @ts-check
/* A dialog with all concepts as images, in which a person searches and chooses one. */
import { showDialog } from "../js/dialog.js";
import { make } from "../js/dom.js";

/** @typedef {{name: string, prompt: string, domain: string, image: string}} Concept */

/** @param {Concept} concept */
const wordsOf = ({ name, prompt, domain }) => `${name} ${prompt} ${domain}`.toLowerCase();

/**
 * Open the dialog; the keyboard stands in its search.
 * @param {HTMLElement} place where the dialog stands in the page
 * @param {Concept[]} concepts
 * @param {string} current the concept that is chosen now
 * @param {(name: string) => void} choose
 * @param {string} title
 */
export const openConcepts = (place, concepts, current, choose, title = "Choose what to break") => {
  /** @param {string} name */
  const take = (name) => {
    dialog.close();
    choose(name);
  };
  const tiles = concepts.map((concept) => ({
    words: wordsOf(concept),
    name: concept.name,
    node: make(
      "li",
      {},
      make(
        "button",
        {
          type: "button",
          "aria-current": concept.name === current ? "true" : false,
          onclick: () => take(concept.name),
        },
        make("img", { src: concept.image, alt: "", width: 112, height: 112 }),
        make("span", {}, concept.name),
      ),
    ),
  }));
  const none = make("p", { class: "none soft", role: "status" });
  const search = make("input", { type: "search", "aria-label": "Search the concepts" });
  search.placeholder = "Search: penguin, food, tower …";
  const shown = () => tiles.filter(({ node }) => !node.hidden);
  const filter = () => {
    const sought = search.value.trim().toLowerCase();
    tiles.forEach(({ node, words }) => {
      node.hidden = !words.includes(sought);
    });
    const text = `No concept is called “${search.value}”. Clear the search to see all.`;
    none.replaceChildren(shown().length ? "" : text);
  };
  search.addEventListener("input", filter);
  search.addEventListener("keydown", (event) => {
    const [first] = shown();
    if (event.key !== "Enter" || !first) return;
    event.preventDefault(); // else the same press opens the dialog again
    take(first.name);
  });
  const dialog = make(
    "dialog",
    { class: "concepts", "aria-label": title },
    make(
      "div",
      { class: "concepts-head" },
      make("h2", {}, title),
      search,
      make("button", { type: "button", onclick: () => dialog.close() }, "Close"),
    ),
    none,
    make("ul", { class: "concept-tiles" }, ...tiles.map(({ node }) => node)),
  );
  showDialog(dialog, place);
  search.focus();
};
