// @ts-check
/* Names of the leaderboard's choices in the address. */

/** What every name of the leaderboard begins with. */
export const PREFIX = "board-";
/** What a person can pick behind the bars. */
export const PICKS = ["model", "group", "page", "prompt", "picture"];
