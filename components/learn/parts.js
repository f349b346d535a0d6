// @ts-check
/* Opens another part of the Learn tab. */

/** @param {string} part such as "find" */
export const openPart = (part) => {
  /** @type {HTMLElement} */
  const tab = document.querySelector(`#learn-parts [role=tab][data-tab-id=${part}]`);
  tab.click();
};
