// @ts-check
/* The evidence viewer. It knows keys and nothing else: what shares a key with what is chosen lights up
   and the rest fades; what shares one with what is pointed at lights up a little. The elements of
   every key are looked up once, when an image comes. */
import { changeAddress, readAddress } from "../js/address.js";
import { choiceChanges, EVIDENCE_SHOWN, namedKeys } from "./choice.js";
import { mountKeys } from "./image_keys.js";
import { closest, drawFolded, findAll } from "../js/dom.js";
import { showTruth } from "../html/truth.js";
import { ask } from "../js/server.js";
import { recall, remember } from "../js/storage.js";
import { mountZoom } from "../js/zoom.js";
/** @import { Component } from "../js/types.js" */

/**
 * An element with keys.
 * @typedef {object} Item
 * @property {HTMLElement} node
 * @property {string[]} keys what it leads to, such as "question=2"
 * @property {string | undefined} own the key that it leads to alone, where it has such a one
 * @property {HTMLElement | null} button what a person presses to choose it
 * @property {string | null} outline its SVG path; null: it is no mark in the picture
 */
/**
 * A picture with its evidence.
 * @typedef {object} Exhibit
 * @property {HTMLElement} root
 * @property {string} run
 * @property {string} pageRun the run that the page shows and the address names
 * @property {boolean} isUnnamed whether the address names neither run nor picture
 * @property {string} key of the picture
 * @property {Map<HTMLElement, Item>} items
 * @property {Map<string, HTMLElement[]>} nodesByKey
 * @property {Map<string, HTMLElement>} rowsByKey
 * @property {Map<HTMLElement, HTMLElement[]>} groups the buttons that arrow keys go through, by button
 * @property {Record<string, string[]>} same by key, what other metrics say of the same thing
 * @property {Record<string, string[]>} whole by key, what they say of its whole or of its parts
 * @property {HTMLElement[]} related what is about the whole, or about parts, of what is chosen
 * @property {HTMLElement[]} near what belongs to what is pointed at
 * @property {HTMLElement[]} lit what belongs to what is chosen
 * @property {string | null} chosen a key
 * @property {boolean} isSuggested whether nobody chose it: it is what to look at first
 */

const LAYERS = "hallascope-shown"; // the setting that is remembered
const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
/** @type {Record<string, string>} the buttons of a group, by its `data-ring` */
const BUTTONS = {
  marks: ".region",
  words: ".word[role]",
  rows: ".lead-button",
  graph: "[role=button]",
};

/* --- which elements belong to which key --------------------------------------------------------- */

/**
 * Return the keys of an attribute; those of a further metric begin with its name.
 * @param {HTMLElement} node
 * @param {string} attribute JSON, or nothing
 * @returns {string[]}
 */
const readKeys = (node, attribute) => {
  const keys = JSON.parse(attribute || "[]");
  const scope = node.closest("[data-scope]");
  if (!(scope instanceof HTMLElement)) return keys;
  return keys.map((/** @type {string} */ key) => `${scope.dataset.scope}.${key}`);
};

/**
 * @param {HTMLElement} node
 * @returns {Item}
 */
const readItem = (node) => {
  /** @type {HTMLElement | null} */
  const leadButton = node.querySelector(".lead-button");
  const shape = node.querySelector(":scope > .shape"); // what has an outline is a mark
  return {
    node,
    keys: readKeys(node, node.dataset.keys),
    own: readKeys(node, node.dataset.own && JSON.stringify([node.dataset.own]))[0],
    button: node.matches("[role=button]") ? node : leadButton,
    outline: shape && shape.getAttribute("d"),
  };
};

/** @param {HTMLElement} group */
const readButtons = (group) => {
  const kind = group.dataset.ring;
  const buttons = findAll(group, BUTTONS[kind]);
  const isDrawnInAnotherOrder = kind === "marks" || kind === "graph";
  if (!isDrawnInAnotherOrder) return buttons;
  return buttons.sort((a, b) => Number(a.dataset.order) - Number(b.dataset.order));
};

