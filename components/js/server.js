// @ts-check
/* Asks the Python side of a component, and turns a lost connection into a sentence. */
/** @import { Component } from "./types.js" */

/** What is shown where the server cannot be reached. */
const NO_ANSWER = "The server did not answer. Try again, or reload the page.";

/**
 * Return what the function of the server returns, or `{wrong: sentence}` where it cannot be asked.
 * @param {Component["server"]} server
 * @param {string} name
 * @param {unknown} request
 * @returns {Promise<any>}
 */
export const ask = async (server, name, request) => {
  try {
    const reply = await server[name](request);
    // Gradio gives nothing where it reached nobody (gradio 6.31)
    return reply === undefined ? { wrong: NO_ANSWER } : reply;
  } catch {
    return { wrong: NO_ANSWER };
  }
};
