// @ts-check
/* Reads and writes the address of the page, where everything that a person has chosen stands. */

/** @returns {URLSearchParams} the query of the address; changing it changes no address */
export const readAddress = () => new URLSearchParams(location.search);

/**
 * Write the query into the address without a new entry in the history.
 * @param {URLSearchParams} query
 */
export const writeAddress = (query) => {
  const search = query.size ? `?${query}` : "";
  try {
    history.replaceState(history.state, "", `${location.pathname}${search}`);
  } catch {
    /* some browsers let no page from a disk change its address; the page works all the same */
  }
};

/**
 * Change some names of the query; a value of null removes its name.
 * @param {Record<string, string | null>} changes
 */
export const changeAddress = (changes) => {
  const query = readAddress();
  Object.entries(changes).forEach(([name, value]) => {
    if (value === null) query.delete(name);
    else query.set(name, value);
  });
  writeAddress(query);
};
