// @ts-check
/* Remembers things for a visit, until this tab of the browser is closed. A private window may keep
   nothing, and nothing depends on it. */

/**
 * Return what was kept under a name, or null where nothing was.
 * @param {string} name
 * @returns {any}
 */
export const recallInVisit = (name) => {
  try {
    return JSON.parse(sessionStorage.getItem(name));
  } catch {
    return null;
  }
};

/**
 * @param {string} name
 * @param {unknown} value what JSON can hold
 */
export const rememberInVisit = (name, value) => {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    /* a private window, or no room */
  }
};
