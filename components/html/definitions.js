// @ts-check
/* The foot of the page defines the scores that are shown: on the tab of a metric its own, on the
   leaderboard the chosen one, on the first tab those of the run that is shown. */
import { readAddress } from "../js/address.js";
import { findAll, make } from "../js/dom.js";

/** @type {Record<string, string>} the metric of a part of the first tab, by its id */
const PART_METRICS = {
  ihalla: "ihalla",
  fig: "fig",
  scene_graph: "scene-graph",
  factualbench: "factualbench",
};

/** @returns {string[]} */
const shownMetrics = () => {
  const selected = findAll(document, "#tabs [role=tab][aria-selected=true]");
  const open = selected.filter((tab) => tab.checkVisibility()).map((tab) => tab.dataset.tabId);
  const name = open[open.length - 1];
  if (name in PART_METRICS) return [PART_METRICS[name]];
  if (name === "leaderboard") return [readAddress().get("board-metric") ?? "ihalla"];
  /** @type {HTMLElement | null} */
  const images = name === "all" ? document.querySelector("#cards .pictures") : null;
  return (images?.dataset.metrics ?? "").split(" ");
};

const update = () => {
  /** @type {HTMLElement} */
  const foot = document.querySelector("[data-definitions]");
  const sentences = JSON.parse(foot.dataset.definitions);
  findAll(foot, "[data-defines]").forEach((line) => line.remove());
  const shown = shownMetrics().filter((name) => name in sentences);
  foot.prepend(...shown.map((name) => make("p", { "data-defines": name }, sentences[name])));
};

document.addEventListener("hallascope:board", update);
document.addEventListener("hallascope:run", update);

// The tabs and the foot are drawn after this is read; then each change of the open tab counts,
// whether a person or an address chose it.
const drawn = new MutationObserver(() => {
  const tabs = document.querySelector("#tabs");
  if (!tabs || !document.querySelector("[data-definitions]")) return;
  drawn.disconnect();
  new MutationObserver(update).observe(tabs, {
    attributes: true,
    attributeFilter: ["aria-selected"],
    subtree: true,
  });
  update();
});
drawn.observe(document.documentElement, { childList: true, subtree: true });
