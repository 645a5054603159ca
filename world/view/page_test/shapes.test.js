import test from "node:test";
import assert from "node:assert/strict";
import { cornersOf, inside, obstacleAt, obstacleOf, triangulate } from "../page/shapes.js";

function areaOf(xy, triangles) {
  let sum = 0;
  for (let i = 0; i < triangles.length; i += 3) {
    const [a, b, c] = triangles.slice(i, i + 3);
    sum += Math.abs((xy[2 * b] - xy[2 * a]) * (xy[2 * c + 1] - xy[2 * a + 1]) - (xy[2 * b + 1] - xy[2 * a + 1]) * (xy[2 * c] - xy[2 * a])) / 2;
  }
  return sum;
}

for (const { name, xy, area } of [
  { name: "square", xy: [0, 0, 2, 0, 2, 2, 0, 2], area: 4 },
  { name: "a clockwise square", xy: [0, 2, 2, 2, 2, 0, 0, 0], area: 4 },
  { name: "an L", xy: [0, 0, 3, 0, 3, 1, 1, 1, 1, 3, 0, 3], area: 5 },
  { name: "corners on a line", xy: [0, 0, 1, 0, 2, 0, 2, 2, 1, 2, 0, 2], area: 4 },
  { name: "a star", xy: [0, 3, 1, 1, 3, 0, 1, -1, 0, -3, -1, -1, -3, 0, -1, 1], area: 12 },
  { name: "a line", xy: [0, 0, 1, 1], area: 0 },
  { name: "a bow tie, which must end", xy: [0, 0, 2, 2, 2, 0, 0, 2], area: NaN },
]) {
  test(`triangles of ${name}`, () => {
    const got = areaOf(xy, triangulate(xy, 0, xy.length / 2, []));
    if (!Number.isNaN(area)) assert.ok(Math.abs(got - area) < 1e-9, `got=${got}, want=${area}`);
  });
}

test("inside", () => {
  const l = [0, 0, 3, 0, 3, 1, 1, 1, 1, 3, 0, 3];
  assert.deepEqual([inside(l, 0, 6, 0.5, 2), inside(l, 0, 6, 2, 2), inside(l, 0, 6, 2, 0.5)], [true, false, true]);
});

test("the obstacle at a point", () => {
  const floats = new Float32Array([0, 0, 0, 0, 1, 0, 5, 0, 9, 0, 0.5, 0]), ids = new Uint32Array(floats.buffer);
  ids[5] = 3;
  ids[11] = 4;
  const o = { ox: 100, oy: 0, rounds: 2, rings: 1, floats, ids, ringIds: [5], ringStarts: [0], corners: [20, 0, 22, 0, 22, 2, 20, 2] };
  assert.equal(obstacleAt(o, 100.5, 0, 0.1).id, 3);
  assert.equal(obstacleAt(o, 107, 0.55, 0.1).id, 4);
  assert.equal(obstacleAt(o, 121, 1, 0.1).id, 5);
  assert.equal(obstacleAt(o, 107, 0, 9, (id) => id === 3).id, 3); // the nearest obstacle that fits
  assert.equal(obstacleAt(o, 121, 1, 0.1, (id) => id !== 5), null);
  assert.equal(obstacleAt(o, 103, 0, 0.1), null);
  assert.deepEqual(cornersOf(o, 0), [[120, 0], [122, 0], [122, 2], [120, 2]]);
  assert.deepEqual([obstacleOf(o, 5).x, obstacleOf(o, 99)], [120, null]);
});
