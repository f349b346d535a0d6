// @ts-check
/* The panel of runs: a dialog that lists them, where a person opens, names, pins and deletes runs, or
   chooses two to be compared on the Errors tab. That it is open stands in the address; Back closes it,
   and goes back to the run before. */
import { changeAddress, goTo, pushAddress, readAddress, readDepth, RETURN } from "../js/address.js";
import { closest, findAll, make } from "../js/dom.js";
import { ask } from "../js/server.js";
import { choiceChanges } from "../evidence/choice.js";
import { requestedRuns, RUN_SHOWN } from "../cards/cards.js";
/** @import { Component } from "../js/types.js" */

const PANEL = "runs"; // in the address
const PAGE = 30; // runs that are listed at first, and with every "Show more"
const MOST = 600;
const PAUSE = 250; // milliseconds without typing before a text is searched
/** @type {Record<string, null>} what the panel writes into the address */
const CLOSED = { panel: null, find: null };

/** Return the run that is shown; "" without one, as the example that ships is no run of a person. */
const shownRun = () => {
  /** @type {HTMLElement | null} */
  const grid = document.querySelector("#cards .pictures:not([data-unnamed])");
  return (grid && grid.dataset.run) || "";
};

/** Say whether a run is at work, which would show its own images again at once. */
const isRunning = () => document.querySelector("#stop:not(:disabled)") !== null;

