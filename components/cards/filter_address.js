// @ts-check
/* How the filters of the images stand in the address. */

/** @typedef {{state: string | null, coi: string | null, model: string | null}} Filters */

export const STATES = ["missed", "found", "false-alarm", "not-asked", "unanswered"];
/** @type {Record<string, null>} the address without filters */
export const NO_FILTERS = { state: null, coi: null, model: null };

/**
 * Return the filters that an address names; a state that there is not counts as none.
 * @param {URLSearchParams} query
 * @returns {Filters}
 */
export const readFilters = (query) => {
  const state = query.get("state") || null;
  return {
    state: STATES.includes(state) ? state : null,
    coi: query.get("coi") || null,
    model: query.get("model") || null,
  };
};

/**
 * Say whether an image passes: one of its facts has the state and the question type that are wanted.
 * @param {string[][]} facts pairs of a state and a question type
 * @param {string} model
 * @param {Filters} filters
 */
export const passes = (facts, model, filters) => {
  if (filters.model && filters.model !== model) return false;
  if (!filters.state && !filters.coi) return true;
  return facts.some(
    ([state, coi]) =>
      (!filters.state || filters.state === state) && (!filters.coi || filters.coi === coi),
  );
};
