// The dark and light themes. The page follows the preference of the system, unless the viewer switches.

const KEY = "crowd-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const listeners = [];

function stored() {
  try { return localStorage.getItem(KEY); } catch { return null; }
}

let choice = stored();

export const isDark = () => choice ? choice === "dark" : system.matches;

function apply() {
  document.documentElement.dataset.theme = isDark() ? "dark" : "light";
  for (const f of listeners) f(isDark());
}

// onTheme calls f now, and whenever the theme changes.
export function onTheme(f) {
  listeners.push(f);
  f(isDark());
}

// switchTheme switches the theme, and stores the choice if it differs from the system's.
export function switchTheme() {
  choice = isDark() === system.matches ? system.matches ? "light" : "dark" : null; // null means the theme of the system
  try {
    if (choice) localStorage.setItem(KEY, choice);
    else localStorage.removeItem(KEY);
  } catch { /* without storage, the page forgets the choice */ }
  apply();
}

system.addEventListener("change", apply);
apply();
