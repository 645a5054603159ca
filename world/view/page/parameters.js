// The parameters of a scene, as the server describes them.

import { number } from "./protocol.js";

const pathOf = (p) => [p.section, p.label].filter(Boolean).join(".");

// parametersOf returns the parameters that a name means: the one of that name, or without
// a group, as max-speed, those of all groups that have it.
export function parametersOf(scene, name) {
  const one = scene.parameters.filter((p) => p.name === name);
  return one.length > 0 ? one : scene.parameters.filter((p) => p.group >= 0 && pathOf(p) === name);
}

// differing returns the names of values, the oldest first, that do not hold in a scene. What
// a newer one has changed is no matter of an older one.
export function differing(scene, values) {
  const newer = new Set(), names = [];
  for (const [name, value] of Object.entries(values).reverse()) {
    const own = parametersOf(scene, name).filter((p) => !newer.has(p.name));
    for (const p of own) newer.add(p.name);
    if (own.some((p) => !near(number(p.value), value))) names.unshift(name);
  }
  return names;
}

const near = (a, b) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b)); // it may be kept in another unit
