// @ts-check
/* Asks the server of a class. */

/** @param {number} time in ms */
export const wait = (time) =>
  new Promise((done) => {
    setTimeout(done, time);
  });

/** @param {unknown} message */
export const asJson = (message) => ({
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify(message),
});

/**
 * Return why the server refused what it was sent.
 * @param {Response} response
 */
export const sentenceOf = async (response) => {
  try {
    return (await response.json()).error || "The server gave no reason.";
  } catch {
    return "The server gave no reason.";
  }
};

/**
 * Send a request; nothing of it is kept by the browser.
 * @param {string} address
 * @param {Record<string, string>} headers
 * @param {RequestInit} options
 */
export const send = (address, headers, options = {}) =>
  fetch(address, {
    cache: "no-store",
    ...options,
    headers: { ...headers, .../** @type {Record<string, string>} */ (options.headers) },
  });
