// @ts-check
/* The filters above the images: chips with how many images each would leave. They stand in the
   address, and an address with filters shows the same images again. */
import { changeAddress, readAddress } from "../js/address.js";
import { closest, findAll } from "../js/dom.js";
import { NO_FILTERS, passes, readFilters } from "./filter_address.js";

/**
 * Let the filters within the element hide its images.
 * @param {HTMLElement} element
 * @param {() => void} changed called when a person has changed a filter
 */
export const mountFilters = (element, changed) => {
  /** Hide what the filters of the address leave out, and count what each chip would leave. */
  const show = () => {
    const hasFilters = element.querySelector(".filters") !== null;
    const filters = readFilters(hasFilters ? readAddress() : new URLSearchParams());
    const tiles = findAll(element, ".tile").map((node) => ({
      node,
      facts: JSON.parse(node.dataset.facts || "[]"),
      model: node.dataset.model,
    }));
    /** @param {import("./filter_address.js").Filters} wanted */
    const count = (wanted) =>
      tiles.filter(({ facts, model }) => passes(facts, model, wanted)).length;
    tiles.forEach(({ node, facts, model }) => {
      node.classList.toggle("filtered-out", !passes(facts, model, filters));
    });
    findAll(element, ".filter-chip").forEach((chip) => {
      const { filter, value } = chip.dataset;
      const isOn = filters[/** @type {keyof typeof filters} */ (filter)] === value;
      chip.setAttribute("aria-pressed", String(isOn));
      chip.querySelector(".filter-count").textContent = String(
        count({ ...filters, [filter]: value }),
      );
    });
    const isFiltered = Object.values(filters).some(Boolean);
    /** @type {HTMLElement | null} */
    const clear = element.querySelector(".filter-clear");
    if (!clear) return;
    if (isFiltered) element.querySelector(".filters details").setAttribute("open", "");
    clear.hidden = !isFiltered;
    const left = count(filters);
    const words = left ? `${left} of ${tiles.length} images` : "No image matches these filters.";
    element.querySelector(".filter-status").textContent = isFiltered ? words : "";
  };

  element.addEventListener("click", (event) => {
    const chip = closest(event, ".filter-chip");
    if (chip) {
      const { filter, value } = chip.dataset;
      const isOn = chip.getAttribute("aria-pressed") === "true";
      changeAddress({ [filter]: isOn ? null : value });
    } else if (closest(event, ".filter-clear")) {
      changeAddress(NO_FILTERS);
    } else {
      return;
    }
    show();
    changed();
  });
  return { show };
};
