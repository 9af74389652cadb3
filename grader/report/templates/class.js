"use strict";
(() => {
  const table = document.getElementById("submissions");
  if (!table) return;
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const heads = Array.from(table.tHead.rows[0].cells);
  const order = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

  // A cell that holds no number ("–": not graded) stays last, whichever way the rest is sorted.
  function compare(column, numeric, direction) {
    const keys = new Map(rows.map((row) => {
      const text = row.cells[column].textContent.trim();
      return [row, numeric ? parseFloat(text) : text];
    }));
    return (a, b) => {
      const [x, y] = [keys.get(a), keys.get(b)];
      if (!numeric) return direction * order.compare(x, y);
      if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y);
      return direction * (x - y);
    };
  }

  function sortBy(head) {
    const ascending = head.getAttribute("aria-sort") !== "ascending";
    const numeric = head.classList.contains("number");
    heads.forEach((other) => other.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", ascending ? "ascending" : "descending");
    rows.sort(compare(head.cellIndex, numeric, ascending ? 1 : -1));
    body.append(...rows);
  }

  for (const head of heads) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => sortBy(head));
    head.append(button);
  }

  const tools = document.getElementById("filter");
  const box = tools.querySelector("input");
  const shown = tools.querySelector("output");
  const words = rows.map((row) => row.textContent.toLowerCase());

  function filter() {
    const wanted = box.value.trim().toLowerCase().split(/\s+/);
    let count = 0;
    rows.forEach((row, i) => {
      row.hidden = !wanted.every((word) => row.dataset.text.includes(word));
      if (!row.hidden) count += 1;
    });
    shown.textContent = `${count} of ${rows.length} shown`;
  }

  rows.forEach((row, i) => { row.dataset.text = words[i]; });
  box.addEventListener("input", filter);
  tools.hidden = false;
  filter();
})();
