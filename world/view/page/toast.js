// Short messages over the view, which go by themselves.

import { byId, el } from "./dom.js";

const STAY = 6000, MOST = 3;

// toast shows a message; the same message again only stays longer.
export function toast(message, kind = "note") {
  const list = byId("toasts");
  let item = [...list.children].find((e) => e.textContent === message);
  if (item) clearTimeout(item.timer);
  else {
    item = el("div", { class: `toast ${kind}` }, message);
    item.onclick = () => item.remove();
    list.append(item);
    const old = [...list.children].filter((e) => !e.matches(".offer"));
    for (const e of old.slice(0, Math.max(0, old.length - MOST))) e.remove();
  }
  item.timer = setTimeout(() => item.remove(), STAY);
}

// offer shows a message with a button, which stays until one presses that, or closes it:
// done(true) and done(false). It returns the element, to remove it.
export function offer(message, button, done) {
  const end = (yes) => () => { item.remove(); done(yes); };
  const item = el("div", { class: "toast offer" }, el("span", {}, message),
    el("button", { class: "strong", onclick: end(true) }, button),
    el("button", { title: "Leave it", "aria-label": "Leave it", onclick: end(false) }, "×"));
  byId("toasts").append(item);
  return item;
}
