// Colors of agents: a table of 256 colors for each coloring. The lightness of color scales changes
// evenly (plasma, viridis: van der Walt and Smith 2015). The first colors of categories are those of
// Okabe and Ito. These scales and colors suit color-blind people.

const SPEED = { // as in pictures: cmd/crowd/internal/picture/coloring.go
  light: ["#f1844b", "#e16462", "#cc4678", "#b12a90", "#900da4", "#6a00a8", "#42049e", "#0d0887"],
  dark: ["#b8318b", "#cd4877", "#dd5f65", "#ed7953", "#f89441", "#fdb32f", "#fad426", "#f0f921"],
};
const THREAT = {
  light: ["#e0b453", "#e08a2c", "#d55e00", "#a83200", "#6b0d0d"],
  dark: ["#7d6227", "#b87a1c", "#ee8a1d", "#ff7a45", "#ffd0b8"],
};
const CALM = { light: "#aeb1b7", dark: "#565c66" }; // color for no threat
const DENSITY = { // viridis without the colors that resemble the background
  light: ["#9fc400", "#4aa35c", "#1f8a8c", "#31688e", "#3b3b86", "#440154"],
  dark: ["#3a4a8c", "#2f7590", "#1f9e89", "#5ec962", "#bddf26", "#fff1a8"],
};
const HEADING = { // from east counterclockwise, as in pictures
  light: ["#647bc8", "#9c81d5", "#c388d6", "#d793c9", "#d79faf", "#caa48c", "#b99f63", "#aa9038", "#9c7c0b", "#8a6900", "#705e1e", "#4e5c39", "#195f54", "#006572", "#006d92", "#0a75b0"],
  dark: ["#819ae9", "#bba0f7", "#e4a7f7", "#f9b3e9", "#f9becf", "#ebc4ab", "#dabf81", "#cab059", "#bb9b39", "#a88730", "#8e7b3d", "#6a7854", "#3b7c70", "#008390", "#008cb2", "#3894d1"],
};
const CATEGORIES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#3c3cc3", "#87c34b", "#a50f0f", "#b43cff", "#694b4b", "#5a00ff"];
const ON_DARK = { 6: "#7676d7", 8: "#d15252", 10: "#9d8888", 11: "#8748ff" }; // lighter, with a contrast of 3 on the dark background

export const COLORINGS = ["speed", "behavior", "threat", "heading", "archetype", "density", "contact", "group"];

const theme = (dark) => dark ? "dark" : "light";

// rgb converts "#rrggbb" into three numbers from 0 to 255.
export function rgb(hex) {
  const n = parseInt(hex.trim().slice(1), 16);
  return [n >> 16 & 255, n >> 8 & 255, n & 255];
}

const css = ([r, g, b]) => `rgb(${Math.round(r)} ${Math.round(g)} ${Math.round(b)})`;
const mix = (a, b, t) => a.map((v, i) => v + (b[i] - v) * t);

// along returns the color at position t of a scale, clamped to [0, 1]. At 1, a cyclic scale is back at its first color.
function along(ramp, t, cyclic) {
  const last = cyclic ? ramp.length : ramp.length - 1;
  const at = Math.min(Math.max(t, 0), 1) * last, i = Math.min(Math.floor(at), last - 1);
  return mix(rgb(ramp[i]), rgb(ramp[(i + 1) % ramp.length]), at - i);
}

// category returns the color of the i-th category. The twelve colors repeat twice, each time closer to the
// background, and then start over.
export function category(i, dark) {
  const k = i % CATEGORIES.length, c = rgb(dark && ON_DARK[k] || CATEGORIES[k]), round = Math.floor(i / CATEGORIES.length) % 3;
  return mix(c, dark ? [20, 22, 26] : [255, 255, 255], round * 0.3);
}

export const categoryCss = (i, dark) => css(category(i, dark));

// colorOf returns the color of a value byte, as three numbers from 0 to 255.
export function colorOf(coloring, value, dark) {
  const t = theme(dark);
  switch (coloring) {
    case "speed": return along(SPEED[t], value / 255, false);
    case "heading": return along(HEADING[t], value / 256, true);
    case "density": return along(DENSITY[t], value / 255, false);
    case "contact":
    case "threat": return value === 0 ? rgb(CALM[t]) : along(THREAT[t], (value - 1) / 254, false);
    default: return category(value, dark);
  }
}

export const colorCss = (coloring, value, dark) => css(colorOf(coloring, value, dark));

// palette returns 256 colors as RGBA bytes.
export function palette(coloring, dark) {
  const table = new Uint8Array(1024);
  for (let v = 0; v < 256; v++) {
    table.set(colorOf(coloring, v, dark).map(Math.round), 4 * v);
    table[4 * v + 3] = 255;
  }
  return table;
}
