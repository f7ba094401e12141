/** Of the length: nothing that is seen. */
const BOW = 1e-6;

/**
 * Bows a rope that is laid exactly straight, by a millionth of its length. Pushed together from its ends, a rope that is straight
 * to the last bit has no side to give way to: it stays straight and is a spring of its stretch stiffness. No rope is as straight as that.
 *
 * @param positions n × 3, along the rope [m]: changed, but for its ends
 */
export function bow(positions: Float64Array): void {
  const last = positions.length / 3 - 1;
  const way = [0, 1, 2].map((c) => positions[3 * last + c] - positions[c]);
  const length = Math.hypot(...way);
  if (!(length > 0)) return;
  const along = way.map((value) => value / length);
  for (let i = 1; i < last; i++) {
    const aside = [0, 1, 2].map((c) => positions[3 * i + c] - positions[c] - (i / last) * way[c]);
    if (Math.hypot(...aside) > 0.5 * BOW * length) return;
  }
  // at right angles to it, and to the axis that it is furthest from
  const axis = along.map(Math.abs).reduce((best, value, c, all) => (value < all[best] ? c : best), 0);
  const side = along.map((value, c) => (c === axis ? 1 : 0) - along[axis] * value);
  const scale = (BOW * length) / Math.hypot(...side);
  for (let i = 1; i < last; i++)
    for (let c = 0; c < 3; c++) positions[3 * i + c] += scale * Math.sin((Math.PI * i) / last) * side[c];
}
