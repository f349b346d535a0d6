// @ts-check
/* The slider lies over two images: dragging anywhere, or the arrow keys, moves the edge between
   them. */
import { closest } from "../js/dom.js";
/** @import { Component } from "../js/types.js" */

/** @param {Component} component */
export const mount = ({ element }) => {
  element.addEventListener("input", (event) => {
    const slide = closest(event, ".slide");
    if (!slide || !(event.target instanceof HTMLInputElement)) return;
    slide.style.setProperty("--edge", `${event.target.value}%`);
  });
};