/** @param {Exhibit} exhibit */
const cutOutline = ({ root }) => {
  const mask = root.querySelector(".around");
  if (!mask) return;
  mask.id = `around-${Math.random().toString(36).slice(2)}`;
  root.querySelector(".veil").setAttribute("mask", `url(#${mask.id})`);
};

/**
 * @param {HTMLElement} root
 * @returns {Exhibit}
 */
const readExhibit = (root) => {
  /** @type {Exhibit} */
  const exhibit = {
    root,
    run: root.dataset.run,
    pageRun: root.dataset.pageRun || root.dataset.run,
    isUnnamed: root.dataset.unnamed !== undefined,
    key: root.dataset.key,
    items: new Map(),
    nodesByKey: new Map(),
    rowsByKey: new Map(),
    groups: new Map(),
    same: JSON.parse(root.dataset.same || "{}"),
    whole: JSON.parse(root.dataset.wholeOf || "{}"),
    related: [],
    near: [],
    lit: [],
    chosen: null,
    isSuggested: false,
  };
  findAll(root, "[data-keys]").forEach((node) => {
    const item = readItem(node);
    exhibit.items.set(node, item);
    const under = readKeys(node, node.dataset.under); // lights up with these, leads to none
    [...item.keys, ...under].forEach((key) => {
      if (!exhibit.nodesByKey.has(key)) exhibit.nodesByKey.set(key, []);
      exhibit.nodesByKey.get(key).push(node);
    });
    if (node.dataset.said !== undefined) exhibit.rowsByKey.set(item.keys[0], node);
  });
  findAll(root, "[data-ring]").forEach((group) => {
    const buttons = readButtons(group);
    buttons.forEach((button) => exhibit.groups.set(button, buttons));
    // One stop of the Tab key; arrow keys lead on from there. Rows are stops of their own.
    if (group.dataset.ring !== "rows" && buttons.length) buttons[0].tabIndex = 0;
  });
  cutOutline(exhibit);
  return exhibit;
};

/* --- what lights up ----------------------------------------------------------------------------- */

/** @param {HTMLElement} node */
const isInPicture = (node) => Boolean(node.closest(".stage"));

/**
 * Return what leads to a key, without what only lights up with it: of a relation in a graph its
 * line, and not the nodes at its ends.
 * @param {Exhibit} exhibit
 * @param {string} key
 */
const leadingNodes = (exhibit, key) =>
  (exhibit.nodesByKey.get(key) || []).filter((node) => exhibit.items.get(node).keys.includes(key));

/**
 * Return what belongs to a key: what has it, then what other metrics say of the same thing. The
 * picture shows the marks of the key itself, and those of others only where it has none.
 * @param {Exhibit} exhibit
 * @param {string | null} key
 */
const nodesOf = (exhibit, key) => {
  const own = exhibit.nodesByKey.get(key) || [];
  const others = (exhibit.same[key] || []).flatMap((other) => leadingNodes(exhibit, other));
  const hasMarks = own.some(isInPicture);
  return [...new Set([...own, ...others.filter((node) => !hasMarks || !isInPicture(node))])];
};

/**
 * Return what other metrics say of the whole that a key is a part of, or of its parts.
 * @param {Exhibit} exhibit
 * @param {string | null} key
 */
const relatedNodes = (exhibit, key) =>
  (exhibit.whole[key] || [])
    .flatMap((other) => leadingNodes(exhibit, other))
    .filter((node) => !isInPicture(node));

/**
 * @param {Exhibit} exhibit
 * @param {HTMLElement[]} nodes
 */
const outlines = (exhibit, nodes) =>
  nodes.map((node) => exhibit.items.get(node).outline || "").join("");

/**
 * @param {Exhibit} exhibit
 * @param {HTMLElement[]} nodes
 * @param {boolean} on
 */
