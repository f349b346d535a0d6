// @ts-check
/* Shows the picture and the name of the point of the scatter plot that the mouse is over. */
import { watchFigures } from "../js/figures.js";
/** @import { Component } from "../js/types.js" */

/** @param {Component} component */
export const mount = ({ element }) => {
  /** @type {HTMLElement} */
  const box = element.querySelector(".hovered");
  const image = box.querySelector("img");

  /** @param {{points: {customdata?: [string, string], x: number, y: number}[], event: MouseEvent}} hover */
  const show = ({ points, event }) => {
    const [{ customdata, x, y }] = points;
    const [name, picture] = customdata || [];
    if (name === undefined) return;
    const shortName = /^[0-9a-f]{64}$/.test(name) ? name.slice(0, 12) : name;
    image.hidden = !picture;
    if (picture) image.src = picture;
    image.alt = picture ? `The image ${name.slice(0, 12)}` : "";
    box.querySelector("p").textContent =
      `${shortName}: ${x.toFixed(3)} by the metric, ${y.toFixed(2)} by people`;
    box.hidden = false;
    const left = Math.min(event.clientX + 18, innerWidth - box.offsetWidth - 8);
    const top = Math.min(event.clientY + 18, innerHeight - box.offsetHeight - 8);
    box.style.transform = `translate(${Math.max(8, left)}px, ${Math.max(8, top)}px)`;
  };
  const hide = () => {
    box.hidden = true;
  };

  watchFigures("#agreement-figure", (figure, isNew) => {
    if (!isNew) return;
    figure.on("plotly_hover", show);
    figure.on("plotly_unhover", hide);
  });
};
