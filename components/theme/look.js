/* What belongs to the page as a whole. Light or dark: what the person chose last, else what the system prefers (Gradio reads the system itself). */
(function () {
  "use strict";
  const KEY = "hallascope-look";
  const remembered = () => { try { return localStorage.getItem(KEY); } catch { return null; } };
  const set = (look) => {
    document.body.classList.toggle("dark", look === "dark");
    document.querySelectorAll("[data-look]").forEach((button) => {
      button.setAttribute("aria-pressed", String(look === "dark"));
    });
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest("[data-look]");
    if (!button) return;
    const next = document.body.classList.contains("dark") ? "light" : "dark";
    try { localStorage.setItem(KEY, next); } catch { /* a private window keeps nothing */ }
    set(next);
  });
  /* The open tab goes into the address, beside the run and the image, and so does the open part of a tab that has several; the first of
     each needs no mention. The header lists them all by title, since Gradio's menu of the tabs that do not fit has nothing else. */
  const titles = () => JSON.parse(document.querySelector("[data-tabs]").dataset.tabs);
  const opened = new URLSearchParams(location.search);
  const parts = { [opened.get("tab")]: opened.get("part") }; // the open part, by tab
  document.addEventListener("click", (event) => {
    const button = event.target.closest && event.target.closest("#tabs .tab-wrapper :is([role=tab], .overflow-dropdown button)");
    const place = button && titles()[button.textContent.trim()];
    if (!place) return;
    const address = new URLSearchParams(location.search);
    if (place.part) parts[place.tab] = place.first ? null : place.part;
    if (place.first && !place.part) address.delete("tab"); else address.set("tab", place.tab);
    if (parts[place.tab]) address.set("part", parts[place.tab]); else address.delete("part");
    history.replaceState(history.state, "", `${location.pathname}${address.size ? "?" + address : ""}`);
  });
  /* Gradio's menu of the tabs that do not fit closes by a click beside it only. */
  document.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && document.querySelector(".overflow-menu:has(.overflow-dropdown:not(.hide)) > button");
    if (!menu) return;
    event.preventDefault();
    menu.click();
    menu.focus();
  });
  /* The chip of a judge opens the tab that tells how far it can be trusted; with a key held it is a link like any other. */
  document.addEventListener("click", (event) => {
    const chip = event.target.closest && event.target.closest("a.judge-chip");
    const tab = document.querySelector("#tabs [role=tab][data-tab-id=judges]");
    if (!chip || !tab || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    event.stopPropagation();
    const address = new URLSearchParams(location.search);
    address.set("judge", chip.dataset.judge);
    history.replaceState(history.state, "", `${location.pathname}?${address}`);
    tab.click();
    document.dispatchEvent(new CustomEvent("hallascope:judge"));
  }, true);
  const asked = new URLSearchParams(location.search).get("__theme");
  if (!asked && remembered()) {
    const wait = new MutationObserver(() => {
      if (document.querySelector("[data-look]")) { wait.disconnect(); set(remembered()); }
    });
    wait.observe(document.documentElement, { childList: true, subtree: true });
  }
})();
