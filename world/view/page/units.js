// The units of the figures of a scene, which may be in pixels, and in steps instead of seconds.

// unitsOf returns the units of a scene. Without meters there are no newtons.
export function unitsOf(scene) {
  const length = scene?.unit ?? "m", time = scene?.time ?? "s";
  return { length, time, times: time === "s" ? "s" : "steps", speed: `${length}/${time}`, force: length === "m" && time === "s" ? "N" : "" };
}

// inUnits writes the units of a text, which are m, s and N, as they are in a scene.
export function inUnits(help, units) {
  if (units.force) return help;
  return help.replace(/^N, /, "").replace(/^(N|s)(?=[,:; ]|$)/, (unit) => unit === "N" ? "" : units.times)
    .replace(/(?<![\w/])(kg|rad|1|m)\/s(?![\w/])/g, (_, above) => `${above === "m" ? units.length : above}/${units.time}`)
    .replace(/(?<![\w/])m(?![\w/])/g, units.length);
}
