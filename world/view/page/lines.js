// Which of many curves are drawn as lines of their own, and how far up a chart goes.

const KEEPS = 1.25; // how much more another one needs to take a place

// largest returns the indices of the largest of some sums, as many as there
// are places. One that had a place before keeps that place, and with it its
// color, while nearly as large as those that would take it.
export function largest(sums, places, before = []) {
  const had = new Set(before), weight = (i) => sums[i] * (had.has(i) ? KEEPS : 1);
  const chosen = new Set(sums.map((_, i) => i).sort((a, b) => weight(b) - weight(a) || a - b).slice(0, places));
  const kept = Array.from({ length: Math.min(places, sums.length) }, (_, k) => chosen.has(before[k]) ? before[k] : -1);
  const others = [...chosen].filter((i) => !kept.includes(i));
  return kept.map((i) => i < 0 ? others.shift() : i);
}

const ALONE = 3; // times its neighbors: a value above that is shown up to there

// top returns the most of a list, where null is no value. A single value far
// above both that are beside it, of a moment when the machine was busy with
// something else, does not make all the others flat: it leaves the chart.
export function top(list) {
  let most = 0;
  for (let i = 0; i < list.length; i++) {
    const beside = Math.max(list[i - 1] ?? 0, list[i + 1] ?? 0);
    most = Math.max(most, beside > 0 ? Math.min(list[i], ALONE * beside) : list[i]);
  }
  return most;
}
