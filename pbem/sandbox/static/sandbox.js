// Niceties. Everything works without: a line's button sends the form then, and the answer comes back with the line.
"use strict";

const text = document.getElementById("text");

function add(line) {
  const written = text.value.trimEnd();
  text.value = `${written}${written && "\n"}${line}\n`;
  text.focus();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button.line");
  if (button && text) {
    event.preventDefault();
    add(button.value);
  }
});

// Ctrl+Enter sends, as in most mail programs.
text?.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    text.form.requestSubmit(text.form.elements.send);
  }
});

// No push of the clock, and no mail, goes out twice.
document.addEventListener("submit", (event) => {
  if (event.target.dataset.sent) event.preventDefault();
  event.target.dataset.sent = "1";
  document.body.setAttribute("aria-busy", "true");
});
window.addEventListener("pageshow", () => {
  document.body.removeAttribute("aria-busy");
  for (const form of document.forms) delete form.dataset.sent;
});
