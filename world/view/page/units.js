// The units of a scene, which may have pixels for meters, and steps for seconds.

// unitsOf returns the units of a scene. Without meters there are no newtons.
export function unitsOf(scene) {
  const length = scene?.unit ?? "m", time = scene?.time ?? "s";
  return { length, time, times: time === "s" ? "s" : "steps", speed: `${length}/${time}`, force: length === "m" && time === "s" ? "N" : "" };
}

// inUnits replaces the units m, s and N in a text by those of a scene.
export function inUnits(help, units) {
  if (units.force) return help;
  return help.replace(/^N, /, "").replace(/^(N|s)(?=[,:; ]|$)/, (unit) => unit === "N" ? "" : units.times)
    .replace(/(?<![\w/])(kg|rad|1|m)\/s(?![\w/])/g, (_, above) => `${above === "m" ? units.length : above}/${units.time}`)
    .replace(/(?<![\w/])m(?![\w/])/g, units.length);
}
