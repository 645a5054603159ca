// Numbers and units as text. A scene may use pixels instead of meters, and steps instead of seconds.

const grouped = new Intl.NumberFormat("en-GB");
const minus = (text) => text.replaceAll("-", "\u2212");

// whole formats a whole number with separators: 50,000.
export const whole = (n) => Number.isFinite(n) ? minus(grouped.format(Math.round(n))) : "–";

// short formats a number with a few significant digits: 0.0123, 1.4, 123, 1,234.
export function short(n, digits = 3) {
  if (n === Infinity) return "∞";
  if (n === -Infinity) return "\u2212∞";
  if (!Number.isFinite(n)) return "–";
  const size = Math.abs(n);
  if (size >= 1000 && size < 1e9) return whole(n);
  if (size !== 0 && (size < 1e-3 || size >= 1e9)) return minus(n.toExponential(1));
  return minus(String(Number(n.toPrecision(digits))));
}

// fixed formats a number with a fixed number of decimals.
export const fixed = (n, decimals) => Number.isFinite(n) ? minus(n.toFixed(decimals)) : short(n);

// count formats a number of things: 1 agent, 2,000 agents.
export const count = (n, what) => `${whole(n)} ${what}${n === 1 ? "" : "s"}`;

// bytes formats a size: 200 B, 420 kB.
export const bytes = (n) => n < 1000 ? `${n} B` : n < 1e6 ? `${Math.round(n / 1000)} kB` : `${(n / 1e6).toFixed(1)} MB`;

// duration formats a time of a scene: 12.3 s, 2:05 min.
export function duration(s) {
  if (s < 60) return `${fixed(s, 1)} s`;
  const whole = Math.floor(s + 1e-6), two = (n) => String(n).padStart(2, "0");
  if (s < 3600) return `${Math.floor(whole / 60)}:${two(whole % 60)} min`;
  return `${Math.floor(whole / 3600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)} h`;
}

// baseName returns the last part of a path.
export const baseName = (path) => path.split(/[\\/]/).filter(Boolean).at(-1) ?? path;

// round125 returns the largest 1, 2 or 5 × 10^k that is not greater than x.
export function round125(x) {
  const power = 10 ** Math.floor(Math.log10(x)), m = x / power;
  return (m >= 5 ? 5 : m >= 2 ? 2 : 1) * power;
}

// unitsOf returns the units of a scene. Without meters and seconds, there are no newtons.
export function unitsOf(scene) {
  const length = scene?.unit ?? "m", time = scene?.time ?? "s";
  return { length, time, times: time === "s" ? "s" : "steps", speed: `${length}/${time}`, force: length === "m" && time === "s" ? "N" : "" };
}

// inUnits replaces the units in a text, such as m, s, N and kg/s, with the units of a scene.
export function inUnits(help, units) {
  if (units.force) return help;
  return help.replace(/^N, /, "").replace(/^(N|s)(?=[,:; ]|$)/, (unit) => unit === "N" ? "" : units.times)
    .replace(/(?<![\w/])(kg|rad|1|m)\/s(?![\w/])/g, (_, above) => `${above === "m" ? units.length : above}/${units.time}`)
    .replace(/(?<![\w/])m(?![\w/])/g, units.length);
}