const light = (exhibit, nodes, on) =>
  nodes.forEach((node) => {
    node.classList.toggle("lit", on);
    exhibit.items.get(node).button?.setAttribute("aria-pressed", String(on));
  });

/** @param {Exhibit} exhibit */
const drawHalo = (exhibit) => {
  const nodes = [...new Set([...exhibit.lit, ...exhibit.near])];
  exhibit.root.querySelector(".halo")?.setAttribute("d", outlines(exhibit, nodes));
};

/**
 * Number the shapes that are counted one by one, from left to right. Those of one mark have their
 * numbers already.
 * @param {Exhibit} exhibit
 */
const numberShapes = (exhibit) => {
  if (!exhibit.root.classList.contains("counting")) return;
  const marks = exhibit.lit.filter((node) => exhibit.items.get(node).outline);
  if (marks.length < 2) return;
  exhibit.lit
    .filter((node) => node.matches(".count"))
    .sort((a, b) => parseFloat(a.style.left) - parseFloat(b.style.left))
    .forEach((number, index) => {
      number.textContent = String(index + 1);
    });
};

/**
 * Bring the first lit word of a long text into sight; the page stays where it is.
 * @param {HTMLElement} text
 */
const scrollToLitWord = (text) => {
  if (text.scrollHeight <= text.clientHeight) return;
  /** @type {HTMLElement | null} */
  const word = text.querySelector(".lit");
  if (!word) return;
  const isAbove = word.offsetTop < text.scrollTop;
  const isBelow = word.offsetTop + word.offsetHeight > text.scrollTop + text.clientHeight;
  if (isAbove || isBelow) text.scrollTop = word.offsetTop - 8;
};

/** @param {Exhibit} exhibit */
const paint = (exhibit) => {
  const { root, chosen } = exhibit;
  const row = exhibit.rowsByKey.get(chosen);
  light(exhibit, exhibit.lit, false);
  exhibit.related.forEach((node) => node.classList.remove("related"));
  exhibit.lit = nodesOf(exhibit, chosen);
  exhibit.related = relatedNodes(exhibit, chosen);
  exhibit.lit.forEach(drawFolded);
  light(exhibit, exhibit.lit, true);
  exhibit.related.forEach((node) => node.classList.add("related"));
  const fold = row && row.closest("details");
  if (fold) fold.open = true;
  // what is only suggested makes nothing else fade
  root.classList.toggle("choosing", chosen !== null && !exhibit.isSuggested);
  root.classList.toggle("counting", Boolean(row) && "counts" in row.dataset);
  root.classList.toggle("everything", Boolean(row) && "whole" in row.dataset);
  root.dataset.kind = (row && row.dataset.kind) || "";
  root.dataset.choice = chosen ?? "";
  const overlay = root.querySelector(".overlay");
  if (overlay) {
    const outline = outlines(exhibit, exhibit.lit);
    overlay.classList.toggle("veiled", outline !== "");
    overlay.querySelector(".around path").setAttribute("d", outline);
    numberShapes(exhibit);
  }
  drawHalo(exhibit);
  findAll(root, ".words").forEach(scrollToLitWord);
  /** @type {HTMLElement | null} */
  const hint = root.querySelector(".hint");
  const words = hint && (row ? row.dataset.said : hint.dataset.idle);
  if (hint && hint.textContent !== words) hint.textContent = words;
};

/** Say whether rows stand below the image, so that showing one would take the image away. */
const isStacked = () => matchMedia("(max-width: 760px)").matches;

/* --- the address -------------------------------------------------------------------------------- */

/**
 * @param {string} run
 * @param {string} image
 * @param {string | null} chosen
 */
const writeChoice = (run, image, chosen) => {
  if (!run) return;
  changeAddress({ run, image, ...choiceChanges(chosen) });
};

const rememberedLayers = () => (recall(LAYERS) ?? "masks").split(" ");

/**
 * @param {Pick<Component, "element" | "trigger" | "watch"> & Partial<Pick<Component, "server">>}
 *   component a page without a server has none
 */
