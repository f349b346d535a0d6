// @ts-check
/* What a person points at and selects on the map, which Gradio's plot shows: a lasso, a box or a click
   fires `select` with the evaluations of the points. */
import { changeAddress } from "../js/address.js";
import { watchFigures } from "../js/figures.js";
import { ask } from "../js/server.js";
/** @import { Component } from "../js/types.js" */
/** @typedef {{customdata: number}} Point */

/** @param {Component} component */
export const mount = ({ element, server, trigger, watch }) => {
  let under = -1; // the evaluation that the mouse is on

  /** @param {Point[]} points */
  const select = (points) =>
    trigger("select", { evaluations: points.map(({ customdata }) => customdata) });

  /** @returns {HTMLElement | null} */
  const hover = () => element.querySelector(".map-hover");
  const hide = () => {
    under = -1;
    if (hover()) hover().hidden = true;
  };
  /** @param {{points: Point[], event: MouseEvent}} what */
  const describe = async ({ points, event }) => {
    const [{ customdata: evaluation }] = points;
    under = evaluation;
    const image = await ask(server, "describe", { evaluation });
    const box = hover();
    if (under !== evaluation || image.wrong || !box) return;
    box.innerHTML = image.html; // which Python has escaped
    const left = Math.min(event.clientX + 18, innerWidth - 230);
    const top = Math.min(event.clientY + 18, innerHeight - 260);
    box.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
    box.hidden = false;
  };

  const lookAgain = watchFigures("#errors-map-plot", (figure, isNew) => {
    figure.setAttribute("role", "figure"); // with buttons of Plotly in it
    figure.setAttribute("aria-label", element.querySelector(".map-words")?.textContent ?? "");
    if (!isNew) return;
    figure.on("plotly_selected", (event) => select(event?.points || []));
    figure.on("plotly_deselect", () => select([]));
    figure.on("plotly_click", ({ points }) => select(points.slice(0, 1)));
    figure.on("plotly_hover", describe);
    figure.on("plotly_unhover", hide);
  });
  watch("value", () => {
    /** @type {HTMLElement | null} */
    const words = element.querySelector("[data-address]");
    if (words) changeAddress(JSON.parse(words.dataset.address));
    lookAgain();
  });
};
