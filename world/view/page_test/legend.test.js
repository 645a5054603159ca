import test from "node:test";
import assert from "node:assert/strict";
import { Legend } from "../page/legend.js";

test("after a seek, the archetypes have other numbers", () => {
  const shown = [], legend = Object.assign(Object.create(Legend.prototype), {
    coloring: {}, scale: { replaceChildren() {} }, names: (list) => shown.push(list.map(([name]) => name).join(" ")),
  });
  for (const archetypes of [["seek", "flee"], ["seek", "flee"], ["flee", "seek"]]) legend.show("archetype", { build: 1, archetypes }, false, 1);
  assert.deepEqual(shown, ["seek flee", "flee seek"]);
});