export const mount = ({ element, trigger, watch, server }) => {
  const zoom = mountZoom(element);
  /** @type {Exhibit[]} */
  let exhibits = []; // one for each image shown
  /** @type {HTMLElement | null} */
  let pointed = null;
  let layers = rememberedLayers();

  /** @param {EventTarget} target */
  const exhibitAt = (target) =>
    exhibits.find(({ root }) => target instanceof Node && root.contains(target));
  /**
   * @param {Event} event
   * @returns {{exhibit?: Exhibit, item?: Item}}
   */
  const itemAt = (event) => {
    const node = closest(event, "[data-keys]");
    const exhibit = node && exhibitAt(node);
    return exhibit ? { exhibit, item: exhibit.items.get(node) } : {};
  };

  /**
   * Light up what belongs to what the mouse or the focus is on; without an item nothing.
   * @param {Exhibit} [exhibit]
   * @param {Item} [item]
   */
  const point = (exhibit, item) => {
    const node = item ? item.node : null;
    if (node === pointed) return;
    pointed = node;
    exhibits.forEach((other) => {
      const keys = other === exhibit && item ? item.keys : [];
      const near = [...new Set(keys.flatMap((key) => nodesOf(other, key)))];
      if (!near.length && !other.near.length) return;
      other.near.forEach((old) => old.classList.remove("near", "here"));
      near.forEach((now) => now.classList.add("near"));
      if (near.length) node.classList.add("here");
      other.near = near;
      drawHalo(other);
    });
  };

  /**
   * Draw what a fold holds, and return the exhibit with it.
   * @param {Exhibit} exhibit
   * @param {Element | null} fold
   */
  const unfolded = (exhibit, fold) => {
    if (!fold || !drawFolded(fold)) return exhibit;
    const { root, chosen, isSuggested, lit, near, related } = exhibit;
    const next = Object.assign(readExhibit(root), { chosen, isSuggested, lit, near, related });
    exhibits[exhibits.indexOf(exhibit)] = next;
    return next;
  };

  /**
   * Return the exhibit with what a key leads to drawn, which may be in a fold.
   * @param {Exhibit} exhibit
   * @param {string | null} key
   */
  const withKey = (exhibit, key) => {
    const [metric, rest] = (key || "").split(".");
    const fold = rest && exhibit.root.querySelector(`[data-scope="${metric}"] > details`);
    const next = unfolded(exhibit, fold || null);
    const row = next.rowsByKey.get(key);
    return row && "counts" in row.dataset ? withLabels(next) : next;
  };
  /** @param {Exhibit} exhibit */
  const withLabels = (exhibit) => unfolded(exhibit, exhibit.root.querySelector(".tags"));

  /**
   * @param {Exhibit} shown
   * @param {string | null} chosen
   */
  const choose = (shown, chosen) => {
    const exhibit = withKey(shown, chosen);
    exhibit.chosen = chosen;
    exhibit.isSuggested = false;
    paint(exhibit);
    const { run, pageRun, key, isUnnamed } = exhibit;
    if (!isUnnamed) writeChoice(pageRun, key, chosen);
    const detail = { source: element, run: pageRun, key, chosen, isUnnamed };
    document.dispatchEvent(new CustomEvent("hallascope:choose", { detail }));
    const [kind, number] = chosen ? chosen.split("=") : [null, null];
    trigger("select", { run, key, chosen, kind, number: number && Number(number) });
  };

  /**
   * Choose the item. Chosen again, it leads to the next of its keys, and in the end to nothing. What
   * was only suggested is chosen first.
   * @param {Exhibit} exhibit
   * @param {Item} item
   */
  const press = (exhibit, item) => {
    const { own } = item;
    if (exhibit.isSuggested && [own, ...item.keys].includes(exhibit.chosen)) {
      choose(exhibit, exhibit.chosen);
      return;
    }
    if (own) {
      choose(exhibit, exhibit.chosen === own ? null : own);
      return;
    }
    const current = item.keys.indexOf(exhibit.chosen);
    const isOnlyKey = item.keys.length === 1 && current === 0;
    const next = isOnlyKey ? null : item.keys[(current + 1) % item.keys.length];
    choose(exhibit, next);
    const row = exhibit.rowsByKey.get(next);
    if (row && row !== item.node && !isStacked()) {
      row.scrollIntoView({ block: "nearest", behavior: "smooth" });
    }
  };

  /**
   * Store a person's own verdict on a finding beside the score, which it does not change.
   * @param {HTMLElement} button
   */
  const submitVerdict = async (button) => {
    if (!server) return; // an example of Learn
    const exhibit = exhibitAt(button);
    /** @type {HTMLElement} */
    const node = button.closest("[data-keys]");
    const metric = button.closest("[data-metric]");
    const on = button.getAttribute("aria-pressed") !== "true";
    const { said, taken, verdict } = button.dataset;
    const kept = await ask(server, "rate_finding", {
      run: exhibit.run,
      key: exhibit.key,
      metric: metric instanceof HTMLElement ? metric.dataset.metric : "",
      about: exhibit.items.get(node).keys[0].replace(/^.*\./, ""), // the metric is named apart
      value: on ? verdict : null,
    });
    exhibit.root.querySelector(".hint").textContent = kept.wrong || (on ? said : taken);
    if (!kept.wrong) button.setAttribute("aria-pressed", String(on));
  };

  /* --- outlines, boxes and labels can be switched off ------------------------------------------- */

  const showLayers = () => {
    element.dataset.shown = layers.join(" ");
    if (layers.includes("labels")) [...exhibits].map(withLabels).forEach(paint);
    findAll(element, "[data-show]").forEach((button) => {
      button.setAttribute("aria-pressed", String(layers.includes(button.dataset.show)));
    });
  };
  /** @param {string} name */
  const switchLayer = (name) => {
    const others = layers.filter((layer) => layer !== name);
    layers = layers.includes(name) ? others : [...layers, name];
    remember(LAYERS, layers.join(" "));
    showLayers();
    document.dispatchEvent(new CustomEvent("hallascope:layers", { detail: layers }));
  };

  /* --- events ----------------------------------------------------------------------------------- */

  // A choice made elsewhere on the page; the address names it already, or gets it here.
  document.addEventListener("hallascope:choose", ({ detail }) => {
    if (detail.source === element || !exhibits.length) return;
    if (!detail.isUnnamed) writeChoice(detail.run, detail.key, detail.chosen);
    exhibits
      .filter(({ pageRun, key }) => pageRun === detail.run && key === detail.key)
      .forEach((shown) => {
        const exhibit = withKey(shown, detail.chosen);
        exhibit.chosen = exhibit.nodesByKey.has(detail.chosen) ? detail.chosen : null;
        exhibit.isSuggested = false;
        paint(exhibit);
      });
  });
  document.addEventListener("hallascope:layers", ({ detail }) => {
    layers = detail;
    showLayers();
  });

  element.addEventListener("click", (event) => {
    const layer = closest(event, "[data-show]");
    const verdict = closest(event, "[data-verdict]");
    if (layer) {
      switchLayer(layer.dataset.show);
    } else if (verdict) {
      void submitVerdict(verdict);
    } else if (!closest(event, "summary, .raw, .revised, [data-zoom], .image-tags, .human")) {
      const { exhibit, item } = itemAt(event);
      if (item && item.keys.length) {
        press(exhibit, item);
        return;
      }
      const around = closest(event, ".overlay") && exhibitAt(event.target);
      if (around && around.chosen !== null) choose(around, null);
    }
  });

  element.addEventListener(
    "toggle",
    ({ target }) => {
      const exhibit = exhibitAt(target);
      if (!exhibit || !(target instanceof HTMLDetailsElement) || !target.open) return;
      const next = unfolded(exhibit, target);
      if (next !== exhibit) paint(next);
    },
    true,
  );

  element.addEventListener("keydown", (event) => {
    const exhibit = exhibitAt(event.target);
    if (!exhibit || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && exhibit.chosen !== null) {
      event.preventDefault();
      choose(exhibit, null);
      return;
    }
    const focused = /** @type {HTMLElement} */ (event.target);
    const buttons = exhibit.groups.get(focused);
    if (!buttons) return;
    const isRow = focused.matches(".lead-button");
    const group = isRow ? buttons.filter((button) => button.checkVisibility()) : buttons;
    if (!isRow && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      press(exhibit, itemAt(event).item);
      return;
    }
    const step = STEPS[/** @type {keyof typeof STEPS} */ (event.key)];
    if (!step || event.shiftKey) return;
    event.preventDefault();
    const next = group[(group.indexOf(focused) + step + group.length) % group.length];
    next.focus();
    if (!isRow) return;
    const item = exhibit.items.get(next.closest("[data-keys]"));
    choose(exhibit, item.own || item.keys[0]);
  });

  element.addEventListener("mouseover", (event) => {
    const { exhibit, item } = itemAt(event);
    point(exhibit, item);
  });
  element.addEventListener("focusin", (event) => {
    const { exhibit, item } = itemAt(event);
    point(exhibit, item);
    if (!item || item.button !== event.target) return;
    if (item.outline) zoom.reveal(item.node);
    const group = exhibit.groups.get(item.button);
    if (!group || item.button.matches(".lead-button")) return;
    group.forEach((button) => {
      button.tabIndex = button === item.button ? 0 : -1;
    });
  });
  element.addEventListener("mouseleave", () => point());
  element.addEventListener("focusout", () => point());

  /* --- an image comes -------------------------------------------------------------------------- */

  const refresh = () => {
    showTruth();
    /** @param {Exhibit} exhibit */
    const nameOf = (exhibit) => `${exhibit.run} ${exhibit.key}`;
    /** @param {Exhibit} exhibit */
    const chosenIn = (exhibit) => (exhibit.isSuggested ? null : exhibit.chosen);
    const before = new Map(exhibits.map((exhibit) => [nameOf(exhibit), chosenIn(exhibit)]));
    pointed = null;
    exhibits = findAll(element, ".exhibit").map(readExhibit);
    [...exhibits].forEach((shown) => {
      const isNamed = readAddress().get("image") === shown.key;
      const keys = [before.get(nameOf(shown)), ...(isNamed ? namedKeys() : [])];
      const exhibit = [...keys, shown.root.dataset.chosen].reduce(withKey, shown);
      const named = keys.find((each) => exhibit.nodesByKey.has(each));
      const key = named || exhibit.root.dataset.chosen;
      exhibit.chosen = exhibit.nodesByKey.has(key) ? key : null;
      exhibit.isSuggested = !named;
      paint(exhibit);
    });
    if (exhibits.length && exhibits.every((exhibit) => before.has(nameOf(exhibit)))) {
      zoom.show();
    } else {
      zoom.fit();
      findAll(element, "details").forEach((fold) => {
        fold.toggleAttribute("open", fold.hasAttribute("data-wrong"));
      });
    }
    showLayers();
    const hasAllMetrics = document.querySelector(".exhibit.all-metrics") !== null;
    document.documentElement.classList.toggle("with-all-metrics", hasAllMetrics);
    const [{ run = null, key = null } = {}] = exhibits;
    document.dispatchEvent(new CustomEvent(EVIDENCE_SHOWN, { detail: { element, run, key } }));
    if (exhibits.length) element.dataset.ready = "true";
  };
  watch("value", refresh);
  refresh();
  if (!server) return;
  mountKeys(
    { element, server },
    {
      shown: () => exhibits[0] || null,
      choose: (key) => choose(exhibits[0], key),
      say: (words) => {
        const hint = exhibits[0].root.querySelector(".hint");
        if (hint) hint.textContent = words;
      },
    },
  );
};
