/* Follows the keyboard from stop to stop (needs axe): what is passed, what does not show that it has the focus, what has no name, what
   is passed over, which rows of tabs are not one stop. A stop shows its focus where anything about its look, or that of what is around it, changes when it is left. */
() => {
  const LOOKS = [
    "outlineStyle",
    "outlineWidth",
    "outlineColor",
    "borderTopColor",
    "backgroundColor",
    "stroke",
    "strokeWidth",
    "opacity",
    "display",
    "visibility",
    "textDecorationLine",
  ];
  const REACHED = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const said = (one) => one.outerHTML.replace(/\s+/g, " ").slice(0, 150);
  const around = (one) => [
    one,
    one.closest("label"),
    one.parentElement,
    one.parentElement?.parentElement,
    ...one.querySelectorAll("*"),
  ];
  const look = (one) =>
    around(one)
      .filter(Boolean)
      .slice(0, 40)
      .map((near) => {
        const style = getComputedStyle(near);
        return LOOKS.map((name) => style[name]).join();
      })
      .join(";");
  const shown = (one) =>
    one.checkVisibility({ visibilityProperty: true }) && one.getClientRects().length > 0;
  const folded = (one) => one.closest("details:not([open]) > :not(summary)");
  let stops, unseen, last, before, idle;

  document.addEventListener(
    "keydown",
    (event) => {
      idle += 1;
      last =
        event.key === "Tab" && document.activeElement !== document.body
          ? document.activeElement
          : null;
      before = last && look(last);
    },
    true,
  );
  document.addEventListener(
    "focusin",
    (event) => {
      if (!stops) return;
      if (last && last !== event.target && before === look(last)) unseen.add(said(last));
      if (!stops.has(event.target)) idle = 0;
      stops.add(event.target);
    },
    true,
  );

  const nameless = () => {
    axe.setup(document.body);
    const found = [...stops].filter((one) => {
      const node = axe.utils.getNodeFromTree(one);
      return node && !axe.commons.text.accessibleTextVirtual(node).trim();
    });
    axe.teardown();
    return found.map(said);
  };
  const panel = () => [...document.querySelectorAll("#tabs > [role=tabpanel]")].find(shown);
  const missed = () => {
    const groups = new Set([...stops].filter((one) => one.type === "radio").map((one) => one.name)); // one stop for a whole group
    return [...panel().querySelectorAll(REACHED)]
      .filter((one) => shown(one) && !one.disabled && one.tabIndex >= 0 && !folded(one))
      .filter((one) => !stops.has(one) && !(one.type === "radio" && groups.has(one.name)))
      .map(said);
  };
  const crowded = () =>
    [...document.querySelectorAll("[role=tablist]")]
      .filter(shown)
      .filter((row) => [...stops].filter((one) => row.contains(one)).length !== 1)
      .map(said);
  window.keys = {
    begin() {
      [stops, unseen, idle, last] = [new Set(), new Set(), 0, null];
    },
    idle: () => idle, // presses since the last new stop: one that is replaced while it has the focus sends the keyboard back for a moment
    end() {
      const found = {
        reached: [...stops].filter((one) => panel().contains(one)).length,
        unseen: [...unseen],
        nameless: nameless(),
        missed: missed(),
        crowded: crowded(),
      };
      stops = null;
      return found;
    },
  };
};
