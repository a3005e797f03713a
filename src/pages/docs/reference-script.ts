/** Script of the reference: filters the list of operations, follows links to them, and draws the ones that are opened. */
import { operationScript } from "./operation-script.js";

export const script = `"use strict";
(() => {
const place = document.getElementById("reference");
const rows = [...place.querySelectorAll("details.operation")];
const filter = document.getElementById("filter");
const found = document.getElementById("found");
const drawn = new WeakSet();
${operationScript}

document.getElementById("tools").hidden = false;

const textOf = (row) =>
  [row.id, row.querySelector("summary").textContent, row.closest("section").querySelector("h2").textContent].join(" ").toLowerCase();
const texts = new Map(rows.map((row) => [row, textOf(row)]));

/** Shows the rows that contain every word. */
const applyFilter = () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const row of rows) row.hidden = !words.every((word) => texts.get(row).includes(word));
  const shown = rows.filter((row) => !row.hidden);
  for (const section of place.querySelectorAll("section.operations"))
    section.hidden = !shown.some((row) => section.contains(row));
  found.textContent = words.length === 0 ? rows.length + " operations" : shown.length + " of " + rows.length;
};
filter.addEventListener("input", applyFilter);
// A browser that goes back fills in what was typed.
applyFilter();

addEventListener("keydown", (event) => {
  const isTyping = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    filter.focus();
    filter.select();
  }
  if (event.key === "Escape" && event.target === filter) {
    filter.value = "";
    applyFilter();
  }
});

for (const row of rows)
  row.addEventListener("toggle", () => {
    if (!row.open || drawn.has(row)) return;
    drawn.add(row);
    const body = row.querySelector(".body");
    drawOperation(row, body).catch((error) => {
      drawn.delete(row);
      body.replaceChildren(element("p", { role: "alert" }, error.message));
    });
  });

/** Links end with the id of the operation: #/Account/getBalance. */
const openLinked = () => {
  const row = rows.find(({ id }) => id === decodeURIComponent(location.hash).split("/").pop());
  if (!row) return;
  if (row.hidden) {
    filter.value = "";
    applyFilter();
  }
  row.open = true;
  row.scrollIntoView();
  row.querySelector("summary").focus({ preventScroll: true });
};
addEventListener("hashchange", openLinked);
openLinked();
})();
`;
