// Obstacles, paths and the box of the scene as arrays for the renderer; also the search for the obstacle at a point.

// ringOf returns the index of a ring's first corner and the number of its corners.
export function ringOf(o, ring) {
  const first = o.ringStarts[ring];
  const end = ring + 1 < o.rings ? o.ringStarts[ring + 1] : o.corners.length / 2;
  return [first, end - first];
}

// polygons returns the triangles and the edges of rings: x and y of each corner of a triangle, and
// of both ends of each edge.
export function polygons(o) {
  const triangles = [], edges = [];
  for (let ring = 0; ring < o.rings; ring++) {
    const [first, count] = ringOf(o, ring);
    triangulate(o.corners, first, count, triangles);
    for (let i = 0; i < count; i++) {
      const a = first + i, b = first + (i + 1) % count;
      edges.push(o.corners[2 * a], o.corners[2 * a + 1], o.corners[2 * b], o.corners[2 * b + 1]);
    }
  }
  const corners = new Float32Array(2 * triangles.length);
  triangles.forEach((c, i) => {
    corners[2 * i] = o.corners[2 * c];
    corners[2 * i + 1] = o.corners[2 * c + 1];
  });
  return { triangles: corners, edges: new Float32Array(edges) };
}

// outline returns the edges of a box and of paths, relative to the box's first corner.
export function outline(box, paths) {
  const [x0, y0, x1, y1] = box, w = x1 - x0, h = y1 - y0;
  const segments = [];
  for (const path of paths ?? []) {
    for (let i = 1; i < path.length; i++) {
      segments.push(path[i - 1][0] - x0, path[i - 1][1] - y0, path[i][0] - x0, path[i][1] - y0);
    }
  }
  return { box: new Float32Array([0, 0, w, 0, w, 0, w, h, w, h, 0, h, 0, h, 0, 0]), paths: new Float32Array(segments) };
}

// obstacleAt returns the obstacle that contains a point, or the nearest circle or wall within reach, or null if
// there is none. It considers only obstacles for which fits(id) is true. The result is that of round or of polygon.
export function obstacleAt(o, x, y, reach, fits = () => true) {
  if (!o) return null;
  x -= o.ox;
  y -= o.oy;
  let best = reach, found = null;
  for (let i = 0; i < o.rounds; i++) {
    const d = toRound(o.floats, 6 * i, x, y);
    if (d < best && fits(o.ids[6 * i + 5])) {
      best = d;
      found = round(o, i);
    }
  }
  for (let ring = 0; ring < o.rings; ring++) {
    const [first, count] = ringOf(o, ring);
    if (best > 0 && fits(o.ringIds[ring]) && inside(o.corners, first, count, x, y)) {
      best = 0;
      found = polygon(o, ring);
    }
  }
  return found;
}

// obstacleOf returns the obstacle with an id, or null if there is none.
export function obstacleOf(o, id) {
  if (!o || id === null) return null;
  for (let i = 0; i < o.rounds; i++) if (o.ids[6 * i + 5] === id) return round(o, i);
  for (let ring = 0; ring < o.rings; ring++) if (o.ringIds[ring] === id) return polygon(o, ring);
  return null;
}

// cornersOf returns the corners of a ring in meters.
export function cornersOf(o, ring) {
  const [first, count] = ringOf(o, ring);
  return Array.from({ length: count }, (_, i) => [o.corners[2 * (first + i)] + o.ox, o.corners[2 * (first + i) + 1] + o.oy]);
}

export function idsOf(o) {
  const ids = new Set(o?.ringIds ?? []);
  for (let i = 0; i < (o?.rounds ?? 0); i++) ids.add(o.ids[6 * i + 5]);
  return ids;
}

function round(o, i) {
  const f = o.floats, at = 6 * i;
  return {
    id: o.ids[at + 5], x: f[at] + o.ox, y: f[at + 1] + o.oy,
    endX: f[at + 2] + o.ox, endY: f[at + 3] + o.oy, radius: f[at + 4], ring: -1,
  };
}

function polygon(o, ring) {
  const first = o.ringStarts[ring];
  return { id: o.ringIds[ring], x: o.corners[2 * first] + o.ox, y: o.corners[2 * first + 1] + o.oy, radius: 0, ring };
}

// toRound returns the distance of a point from a circle or wall. It is negative inside.
function toRound(f, at, x, y) {
  const dx = f[at + 2] - f[at], dy = f[at + 3] - f[at + 1], square = dx * dx + dy * dy;
  const t = square > 0 ? Math.min(Math.max(((x - f[at]) * dx + (y - f[at + 1]) * dy) / square, 0), 1) : 0;
  return Math.hypot(x - f[at] - t * dx, y - f[at + 1] - t * dy) - f[at + 4];
}

// triangulate appends the triangles of a simple polygon to out, as indexes of corners. xy holds x
// and y of each corner. It omits parts of polygons that cross themselves.
export function triangulate(xy, first, count, out) {
  const at = Array.from({ length: count }, (_, i) => first + i);
  if (area(xy, at) < 0) at.reverse();
  for (let i = 0, tries = 0; at.length > 2 && tries < at.length;) {
    const n = at.length, a = at[(i + n - 1) % n], b = at[i % n], c = at[(i + 1) % n];
    if (isEar(xy, at, a, b, c)) {
      out.push(a, b, c);
      at.splice(i % n, 1);
      tries = 0;
    } else {
      i++;
      tries++;
    }
    i %= at.length;
  }
  return out;
}

function area(xy, at) {
  let sum = 0;
  for (let i = 0, j = at.length - 1; i < at.length; j = i++) {
    sum += xy[2 * at[j]] * xy[2 * at[i] + 1] - xy[2 * at[i]] * xy[2 * at[j] + 1];
  }
  return sum;
}

// cross returns twice the area of a triangle. It is positive for corners in counterclockwise order.
function cross(xy, a, b, c) {
  return (xy[2 * b] - xy[2 * a]) * (xy[2 * c + 1] - xy[2 * a + 1]) - (xy[2 * b + 1] - xy[2 * a + 1]) * (xy[2 * c] - xy[2 * a]);
}

function isEar(xy, at, a, b, c) {
  const turn = cross(xy, a, b, c);
  if (turn < 0) return false;
  if (turn === 0) return true; // the corners are on a line, so the area is 0
  for (const p of at) {
    if (p === a || p === b || p === c) continue;
    if (cross(xy, a, b, p) >= 0 && cross(xy, b, c, p) >= 0 && cross(xy, c, a, p) >= 0 && !same(xy, p, a) && !same(xy, p, b) && !same(xy, p, c)) return false;
  }
  return true;
}

const same = (xy, p, q) => xy[2 * p] === xy[2 * q] && xy[2 * p + 1] === xy[2 * q + 1];

// inside reports whether a point is in a polygon, according to the even-odd rule.
export function inside(xy, first, count, x, y) {
  let odd = false;
  for (let i = first, j = first + count - 1; i < first + count; j = i++) {
    const yi = xy[2 * i + 1], yj = xy[2 * j + 1];
    if (yi > y !== yj > y && x < xy[2 * i] + (y - yi) / (yj - yi) * (xy[2 * j] - xy[2 * i])) odd = !odd;
  }
  return odd;
}
