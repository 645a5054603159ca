// The parameters of a scene, as the server describes them.

import { number } from "./protocol.js";

const pathOf = (p) => [p.section, p.label].filter(Boolean).join(".");

// parametersOf returns the parameters of a name: the one with that name, or for a name without a group,
// such as max-speed, those of all groups.
export function parametersOf(scene, name) {
  const one = scene.parameters.filter((p) => p.name === name);
  return one.length > 0 ? one : scene.parameters.filter((p) => p.group >= 0 && pathOf(p) === name);
}

// differing returns the names of values that a scene does not have, the oldest first. A newer value
// overrides older ones.
export function differing(scene, values) {
  const newer = new Set(), names = [];
  for (const [name, value] of Object.entries(values).reverse()) {
    const own = parametersOf(scene, name).filter((p) => !newer.has(p.name));
    for (const p of own) newer.add(p.name);
    if (own.some((p) => !near(number(p.value), value))) names.unshift(name);
  }
  return names;
}

const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b)); // conversions of units round
