// Steps through the positions of a game. The data: the places of a position, every piece that is drawn anywhere, and
// for each step the pieces that are new in it. What a step says is taken from the story on the same page.
(() => {
  "use strict";
  const film = JSON.parse(document.getElementById("film").textContent);
  const region = document.getElementById("replay");
  const [slider, number, caption, here] =
    ["slider", "number", "caption", "here"].map((id) => document.getElementById(id));
  const board = document.getElementById("board");
  const places = film.slots.map((name) => board.querySelector(`[data-slot="${name}"]`));
  const buttons = new Map([...region.querySelectorAll("[data-go]")].map((each) => [each.dataset.go, each]));
  const shown = new Array(places.length).fill(-1);
  const last = film.steps.length - 1;
  const pace = 1500;
  let at = 0;
  let playing = 0;

  /** Which piece stands in each place at a step. */
  const piecesAt = (index) => {
    const pieces = new Array(places.length).fill(-1);
    for (const [, changes] of film.steps.slice(0, index + 1)) {
      for (let i = 0; i < changes.length; i += 2) pieces[changes[i]] = changes[i + 1];
    }
    return pieces;
  };

  const draw = (index) => {
    piecesAt(index).forEach((piece, place) => {
      places[place].classList.toggle("changed", index > 0 && shown[place] !== -1 && shown[place] !== piece);
      if (shown[place] !== piece) places[place].innerHTML = film.fragments[piece];
      shown[place] = piece;
    });
  };

  /** The entry of the story, without what only the story needs. */
  const tell = (n) => {
    const entry = document.getElementById(`entry-${n}`);
    caption.replaceChildren();
    if (!entry) {
      caption.textContent = caption.dataset.start;
      return;
    }
    const copy = entry.cloneNode(true);
    copy.querySelectorAll(".see, [id]").forEach((each) => each.remove());
    caption.className = copy.className;
    caption.append(...copy.childNodes);
  };

  const show = (index, keep = true) => {
    at = Math.min(last, Math.max(0, index));
    const n = film.steps[at][0];
    draw(at);
    tell(n);
    slider.value = at;
    number.textContent = `${at} / ${last}`;
    slider.setAttribute("aria-valuetext", number.textContent);
    here.href = `#step-${n}`;
    for (const name of ["first", "round-back", "back"]) buttons.get(name).setAttribute("aria-disabled", at === 0);
    for (const name of ["last", "round-forward", "forward"]) buttons.get(name).setAttribute("aria-disabled", at === last);
    if (keep) history.replaceState(null, "", here.hash);
  };

  const stop = () => {
    window.clearInterval(playing);
    playing = 0;
    buttons.get("play").setAttribute("aria-pressed", "false");
    caption.setAttribute("aria-live", "polite");
  };
  const play = () => {
    if (playing) return stop();
    if (at === last) show(0);
    buttons.get("play").setAttribute("aria-pressed", "true");
    caption.setAttribute("aria-live", "off");
    playing = window.setInterval(() => (at < last ? show(at + 1) : stop()), pace);
  };

  const go = {
    "first": () => 0,
    "back": () => at - 1,
    "forward": () => at + 1,
    "last": () => last,
    "round-back": () => [...film.rounds].reverse().find((begin) => begin < at) ?? 0,
    "round-forward": () => film.rounds.find((begin) => begin > at) ?? last,
  };
  const move = (name) => {
    if (playing) stop();
    show(go[name]());
  };
  for (const [name, button] of buttons) button.addEventListener("click", () => (name === "play" ? play() : move(name)));
  slider.addEventListener("input", () => show(Number(slider.value)));

  const anywhere = { ArrowLeft: "back", ArrowRight: "forward" };
  const within = { Home: "first", End: "last", PageUp: "round-back", PageDown: "round-forward" };
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea")) return;
    const name = anywhere[event.key] ?? (region.contains(event.target) ? within[event.key] : undefined);
    if (!name) return;
    event.preventDefault();
    move(name);
  });

  const follow = () => {
    const n = /^#step-(\d+)$/.exec(location.hash)?.[1];
    const index = n === undefined ? -1 : film.steps.findIndex(([each]) => each === Number(n));
    if (index < 0) return false;
    show(index, false);
    region.scrollIntoView();
    return true;
  };
  // Without scripts a link to a step leads into the story; here nothing is to take the reader there.
  document.querySelectorAll('[id^="step-"]').forEach((each) => each.removeAttribute("id"));
  window.addEventListener("hashchange", follow);
  document.getElementById("controls").hidden = false;
  document.body.classList.add("stepping");
  if (!follow()) show(0, false);
})();
