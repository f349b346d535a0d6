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
 * @param {string | null} value null: nothing is kept any more
 */
export const remember = (key, value) => {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    /* a private window */
  }
};
