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
  /* The open tab goes into the address, beside the run and the image; the first needs no mention. */
  document.addEventListener("click", (event) => {
    const tab = event.target.closest && event.target.closest("#tabs [role=tab][data-tab-id]");
    if (!tab) return;
    const first = document.querySelector("#tabs [role=tab][data-tab-id]").dataset.tabId;
    const address = new URLSearchParams(location.search);
    if (tab.dataset.tabId === first) address.delete("tab"); else address.set("tab", tab.dataset.tabId);
    history.replaceState(history.state, "", `${location.pathname}${address.size ? "?" + address : ""}`);
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
