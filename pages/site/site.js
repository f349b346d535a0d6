/* A site that needs no server: the look that was chosen, and the evidence viewer of the dashboard in every place kept for one. */
(() => {
  "use strict";
  const KEY = "hallascope-look";
  const remembered = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const show = (look) => {
    document.body.classList.toggle("dark", look === "dark");
    document.querySelectorAll("[data-look]").forEach((button) => button.setAttribute("aria-pressed", String(look === "dark")));
  };
  show(remembered() || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-look]")) return;
    const next = document.body.classList.contains("dark") ? "light" : "dark";
    try { localStorage.setItem(KEY, next); } catch { /* a private window keeps nothing */ }
    show(next);
  });

  /* Some browsers let no page from a disk change its address; all but the link to what is chosen works there, too. */
  const replace = history.replaceState.bind(history);
  history.replaceState = (...given) => { try { replace(...given); } catch { /* it stays as it is */ } };

  const viewer = (element, trigger, watch) => {
/* THE VIEWER */
  };
  document.querySelectorAll("[data-viewer]").forEach((element) => { viewer(element, () => {}, () => {}); element.dataset.ready = ""; });
})();
