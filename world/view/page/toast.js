// Short messages over the view, which disappear.

import { byId, el } from "./dom.js";

const STAY = 6000, MOST = 3;

// toast shows a message; repeating it only extends its time.
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

// offer shows a message with a button until the viewer presses that or closes the message, and calls
// done(true) or done(false). It returns the element.
export function offer(message, button, done) {
  const end = (yes) => () => { item.remove(); done(yes); };
  const item = el("div", { class: "toast offer" }, el("span", {}, message),
    el("button", { class: "strong", onclick: end(true) }, button),
    el("button", { title: "Leave it", "aria-label": "Leave it", onclick: end(false) }, "×"));
  byId("toasts").append(item);
  return item;
}
