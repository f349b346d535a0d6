// @ts-check
/* What belongs to the page as a whole: its look, and the tabs in its address. */
import { choiceChanges } from "../evidence/choice.js";
import { changeAddress, goTo, PLACE, pushAddress, readAddress, RETURN } from "../js/address.js";
import { closest, findAll } from "../js/dom.js";
import { listenForLook, rememberedLook, showLook } from "./look.js";

/** @typedef {{tab: string, part: string | null, first: boolean}} Place */

const TAB_BUTTONS = "#tabs .tab-wrapper :is([role=tab], .overflow-dropdown button)";
const OPEN_MENU = ".overflow-menu:has(.overflow-dropdown:not(.hide)) > button";

listenForLook();
// Gradio itself reads the system's preference, and the look that an address asks for.
if (!readAddress().get("__theme") && rememberedLook()) {
  const observer = new MutationObserver(() => {
    if (!document.querySelector("[data-look]")) return;
    observer.disconnect();
    showLook(rememberedLook());
  });
  observer.observe(document.documentElement, { childList: true, subtree: true });
}

/**
 * Return the tabs and their parts by title. The header lists them, since Gradio's menu of the tabs
 * that do not fit has nothing but titles.
 * @returns {Record<string, Place>}
 */
const readPlaces = () => {
  /** @type {HTMLElement} */
  const header = document.querySelector("[data-tabs]");
  return JSON.parse(header.dataset.tabs);
};

// The open tab stands in the address, beside the run and the image, and so does the open part of a
// tab that has several; the first of each is left out.
/** @type {Record<string, string | null>} the open part, by tab */
const parts = {};
/** Whether a script opens what the address names, which stays as it is. */
let isFollowing = false;
document.addEventListener("click", (event) => {
  const button = closest(event, TAB_BUTTONS);
  const place = button && readPlaces()[button.textContent.trim()];
  if (!place || isFollowing) return;
  if (place.part) parts[place.tab] = place.first ? null : place.part;
  const part = parts[place.tab] || null;
  const isFirst = place.first && !place.part && !part; // a part is opened only with its tab
  pushAddress({ tab: isFirst ? null : place.tab, part });
});

/** @type {Record<string, string>} the names of tabs and parts in addresses of version 0.1.0 */
const RENAMED = { explore: "evaluate", people: "labels", teach: "learn" };

/** Return the names of the tab and the part that the address names, or of the first tab. */
const namedPlace = () => {
  const query = readAddress();
  const places = Object.values(readPlaces());
  const named = query.get("tab") || places.find((place) => place.first).tab;
  const tab = RENAMED[named] || named;
  const part = places.find((place) => place.part !== null && place.part === tab);
  return part || { tab, part: query.get("part") };
};

/**
 * Press the button of a tab, or of a part of one, unless it is the open one; false where the button
 * is not there yet.
 * @param {(place: Place) => boolean} isWanted
 */
const openPlace = (isWanted) => {
  const places = readPlaces();
  const buttons = findAll(document, TAB_BUTTONS).filter((button) => {
    const place = places[button.textContent.trim()];
    return place && isWanted(place);
  });
  // Gradio keeps a second row of the tabs to measure them, which nobody sees
  const button = buttons.find((each) => each.checkVisibility()) || buttons[0];
  if (button && button.getAttribute("aria-selected") !== "true") {
    isFollowing = true;
    button.click();
    isFollowing = false;
  }
  return Boolean(button);
};

/**
 * Open the tab and the part that the address names. Older addresses name a part in place of its tab.
 */
const showPlace = () => {
  const { tab, part } = namedPlace();
  openPlace((place) => !place.part && place.tab === tab);
  /** @param {Place} place */
  const isPart = (place) =>
    place.part !== null && place.tab === tab && (part ? place.part === part : place.first);
  if (!Object.values(readPlaces()).some(isPart) || openPlace(isPart)) return;
  const observer = new MutationObserver(() => {
    if (openPlace(isPart)) observer.disconnect();
  });
  observer.observe(document.body, { childList: true, subtree: true });
};

// Gradio opens the first tab. The run of the address is known by then, so that no tab is filled with
// another one first.
document.addEventListener("hallascope:opened", () => {
  if (!readAddress().get("tab")) return;
  const { tab, part } = namedPlace();
  parts[tab] = part;
  changeAddress({ tab, part });
  showPlace();
});

const follow = () => {
  if (!document.querySelector("[data-tabs]")) return;
  const { tab, part } = namedPlace();
  parts[tab] = part;
  showPlace();
  document.dispatchEvent(new Event(RETURN));
};
addEventListener("popstate", follow);
document.addEventListener(PLACE, follow);

/* --- the keyboard ------------------------------------------------------------------------------- */

/**
 * Return the tabs of a row that can be seen, from left to right.
 * @param {Element} row
 */
const tabsIn = (row) => findAll(row, "[role=tab]").filter((tab) => tab.checkVisibility());

/** Let the Tab key come by each row of tabs once, at its open tab. */
const keepOneStop = () => {
  findAll(document, "[role=tablist]").forEach((row) => {
    tabsIn(row).forEach((tab) => {
      tab.tabIndex = tab.getAttribute("aria-selected") === "true" ? 0 : -1;
    });
  });
};
let waiting = 0;
new MutationObserver(() => {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(keepOneStop);
}).observe(document.documentElement, {
  childList: true,
  subtree: true,
  attributeFilter: ["aria-selected"],
});

// The arrow keys, Home and End open the other tabs of a row.
document.addEventListener("keydown", (event) => {
  const tab = closest(event, "[role=tab]");
  if (!tab) return;
  const tabs = tabsIn(tab.closest("[role=tablist]"));
  const place = tabs.indexOf(tab);
  /** @type {Record<string, number>} */
  const places = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: tabs.length - 1 };
  if (place < 0 || !(event.key in places)) return;
  event.preventDefault();
  const next = tabs[(places[event.key] + tabs.length) % tabs.length];
  next.focus();
  next.click();
});

document.addEventListener("click", (event) => {
  if (!closest(event, ".skip-link")) return;
  event.preventDefault();
  const panel = findAll(document, "#tabs > [role=tabpanel]").find((each) => each.checkVisibility());
  panel.tabIndex = -1;
  panel.focus();
});

// Gradio's menu of the tabs that do not fit closes by a click beside it only.
document.addEventListener("keydown", (event) => {
  /** @type {HTMLElement | null} */
  const menu = event.key === "Escape" ? document.querySelector(OPEN_MENU) : null;
  if (!menu) return;
  event.preventDefault();
  menu.click();
  menu.focus();
});

// A link to another place of the page opens it here; with Ctrl and the like, and one to a run while
// another is at work, it is a link as any other.
document.addEventListener(
  "click",
  (event) => {
    const link = closest(event, 'a[href^="?tab="]:not([data-slice-filter])');
    const named = Object.fromEntries(new URLSearchParams(link?.getAttribute("href") || ""));
    if (
      !link ||
      !document.querySelector("[data-tabs]") ||
      (named.run && document.querySelector("#stop:not(:disabled)")) ||
      event.ctrlKey ||
      event.metaKey ||
      event.shiftKey ||
      event.button
    )
      return;
    event.preventDefault();
    event.stopPropagation();
    goTo({ ...(named.image ? choiceChanges(null) : {}), ...named });
  },
  true,
);
