import test from "node:test";
import assert from "node:assert/strict";
import { Field, spreadOf, topOf } from "../page/heat.js";

// frameOf returns a frame with agents at points of a window.
function frameOf([x0, y0, x1, y1], points) {
  const n = points.length, numbers = new Uint16Array(2 * n);
  points.forEach(([x, y], i) => {
    numbers[i] = Math.round((x - x0) / (x1 - x0) * 65535);
    numbers[n + i] = Math.round((y - y0) / (y1 - y0) * 65535);
  });
  return { buffer: numbers.buffer, x: 0, y: 2 * n, n, x0, y0, x1, y1 };
}
const near = (got, want, by, what) => assert.ok(Math.abs(got - want) <= by, `${what}: got=${got}, want=${want}`);

test("one agent is a bell curve with the integral 1", () => {
  const f = new Field(), at = [3.3, -1.7];
  f.measure(frameOf([-20, -15, 20, 15], [at]), 1);
  let sum = 0, xx = 0, yy = 0;
  for (let j = 0; j < f.rows; j++) for (let i = 0; i < f.columns; i++) {
    const v = f.cells[j * f.columns + i] * f.cell * f.cell;
    sum += v;
    xx += v * (f.x + (i + 0.5) * f.cell - at[0]) ** 2;
    yy += v * (f.y + (j + 0.5) * f.cell - at[1]) ** 2;
  }
  near(sum, 1, 1e-4, "integral");
  near(Math.sqrt(xx), 1, 0.03, "standard deviation along x");
  near(Math.sqrt(yy), 1, 0.03, "standard deviation along y");
  near(f.greatest, 1 / (2 * Math.PI), 0.02, "top of the bell");
});

test("the density of a lattice does not depend on the window", () => {
  const points = [];
  for (let x = 0; x < 40; x++) for (let y = 0; y < 40; y++) points.push([x / 2, y / 2]);
  for (const x0 of [-5, -5.37]) {
    const f = new Field();
    f.measure(frameOf([x0, -5, 25, 25], points), 1);
    near(f.at(10, 10), 4, 0.05, "in the middle");
    near(f.at(-0.25, 10), 2, 0.4, "at the edge");
    near(f.at(-4.5, 10), 0, 0.01, "outside");
  }
});

test("agents at the edges of the window count", () => {
  const f = new Field();
  f.measure(frameOf([0, 0, 10, 10], [[0, 0], [10, 10], [0, 10], [10, 0]]), 2);
  near(f.cells.subarray(0, f.columns * f.rows).reduce((a, b) => a + b, 0) * f.cell ** 2, 4, 1e-3, "integral");
});

test("the spread is a round number", () => {
  const view = (scale) => ({ scale, width: 800, height: 600 });
  assert.equal(spreadOf(view(100), 2), 2);
  assert.equal(spreadOf(view(100), 1.9), 1);
  assert.equal(spreadOf(view(1), 2), 10);
  assert.ok(spreadOf({ scale: 1, width: 4000, height: 2000 }, 2) >= 20);
});

test("the top is round, and changes rarely", () => {
  for (const [greatest, before, want] of [[0, 0, 1], [0.7, 0, 1], [1, 0, 1], [1.1, 1, 2], [2.1, 2, 5], [5.1, 5, 10], [0.9, 2, 2], [0.3, 2, 0.5], [0.5, 0, 0.5], [0, 2, 2]]) {
    assert.equal(topOf(greatest, before), want, `${greatest} after ${before}`);
  }
});
