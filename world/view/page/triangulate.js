// Triangulates polygons by cutting off ears (Meisters 1975).

// triangulate appends the triangles of a simple polygon to out, as indexes of its corners. xy has x and y
// of each corner. It omits parts of polygons that cross themselves.
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

// cross is twice the area of a triangle, positive when it goes left.
function cross(xy, a, b, c) {
  return (xy[2 * b] - xy[2 * a]) * (xy[2 * c + 1] - xy[2 * a + 1]) - (xy[2 * b + 1] - xy[2 * a + 1]) * (xy[2 * c] - xy[2 * a]);
}

function isEar(xy, at, a, b, c) {
  const turn = cross(xy, a, b, c);
  if (turn < 0) return false;
  if (turn === 0) return true; // on a line: no area
  for (const p of at) {
    if (p === a || p === b || p === c) continue;
    if (cross(xy, a, b, p) >= 0 && cross(xy, b, c, p) >= 0 && cross(xy, c, a, p) >= 0 && !same(xy, p, a) && !same(xy, p, b) && !same(xy, p, c)) return false;
  }
  return true;
}

const same = (xy, p, q) => xy[2 * p] === xy[2 * q] && xy[2 * p + 1] === xy[2 * q + 1];

// inside reports whether a point is in a polygon, by the even-odd rule.
export function inside(xy, first, count, x, y) {
  let odd = false;
  for (let i = first, j = first + count - 1; i < first + count; j = i++) {
    const yi = xy[2 * i + 1], yj = xy[2 * j + 1];
    if (yi > y !== yj > y && x < xy[2 * i] + (y - yi) / (yj - yi) * (xy[2 * j] - xy[2 * i])) odd = !odd;
  }
  return odd;
}
