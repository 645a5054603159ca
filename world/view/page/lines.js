// Chooses the curves that have their own lines, and the range of a chart.

const KEEPS = 1.25; // ratio to the sum of a placed curve from which on another one replaces it

// largest returns the indexes of the largest sums, one per place. A curve keeps its place, and so its
// color, unless another one is clearly larger.
export function largest(sums, places, before = []) {
  const had = new Set(before), weight = (i) => sums[i] * (had.has(i) ? KEEPS : 1);
  const chosen = new Set(sums.map((_, i) => i).sort((a, b) => weight(b) - weight(a) || a - b).slice(0, places));
  const kept = Array.from({ length: Math.min(places, sums.length) }, (_, k) => chosen.has(before[k]) ? before[k] : -1);
  const others = [...chosen].filter((i) => !kept.includes(i));
  return kept.map((i) => i < 0 ? others.shift() : i);
}

const ALONE = 3; // limit of a value, in multiples of its neighbors

// top returns the largest value of a list; null is no value. A single peak, of a moment when the machine
// was busy, counts only up to a limit, so that it does not flatten the others.
export function top(list) {
  let most = 0;
  for (let i = 0; i < list.length; i++) {
    const beside = Math.max(list[i - 1] ?? 0, list[i + 1] ?? 0);
    most = Math.max(most, beside > 0 ? Math.min(list[i], ALONE * beside) : list[i]);
  }
  return most;
}