/** @param {Component} component */
export const mount = ({ element, server, trigger }) => {
  /** @type {HTMLButtonElement} */
  const opener = element.querySelector(".runs-open");
  /** @type {HTMLTemplateElement} */
  const template = element.querySelector("template"); // the page has the dialog once it is opened
  /** @type {HTMLDialogElement} */
  const dialog = template.content.querySelector(".runs-dialog");
  /** @type {HTMLElement} */
  const body = dialog.querySelector(".runs-body");
  /** @type {HTMLElement} */
  const status = dialog.querySelector(".runs-status");
  /** @type {HTMLInputElement} */
  const search = dialog.querySelector(".runs-search");
  /** @type {HTMLButtonElement} */
  const compareButton = dialog.querySelector(".runs-compare");
  /** @type {string[]} */
  let chosen = []; // to be compared, at most two
  let limit = PAGE;
  let requests = 0; // what comes for an earlier one is too late
  let depth = -1; // of the entry from which the panel was opened; -1: the address opened it
  /** @type {ReturnType<typeof setTimeout>} */
  let timer;
  /** @type {string | null} */
  let coming = null; // the run that was asked for and is not shown yet

  const say = (/** @type {string} */ words, isWrong = false) => {
    status.textContent = words;
    status.classList.toggle("wrong", isWrong);
  };

  /* --- the list ---------------------------------------------------------------- */

  const showChoices = () => {
    findAll(body, ".run-choose").forEach((box) => {
      /** @type {HTMLInputElement} */ (box).checked = chosen.includes(
        /** @type {HTMLInputElement} */ (box).value,
      );
    });
    compareButton.disabled = chosen.length !== 2;
  };

  /** List the runs, unless something else was searched meanwhile. */
  const list = async () => {
    requests += 1;
    const own = requests;
    body.setAttribute("aria-busy", "true");
    const view = await ask(server, "list_runs", { text: search.value, limit });
    if (own !== requests) return;
    body.removeAttribute("aria-busy");
    say(view.wrong || "", Boolean(view.wrong));
    if (view.wrong) body.replaceChildren();
    else body.innerHTML = view.html; // escaped where Python builds it
    showChoices();
  };

  /* --- opening and closing ------------------------------------------------------------------------ */

  const follow = () => {
    const isNamed = readAddress().get("panel") === PANEL;
    if (!isNamed) {
      if (dialog.open) dialog.close();
      return;
    }
    if (dialog.open) return;
    template.after(dialog);
    dialog.showModal();
    search.value = readAddress().get("find") || "";
    list();
  };

  const open = () => {
    depth = readDepth();
    limit = PAGE;
    chosen = [];
    showChoices(); // of the list from before, until the new one is there
    pushAddress({ panel: PANEL });
    follow();
  };

  /** Close the panel: go back to where it was opened, so that Back does not open it again. */
  const close = () => {
    const steps = readDepth() - depth;
    if (depth >= 0 && steps > 0) {
      history.go(-steps);
    } else {
      changeAddress(CLOSED);
      follow();
    }
  };

  /**
   * Open a run on the page.
   * @param {string} run
   */
  const openRun = (run) => {
    pushAddress({ ...CLOSED, ...choiceChanges(null), run, image: null });
    follow();
    coming = run;
    requestedRuns.add(run);
    trigger("select", { run });
  };

  /** Open the run of the address where the page shows another one, and does not open it already. */
  const followRun = () => {
    const run = readAddress().get("run") || "";
    if (run === shownRun() || run === coming || isRunning()) return;
    coming = run;
    requestedRuns.add(run);
    trigger("select", { run });
  };

  /* --- what a person does with a run -------------------------------------------------------------- */

  /**
   * Put a form in the place of a run's buttons; Escape or its button takes it away.
   * @param {HTMLElement} card
   * @param {(Node | string)[]} content
   * @param {() => void} submit
   */
  const putForm = (card, content, submit) => {
    const actions = /** @type {HTMLElement} */ (card.querySelector(".run-actions"));
    const form = make("form", { class: "run-form" }, ...content);
    const end = () => {
      form.remove();
      actions.hidden = false;
      /** @type {HTMLElement} */ (actions.querySelector("button")).focus();
    };
    form.append(make("button", { type: "button", class: "run-cancel", onclick: end }, "Cancel"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      submit();
    });
    actions.hidden = true;
    actions.after(form);
    /** @type {HTMLElement} */ (form.querySelector("input, button")).focus();
  };

  /**
   * Ask for a change, list the runs again, and say what was done.
   * @param {string} name
   * @param {Record<string, unknown>} request
   * @param {string} done
   */
  const change = async (name, request, done) => {
    const result = await ask(server, name, request);
    if (result.wrong) {
      say(result.wrong, true);
      return result;
    }
    await list();
    say(done);
    /** @type {HTMLElement | null} */
    const again = body.querySelector(`[data-run="${CSS.escape(String(request.run))}"] .run-name`);
    (again || body).focus();
    return result;
  };

  /** @param {HTMLElement} card */
  const rename = (card) => {
    const { run, name } = card.dataset;
    const field = make("input", {
      type: "text",
      value: name,
      maxlength: 120,
      "aria-label": "Name",
    });
    const save = make("button", { type: "submit" }, "Save name");
    putForm(card, [field, save], () =>
      change("rename", { run, name: field.value }, "The name is saved."),
    );
    field.select();
  };

  /** @param {HTMLElement} card */
  const remove = async (card) => {
    const { run } = card.dataset;
    const plan = await ask(server, "plan_deletion", { run });
    if (plan.wrong) {
      say(plan.wrong, true);
      return;
    }
    const words = make("p", { role: "alert" }, plan.sentence);
    const confirm = make("button", { type: "submit", class: "run-delete" }, "Delete run");
    putForm(card, [words, confirm], async () => {
      chosen = chosen.filter((other) => other !== run);
      const result = await change("delete", { run }, "The run is deleted.");
      if (result.wrong || !result.deleted.includes(shownRun())) return;
      changeAddress({ ...choiceChanges(null), run: null, image: null });
      trigger("select", { run: "" });
    });
  };

  /**
   * @param {HTMLElement} button
   * @param {HTMLElement} card
   */
  const act = (button, card) => {
    const { run } = card.dataset;
    if (button.dataset.do === "rename") rename(card);
    else if (button.dataset.do === "delete") remove(card);
    else {
      const pinned = button.dataset.value === "true";
      change("pin", { run, pinned }, pinned ? "The run is pinned." : "The run is unpinned.");
    }
  };

  /* --- events ------------------------------------------------------------------------------------- */

  opener.addEventListener("click", open);
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault(); // Escape goes the way of the buttons
    /** @type {HTMLElement | null} */
    const cancel = body.querySelector(".run-cancel");
    if (cancel) cancel.click();
    else close();
  });
  dialog.addEventListener("close", () => {
    // a browser may close a dialog without asking
    if (readAddress().get("panel") === PANEL) close();
  });
  /** @type {HTMLElement} */ (dialog.querySelector(".runs-close")).addEventListener("click", close);
  compareButton.addEventListener("click", () => {
    const [first, second] = chosen;
    /** @type {Record<string, null>} all images of both, whatever the Errors tab is narrowed to */
    const whole = {};
    [...readAddress().keys()].forEach((name) => {
      if (/^(slice$|errors-)/.test(name)) whole[name] = null;
    });
    goTo({ ...CLOSED, ...whole, tab: "errors", part: "runs", compare: "run", first, second });
  });
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      changeAddress({ find: search.value.trim() || null });
      limit = PAGE;
      list();
    }, PAUSE);
  });
  body.addEventListener("change", (event) => {
    const box = /** @type {HTMLInputElement | null} */ (closest(event, ".run-choose"));
    if (!box) return;
    chosen = chosen.filter((run) => run !== box.value);
    if (box.checked) chosen = [...chosen, box.value].slice(-2);
    showChoices();
  });
  body.addEventListener("click", (event) => {
    const opened = closest(event, "[data-open]");
    const action = closest(event, ".run-action");
    if (opened) openRun(opened.dataset.open);
    else if (action) act(action, closest(event, ".run-card"));
    else if (closest(event, ".runs-more")) {
      limit = Math.min(limit + PAGE, MOST);
      list();
    }
  });
  document.addEventListener(RETURN, () => {
    follow();
    followRun();
  });
  document.addEventListener(RUN_SHOWN, () => {
    if (coming === shownRun()) coming = null;
    // what was asked for first may come last, so that the address names another run by now
    queueMicrotask(followRun);
  });
  follow();
  element.dataset.ready = "true";
};
