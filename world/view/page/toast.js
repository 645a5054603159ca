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
    while (list.children.length > MOST) list.firstChild.remove();
  }
  item.timer = setTimeout(() => item.remove(), STAY);
}
