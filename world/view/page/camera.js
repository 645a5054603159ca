// The camera determines the part of the plane that is on the screen. The plane is in meters with y
// up, the screen in CSS pixels with y down. The scale is in pixels per meter.

const FARTHEST = 1e7; // m, width and height that zooming out can always show
const POINT = 1e-3, AROUND = 20; // m, size below which a box counts as a point, and size of the view around a point

export function newCamera() {
  return { x: 0, y: 0, scale: 10, width: 1, height: 1, fitted: true, least: 1e-6, most: 1e6 };
}

export const toScreenX = (c, x) => c.width / 2 + (x - c.x) * c.scale;
export const toScreenY = (c, y) => c.height / 2 - (y - c.y) * c.scale;
export const toWorldX = (c, sx) => c.x + (sx - c.width / 2) / c.scale;
export const toWorldY = (c, sy) => c.y - (sy - c.height / 2) / c.scale;

// pan moves the plane by (dx, dy) pixels.
export function pan(c, dx, dy) {
  c.x -= dx / c.scale;
  c.y += dy / c.scale;
  c.fitted = false;
}

// zoom scales the view about a point of the screen, within the limits that fit has set.
export function zoom(c, factor, sx = c.width / 2, sy = c.height / 2) {
  const x = toWorldX(c, sx), y = toWorldY(c, sy);
  c.scale = Math.min(Math.max(c.scale * factor, c.least), c.most);
  c.x = x - (sx - c.width / 2) / c.scale;
  c.y = y + (sy - c.height / 2) / c.scale;
  c.fitted = false;
}

// fit shows a box [x0, y0, x1, y1] between the covered edges of the screen, and sets the limits of
// zoom. The edges { left, right, top, bottom } are in pixels.
export function fit(c, box, { left, right, top, bottom }) {
  let w = box[2] - box[0], h = box[3] - box[1];
  if (!(Math.max(w, h) > POINT)) w = h = AROUND;
  c.scale = Math.min(Math.max(c.width - left - right, 40) / w, Math.max(c.height - top - bottom, 40) / h);
  c.x = (box[0] + box[2]) / 2 - (left - right) / 2 / c.scale;
  c.y = (box[1] + box[3]) / 2 - (bottom - top) / 2 / c.scale;
  c.least = Math.min(c.scale / 20, Math.min(c.width, c.height) / FARTHEST);
  c.most = Math.max(c.scale * 20, 400);
  c.fitted = true;
}

export function look(c, x, y) {
  c.x = x;
  c.y = y;
  c.fitted = false;
}

// holds reports whether a point of the plane is on the screen, with a margin in pixels.
export function holds(c, x, y, margin) {
  const sx = toScreenX(c, x), sy = toScreenY(c, y);
  return sx >= margin && sy >= margin && sx <= c.width - margin && sy <= c.height - margin;
}

// reveal moves the plane just enough to show a point with a margin in pixels.
export function reveal(c, x, y, margin) {
  if (holds(c, x, y, margin)) return;
  const inside = (at, size) => Math.min(Math.max(at, Math.min(margin, size / 2)), Math.max(size - margin, size / 2));
  const sx = toScreenX(c, x), sy = toScreenY(c, y);
  pan(c, inside(sx, c.width) - sx, inside(sy, c.height) - sy);
}

// resize sets the size of the screen, and keeps the center of the view.
export function resize(c, width, height) {
  c.width = Math.max(width, 1);
  c.height = Math.max(height, 1);
}

// boxOf returns the initial view: the smallest box that contains the boxes of the scene and of the recorded people.
export function boxOf({ box, beside }) {
  if (!beside) return box;
  const [x0, y0, x1, y1] = beside.box;
  return [Math.min(box[0], x0), Math.min(box[1], y0), Math.max(box[2], x1), Math.max(box[3], y1)];
}
