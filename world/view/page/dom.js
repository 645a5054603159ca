// Helpers for the page's elements. Text is never markup, so scene files cannot inject markup.

export const byId = (id) => document.getElementById(id);

// el returns a new element with properties (including data, class, on…) and children (elements or text).
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

export function text(e, value) {
  if (e.textContent !== value) e.textContent = value;
}
