// @ts-check
/* The script of the page as a whole; each component loads its own module. */
import "../html/definitions.js";
import "../html/fields/key_field.js";
import "../theme/page_look.js";
