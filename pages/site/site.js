// @ts-check
/* The script of a site that needs no server: its look, and the evidence viewer of the dashboard. */
import { mount as mountViewer } from "../../components/evidence/viewer.js";
import { showTruth } from "../../components/html/truth.js";
import { findAll } from "../../components/js/dom.js";
import { listenForLook, rememberedLook, showLook } from "../../components/theme/look.js";

const systemLook = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
showLook(rememberedLook() || systemLook);
listenForLook();
showTruth();
findAll(document, "[data-viewer]").forEach((element) => {
  mountViewer({ element, trigger: () => {}, watch: () => {} });
  element.dataset.ready = "";
});
