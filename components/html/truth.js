// @ts-check
/* The truth beside the judge's verdicts: whether it is shown, and whether only that is shown where
   the judge is wrong. Both stand in the address and hold for all that the page shows. */
import { changeAddress, readAddress, RETURN } from "../js/address.js";
import { closest, findAll } from "../js/dom.js";

/** What Gradio's style sheets reach, else the page. */
const page = () => /** @type {HTMLElement} */ (document.querySelector("#tabs")) ?? document.body;

/** @returns {"on" | "off" | "auto"} what the address says; auto: shown where a drawing tells it */
const readTruth = () => {
  const named = readAddress().get("truth");
  return named === "on" || named === "off" ? named : "auto";
};

/** @param {HTMLElement} bar */
const isShown = (bar) => {
  const truth = readTruth();
  return (truth === "auto" ? bar.dataset.truthDefault : truth) === "on";
};

const isFiltered = () => readAddress().get("verdicts") === "wrong";

/** Show what the address says, also in what has just come. */
export const showTruth = () => {
  const bars = findAll(document, ".truth-bar");
  page().dataset.truth = readTruth();
  // what is hidden filters nothing
  const filters = isFiltered() && bars.some(isShown);
  page().dataset.verdicts = filters ? "wrong" : "all";
  bars.forEach((bar) => {
    const states = { "[data-truth-switch]": isShown(bar), "[data-wrong-filter]": filters };
    Object.entries(states).forEach(([button, on]) => {
      bar.querySelector(button).setAttribute("aria-pressed", String(on));
    });
  });
};

document.addEventListener(RETURN, showTruth);
document.addEventListener("click", (event) => {
  const bar = closest(event, ".truth-bar");
  if (closest(event, "[data-truth-switch]")) {
    const truth = isShown(bar) ? "off" : "on";
    changeAddress({ truth: truth === bar.dataset.truthDefault ? null : truth });
  } else if (closest(event, "[data-wrong-filter]")) {
    changeAddress({ verdicts: isFiltered() ? null : "wrong" });
  } else {
    return;
  }
  showTruth();
});
