// @ts-check
/* Remembers settings in the browser. A private window keeps nothing, and nothing depends on it. */

/**
 * @param {string} key
 * @returns {string | null}
 */
export const recall = (key) => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

/**
 * @param {string} key
 * @param {string} value
 */
export const remember = (key, value) => {
  try {
    localStorage.setItem(key, value);
  } catch {
    /* a private window */
  }
};
