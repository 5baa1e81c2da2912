// Switches the theme, searches and filters. Everything can be read without it.
"use strict";
(() => {
  const remembered = "judgecall-theme";
  const recall = () => { try { return localStorage.getItem(remembered); } catch { return null; } };
  const keep = (theme) => { try { localStorage.setItem(remembered, theme); } catch { /* nobody remembers */ } };
  const chosen = recall();
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;

  const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

  const switchTheme = () => {
    const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
    const next = (document.documentElement.dataset.theme || system) === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    keep(next);
  };

  const filter = (form, rows, found) => {
    const words = folded(form.q.value).split(/\s+/).filter(Boolean);
    const { value: mechanic } = form.mechanic, { value: engine } = form.engine, { value: verdict } = form.verdict;
    const engines = engine ? [engine] : [...form.engine.options].map((option) => option.value).filter(Boolean);
    let shown = 0;
    rows.forEach((row, index) => {
      const fits = words.every((word) => searchTexts[index].includes(word))
        && (!mechanic || row.dataset.mechanic === mechanic)
        && (!verdict || engines.some((each) => row.dataset[each].split(",").includes(verdict)));
      row.hidden = !fits;
      shown += fits;
    });
    const all = rows.length === 1 ? "1 ruling" : `${rows.length} rulings`;
    found.textContent = shown === rows.length ? all : `${shown} of ${all}`;
  };

  document.addEventListener("DOMContentLoaded", () => {
    document.querySelectorAll("[data-script]").forEach((element) => { element.hidden = false; });
    document.querySelector("button.theme").addEventListener("click", switchTheme);
    const form = document.querySelector("form.filters");
    if (!form) return;
    const rows = [...document.querySelectorAll("#rows > tr")];
    const found = document.getElementById("found");
    const asked = new URLSearchParams(location.search);
    for (const name of ["q", "mechanic", "engine", "verdict"]) if (asked.has(name)) form[name].value = asked.get(name);
    document.getElementById("find").value = form.q.value;
    const update = () => {
      filter(form, rows, found);
      const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value));
      try { history.replaceState(null, "", query.size ? `?${query}` : location.pathname); } catch { /* a file */ }
    };
    for (const event of ["input", "change"]) form.addEventListener(event, update);
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(update));
    filter(form, rows, found);
  });
})();
