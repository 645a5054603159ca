import test from "node:test";
import assert from "node:assert/strict";
import { newCamera } from "../page/camera.js";
import { agentsAt, countDots, placeLabels } from "../page/dots.js";

// frameOf returns a frame of agents at positions from 0 to 65535.
function frameOf(places) {
  const n = places.length, buffer = new ArrayBuffer(8 * n);
  new Uint16Array(buffer, 0, n).set(places.map(([x]) => x));
  new Uint16Array(buffer, 2 * n, n).set(places.map(([, y]) => y));
  return { buffer, n, near: false, x0: 0, y0: 0, x1: 65535, y1: 65535, x: 0, y: 2 * n, value: 4 * n };
}
const camera = { ...newCamera(), x: 500, y: 500, width: 1000, height: 1000, scale: 1 };

test("agents within a pixel are one dot", () => {
  const got = countDots(frameOf([[100, 100], [100, 100], [101, 100], [103, 100], [500, 500], [500, 500]]), camera);
  assert.equal(got.dots, 3);
  assert.deepEqual(got.shared.map((d) => [d.x, d.y, d.n]), [[100, 900, 3], [500, 500, 2]]);
  assert.deepEqual([agentsAt(got, 100, 900), agentsAt(got, 103, 900), agentsAt(null, 0, 0)], [3, 1, 1]);
});

test("many agents are not counted", () => {
  assert.equal(countDots(frameOf(Array(2001).fill([1, 1])), camera), null);
  assert.equal(countDots(null, camera), null);
});

test("a dot does not depend on its place between pixels", () => {
  const near = { ...camera, scale: 0.37, x: 500.123 };
  for (let x = 300; x < 320; x++) assert.equal(countDots(frameOf([[x, 50], [x + 2, 50]]), near).dots, 1);
});

test("smaller counts without room are omitted", () => {
  const shared = [{ x: 50, y: 50, n: 12 }, { x: 55, y: 52, n: 3 }, { x: 90, y: 50, n: 2 }, { x: -5, y: 50, n: 2 }];
  assert.deepEqual(placeLabels({ shared }, camera, 6).map((l) => l.text), ["12", "2"]);
});
