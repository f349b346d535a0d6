// @ts-check
/* Builds and finds nodes. Text that people wrote becomes text nodes here and never markup. */

/**
 * Make an element. An attribute `onclick` is a listener, `true` an attribute without a value;
 * attributes that are `false` or `null` and children that are `null` are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} attributes
 * @param {(Node | string | number | null)[]} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export const make = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  Object.entries(attributes).forEach(([name, value]) => {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null) node.setAttribute(name, value);
  });
  children
    .filter((child) => child !== null)
    .forEach((child) => node.append(child instanceof Node ? child : String(child)));
  return node;
};

/**
 * Return the elements that match the selector, in the order of the page.
 * @template {HTMLElement} [Found=HTMLElement]
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {Found[]}
 */
export const findAll = (root, selector) => {
  /** @type {NodeListOf<Found>} */
  const found = root.querySelectorAll(selector);
  return [...found];
};

/**
 * Return the nearest element around the target of an event that matches the selector, or null.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
export const closest = (event, selector) =>
  event.target instanceof Element ? event.target.closest(selector) : null;

/**
 * Draw what a node holds as text, as it need not be laid out before (`undrawn` in Python); false
 * where nothing is left to draw.
 * @param {Element} node
 */
export const drawFolded = (node) => {
  const text = node.querySelector(":scope > noscript");
  if (text) text.outerHTML = text.textContent;
  return text !== null;
};

/**
 * Hand a file to the person.
 * @param {string} name
 * @param {BlobPart} content
 * @param {string} type its media type
 */
export const saveFile = (name, content, type) => {
  const url = URL.createObjectURL(new Blob([content], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
};

/**
 * Return the bytes of a file that the server sends as text.
 * @param {string} text
 */
export const readBase64 = (text) =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
