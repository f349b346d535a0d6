/* A set without a server: the desk asks what stands in the page. Answers stay in this browser until they are saved as a table. */
(() => {
  "use strict";
  const held = JSON.parse(document.getElementById("held").textContent);
  const place = document.getElementById("lesson");
  const save = document.getElementById("save");
  const answers = new Map();
  let learner = "";
  const holds = (mask, [x, y]) => { // run lengths, column by column
    const at = Math.min(Math.floor(x * mask.width), mask.width - 1) * mask.height + Math.min(Math.floor(y * mask.height), mask.height - 1);
    let end = 0;
    const run = mask.counts.findIndex((count) => { end += count; return at < end; });
    return run % 2 === 1;
  };
  const placed = (item, mark) => {
    if (!item.near) return null;
    if (!mark) return false;
    return mark.at ? holds(item.near, mark.at) : item.parts.includes(mark.part);
  };
  const server = {
    show: async ({ position }) => held.items[position].sheet,
    check: async ({ position, mark, chosen, name }) => {
      const item = held.items[position];
      const said = { place: placed(item, mark), fact: chosen === item.told.answer, ...item.told, standing: null };
      learner = name.trim();
      if (!answers.has(position)) answers.set(position, { place: said.place, fact: said.fact, when: new Date().toISOString() });
      save.hidden = false;
      return said;
    },
    judge: async ({ position }) => ({ words: held.items[position].judge }),
  };
  const words = (right) => (right === null ? "not asked" : right ? "right" : "wrong");
  const cell = (said) => { // no spreadsheet takes it for a formula
    const plain = /^[=+\-@\t']/.test(said) ? `'${said}` : said;
    return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
  };
  save.addEventListener("click", () => {
    const rows = [...answers].sort(([one], [other]) => one - other).map(([position, one]) =>
      [learner, String(position + 1), held.items[position].sheet.prompt, words(one.place), words(one.fact), one.when]);
    const table = [["name", "exercise", "picture", "place", "fact", "when"], ...rows].map((row) => row.map(cell).join(",")).join("\n");
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([`${table}\n`], { type: "text/csv" }));
    link.download = "answers.csv";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  });
  const desk = (element, props, server, trigger, watch) => {
/* THE DESK */
  };
  desk(place, { value: held.work, sorts: null }, server, () => {}, () => {});
})();
