import test from "node:test";
import assert from "node:assert/strict";
import * as cam from "../page/camera.js";

function camera() {
  const c = cam.newCamera();
  cam.resize(c, 800, 600);
  cam.fit(c, [0, 0, 100, 50], { left: 0, right: 0, top: 0, bottom: 0 });
  return c;
}
const near = (got, want) => assert.ok(Math.abs(got - want) < 1e-9, `got=${got}, want=${want}`);

test("fit shows the whole box", () => {
  const c = camera();
  near(c.scale, 8);
  near(cam.toScreenX(c, 0), 0);
  near(cam.toScreenX(c, 100), 800);
  near(cam.toScreenY(c, 25), 300);
  assert.ok(c.fitted);
});

test("fit leaves out the covered edges", () => {
  const c = camera();
  cam.fit(c, [0, 0, 100, 50], { left: 200, right: 100, top: 10, bottom: 40 });
  near(c.scale, 5);
  near(cam.toScreenX(c, 0), 200);
  near(cam.toScreenX(c, 100), 700);
  near(cam.toScreenY(c, 25), 285);
});

test("the screen has y down, and maps back to the plane", () => {
  const c = camera();
  assert.ok(cam.toScreenY(c, 40) < cam.toScreenY(c, 10));
  near(cam.toWorldX(c, cam.toScreenX(c, 12.3)), 12.3);
  near(cam.toWorldY(c, cam.toScreenY(c, -4.5)), -4.5);
});

test("zoom keeps the point under the cursor", () => {
  const c = camera(), x = cam.toWorldX(c, 130), y = cam.toWorldY(c, 470);
  cam.zoom(c, 1.7, 130, 470);
  near(cam.toWorldX(c, 130), x);
  near(cam.toWorldY(c, 470), y);
  assert.ok(!c.fitted);
});

test("zoom has limits", () => {
  const c = camera();
  for (let i = 0; i < 200; i++) cam.zoom(c, 2);
  near(c.scale, c.most);
  for (let i = 0; i < 200; i++) cam.zoom(c, 0.5);
  near(c.scale, c.least);
});

test("pan moves the plane", () => {
  const c = camera(), x = cam.toWorldX(c, 100), y = cam.toWorldY(c, 100);
  cam.pan(c, 30, -20);
  near(cam.toWorldX(c, 130), x);
  near(cam.toWorldY(c, 80), y);
});

test("ten thousand kilometers are always visible after zooming out", () => {
  for (const box of [[0, 0, 0.5, 0.5], [0, 0, 800, 600], [-3e5, 0, 3e5, 1]]) {
    const c = camera();
    cam.fit(c, box, { left: 0, right: 0, top: 0, bottom: 0 });
    for (let i = 0; i < 100; i++) cam.zoom(c, 0.5);
    assert.ok(Math.min(c.width, c.height) / c.scale >= 1e7 * (1 - 1e-9), `scale: got=${c.scale}, want=${Math.min(c.width, c.height) / 1e7} or less`);
  }
});

test("fit shows the surroundings of a point, and all of a line", () => {
  const c = camera(), edges = { left: 0, right: 0, top: 0, bottom: 0 };
  cam.fit(c, [7, 3, 7, 3], edges);
  assert.deepEqual([c.x, c.y, c.scale], [7, 3, 30]);
  cam.fit(c, [0, 3, 0, 63], edges);
  assert.deepEqual([c.x, c.y, c.scale], [0, 33, 10]);
});
