import test from "node:test";
import assert from "node:assert/strict";
import { drawMeasurements, marksOf } from "../page/measurements.js";

// namesOf returns the places of names, which are 40 pixels wide, on a stage of 400 × 300 pixels.
function namesOf(scene, { x = 0, y = 0, scale = 10 } = {}, frame = null) {
  const names = [], ink = new Proxy({}, { get: () => () => ({ width: 40 }), set: () => true });
  const overlay = { ink, dark: false, colors: {}, halo() {}, tint() {}, write: (name, x, y) => names.push([name, x, y - 11]) };
  drawMeasurements(overlay, { x, y, scale, width: 400, height: 300 }, scene, frame);
  return names;
}

const box = { lines: [], areas: [[-5, -5, 5, 5]] }; // from (150, 100) to (250, 200) pixels

for (const { name, scene, camera, want } of [
  { name: "an area, above it", scene: box, want: [["Area 1", 150, 82]] },
  { name: "an area whose upper edge is out of sight, below it", scene: box, camera: { y: -12 }, want: [["Area 1", 150, 84]] },
  { name: "an area that is larger than the stage, within it", scene: box, camera: { scale: 100 }, want: [["Area 1", 8, 4]] },
  { name: "an area out of sight", scene: box, camera: { x: 99 }, want: [] },
  { name: "an upright line, beside it", scene: { lines: [[0, -5, 0, 5]], areas: [] }, want: [["Line 1", 210, 143]] },
  { name: "a level line, above it", scene: { lines: [[-5, 0, 5, 0]], areas: [] }, want: [["Line 1", 180, 126]] },
  { name: "a long line, where it is in sight", scene: { lines: [[-5, 0, 5000, 0]], areas: [] }, want: [["Line 1", 255, 126]] },
  { name: "a line out of sight whose box is not", scene: { lines: [[-100, 0, 0, 100]], areas: [] }, want: [] },
  { name: "two in one place, beside one another", scene: { lines: [[0, -5, 0, 5], [0, -5, 0, 5]], areas: [] }, want: [["Line 1", 210, 143], ["Line 2", 150, 143]] },
  { name: "three in one place, beside and above it", scene: { lines: [[0, -5, 0, 5], [0, -5, 0, 5], [0, -5, 0, 5]], areas: [] }, want: [["Line 1", 210, 143], ["Line 2", 150, 143], ["Line 3", 180, 76]] },
]) {
  test(`name of ${name}`, () => assert.deepEqual(namesOf(scene, camera), want));
}

test("the name of a line is where the fewest agents are", () => {
  const at = (sx, sy) => [65535 * sx / 400, 65535 * (300 - sy) / 300]; // in the frame
  const agents = [at(220, 150), at(230, 148), at(160, 150)], buffer = new ArrayBuffer(64);
  new Uint16Array(buffer).set([...agents.map(([x]) => x), 0, ...agents.map(([, y]) => y)]);
  const frame = { n: 3, x0: -20, y0: -15, x1: 20, y1: 15, buffer, x: 0, y: 8, value: 32 };
  assert.deepEqual(namesOf({ lines: [[0, -5, 0, 5]], areas: [] }, {}, frame), [["Line 1", 180, 76]]);
});

test("lines and areas have different colors", () => {
  const marks = marksOf({ lines: [[0, 0, 1, 1], [0, 0, 1, 1]], areas: [[0, 0, 1, 1]] }, true);
  assert.deepEqual(marks.map((m) => m.name), ["Line 1", "Line 2", "Area 1"]);
  assert.equal(new Set(marks.map((m) => m.color)).size, 3);
});
