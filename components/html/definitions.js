// @ts-check
/* The foot of the page defines the scores that are shown: on the tab of a metric its own, on the
   leaderboard the chosen one, on the first tab all that are chosen. */
import { findAll } from "../js/dom.js";

/** @type {Record<string, string>} the metric of a tab, by its id */
const TAB_METRICS = {
  ihalla: "ihalla",
  fig: "fig",
  scene_graph: "scene-graph",
  factualbench: "factualbench",
};
/** @type {Record<string, string>} where a tab has its metrics to choose, by its id */
const CHOICES = {
  explore: "#metrics input:checked",
  leaderboard: "#board input[name=board-metric]:checked",
};

const shownMetrics = () => {
  /** @type {HTMLElement | null} */
  const tab = document.querySelector("#tabs [role=tab][aria-selected=true]");
  const name = tab?.dataset.tabId ?? "";
  if (name in TAB_METRICS) return [TAB_METRICS[name]];
  /** @type {HTMLInputElement[]} */
  const boxes = name in CHOICES ? findAll(document, CHOICES[name]) : [];
  return boxes.map((box) => box.value);
};

const update = () => {
  const shown = shownMetrics();
  for (const line of findAll(document, "[data-defines]"))
    line.hidden = !shown.includes(line.dataset.defines);
};

// a chip is checked after the event
window.addEventListener("change", () => setTimeout(update, 0), true);

// The tabs and the foot are drawn after this is read; then each change of the open tab counts,
// whether a person or an address chose it.
const drawn = new MutationObserver(() => {
  const tabs = document.querySelector("#tabs .tab-wrapper");
  if (!tabs || !document.querySelector("[data-defines]")) return;
  drawn.disconnect();
  new MutationObserver(update).observe(tabs, {
    attributes: true,
    attributeFilter: ["aria-selected"],
    childList: true,
    subtree: true,
  });
  update();
});
drawn.observe(document.documentElement, { childList: true, subtree: true });

// the chips of the first tab come after the tabs
const offered = new MutationObserver(() => {
  if (!document.querySelector(CHOICES.explore)) return;
  offered.disconnect();
  update();
});
offered.observe(document.documentElement, { childList: true, subtree: true });
