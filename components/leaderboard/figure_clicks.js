// @ts-check
/* The paragraphs beneath a figure of a leaderboard are its name for screen readers, and a click on one
   of its bars is announced; buttons with `data-image` download the figure. Bars, dots and cells keep their width on a phone, where the figure scrolls
   sideways, and a figure of many bars says how wide it must be; a radar fits. */
import { closest, findAll } from "../js/dom.js";
import { watchFigures } from "../js/figures.js";
/** @import { Component, PlotlyFigure } from "../js/types.js" */

/** @param {PlotlyFigure} figure */
const fitWidth = (figure) => {
  const scrolls = (figure.data || []).some(({ type }) => type !== "scatterpolar");
  /** @type {HTMLElement} */
  const box = figure.closest("#board-figure");
  const leastWidth = figure.layout?.meta?.leastWidth;
  const width = leastWidth ? `${leastWidth}px` : "";
  const isSame = box.style.getPropertyValue("--least-width") === width;
  if (isSame && box.classList.contains("fits") === !scrolls) return;
  box.style.setProperty("--least-width", width);
  box.classList.toggle("fits", !scrolls);
  window.dispatchEvent(new Event("resize")); // Plotly measures its width again
};

/** @param {{points: {customdata?: [string, string]}[]}} event */
const announceBar = ({ points }) => {
  const [model, group] = points[0].customdata || [];
  if (model === undefined) return;
  document.dispatchEvent(new CustomEvent("hallascope:bar", { detail: { model, group } }));
};

/**
 * Announce clicks on a radar: Plotly tells of none there where nothing can be dragged, but of what the
 * mouse is over.
 * @param {PlotlyFigure} figure
 */
const announceRadarClicks = (figure) => {
  /** @type {Parameters<typeof announceBar>[0] | null} */
  let hovered = null;
  figure.on("plotly_hover", (event) => {
    hovered = event;
  });
  figure.on("plotly_unhover", () => {
    hovered = null;
  });
  figure.addEventListener("click", () => {
    const isRadar = (figure.data || []).some(({ type }) => type === "scatterpolar");
    if (isRadar && hovered) announceBar(hovered);
  });
};

/**
 * Download the figure in dark words on white paper, whatever the look of the page is.
 * @param {string} format in capitals
 */
const downloadFigure = (format) => {
  /** @type {PlotlyFigure | null} */
  const figure = document.querySelector("#board-figure .js-plotly-plot");
  if (!figure) return;
  const font = { ...figure.layout.font, color: "#1d1f24" };
  const layout = { ...figure.layout, font, paper_bgcolor: "#ffffff" };
  const { clientWidth: width, clientHeight: height } = figure;
  const options = {
    format: format.toLowerCase(),
    filename: "leaderboard",
    width,
    height,
    scale: 2,
  };
  window.Plotly.downloadImage({ data: figure.data, layout }, options);
};

/** @param {Component} component */
export const mount = ({ element, watch }) => {
  const look = watchFigures("#board-figure", (figure, isNew) => {
    const words = findAll(element, "p")
      .map((paragraph) => paragraph.textContent.trim())
      .join(" ");
    if (figure.getAttribute("aria-label") !== words) {
      figure.setAttribute("role", "img");
      figure.setAttribute("aria-label", words);
    }
    fitWidth(figure);
    if (!isNew) return;
    figure.on("plotly_click", announceBar);
    announceRadarClicks(figure);
  });

  element.addEventListener("click", (event) => {
    const button = closest(event, "[data-image]");
    if (button) downloadFigure(button.dataset.image);
  });
  watch("value", look);
};
