// Helpers for the page's elements. Text is always set as text, never as
// markup, whatever a scene file calls its things.

export const byId = (id) => document.getElementById(id);

// el makes an element: properties (dataset, class, on… included), then children
// (elements, or text).
export function el(tag, properties = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "class") e.className = value;
    else if (name === "data") Object.assign(e.dataset, value);
    else if (name.startsWith("aria-") || name === "role" || name === "for" || name === "scope") e.setAttribute(name, value);
    else e[name] = value;
  }
  e.append(...children);
  return e;
}

// text sets the text of an element, if it is another one than before.
export function text(e, value) {
  if (e.textContent !== value) e.textContent = value;
}
