// Shows of a list of games those that fit: some words, a game, and a time in which it was played.
(() => {
  "use strict";
  const field = (name) => document.getElementById(`search-${name}`);
  const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const items = [...document.querySelectorAll(".games > li")].map((item) => ({
    item,
    ...item.dataset,
    text: folded(`${item.querySelector(".name").textContent} ${item.querySelector(".names").textContent}`),
  }));
  const groups = [...document.querySelectorAll(".group")];

  const fits = (each) => {
    const [game, from, until] = [field("game").value, field("from").value, field("until").value];
    return folded(field("words").value).split(/\s+/).every((word) => each.text.includes(word))
      && (!game || each.game === game)
      && (!from || !each.ended || each.ended >= from)
      && (!until || each.begun <= until);
  };
  const filter = () => {
    const found = new Set();
    for (const each of items) {
      each.item.hidden = !fits(each);
      if (!each.item.hidden) found.add(each.table);
    }
    for (const group of groups) group.hidden = !group.querySelector(".games > li:not([hidden])");
    const { found: many, one, none } = field("found").dataset;
    field("found").textContent = found.size === 0 ? none : found.size === 1 ? one : many.replace("{n}", found.size);
  };
  for (const name of ["words", "game", "from", "until"]) field(name).addEventListener("input", filter);
  document.getElementById("search").hidden = false;
  filter();
})();
