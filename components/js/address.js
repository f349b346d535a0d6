// @ts-check
/* Reads and writes the address of the page, where everything that a person has chosen stands. What a
   person opens has its own entry in the browser's history, so that Back and Forward move within the
   page; everything else changes the entry that is there. */

/** How many entries of this page lie before an entry; it is kept in the state of the entry. */
const DEPTH = "hallascopeDepth";
/** The event of the document after Back or Forward: the address is another one. */
export const RETURN = "hallascope:return";
/** The event of the document where a script names another place in the address. */
export const PLACE = "hallascope:place";

/** @returns {URLSearchParams} the query of the address; changing it changes no address */
export const readAddress = () => new URLSearchParams(location.search);

/** @param {URLSearchParams} query */
const addressOf = (query) => `${location.pathname}${query.size ? `?${query}` : ""}`;

/**
 * Return the query with some names changed; a value of null removes its name.
 * @param {Record<string, string | null>} changes
 */
const withChanges = (changes) => {
  const query = readAddress();
  Object.entries(changes).forEach(([name, value]) => {
    if (value === null) query.delete(name);
    else query.set(name, value);
  });
  return query;
};

/**
 * Write the query into the address without a new entry in the history.
 * @param {URLSearchParams} query
 */
export const writeAddress = (query) => {
  try {
    history.replaceState(history.state, "", addressOf(query));
  } catch {
    /* some browsers let no page from a disk change its address; the page works all the same */
  }
};

/**
 * Change some names of the query; a value of null removes its name.
 * @param {Record<string, string | null>} changes
 */
export const changeAddress = (changes) => writeAddress(withChanges(changes));

/** Return how many entries of this page Back can go through before it leaves the page. */
export const readDepth = () => Number(history.state?.[DEPTH]) || 0;

/**
 * Change some names of the query as a new entry in the history, from which Back leads to what is
 * shown now. Where nothing changes there is no new entry.
 * @param {Record<string, string | null>} changes
 */
export const pushAddress = (changes) => {
  const query = withChanges(changes);
  if (String(query) === String(readAddress())) return;
  try {
    history.pushState({ ...history.state, [DEPTH]: readDepth() + 1 }, "", addressOf(query));
  } catch {
    /* as above */
  }
};

/**
 * Open another place within the page, which a reload would make forget its typed keys.
 * @param {Record<string, string | null>} changes of the address
 */
export const goTo = (changes) => {
  pushAddress({ part: null, ...changes });
  document.dispatchEvent(new Event(PLACE));
};
