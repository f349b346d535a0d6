// @ts-check
/* Finds the figures of Plotly. Gradio draws them again with each change, so they are looked for each
   time. */
import { findAll } from "./dom.js";
/** @import { PlotlyFigure } from "./types.js" */

/**
 * Call `see` with each figure in what the selector matches, at each change of the page; a figure is
 * new once, when it can be listened to. Return what looks for the figures at once.
 * @param {string} selector
 * @param {(figure: PlotlyFigure, isNew: boolean) => void} see
 */
export const watchFigures = (selector, see) => {
  const look = () =>
    findAll(document, `${selector} .js-plotly-plot`).forEach(
      (/** @type {PlotlyFigure} */ figure) => {
        const isNew = Boolean(figure.on) && !figure.dataset.heard;
        if (isNew) figure.dataset.heard = "true";
        see(figure, isNew);
      },
    );
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  look();
  return look;
};
