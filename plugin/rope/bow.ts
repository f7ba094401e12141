/** Height of the bow as a part of the length: too small to see. */
const BOW = 1e-6;

/**
 * Bows a rope that is exactly straight, by a millionth of its length. If its ends are pushed together, an exactly
 * straight rope has no direction in which it could buckle: it stays straight and acts as a spring with its stretch
 * stiffness. No real rope is that straight.
 *
 * @param positions n × 3, along the rope [m]: changed, except for its ends
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
  // perpendicular to the rope, and as near as possible to the axis that the rope is furthest from
  const axis = along.map(Math.abs).reduce((best, value, c, all) => (value < all[best] ? c : best), 0);
  const side = along.map((value, c) => (c === axis ? 1 : 0) - along[axis] * value);
  const scale = (BOW * length) / Math.hypot(...side);
  for (let i = 1; i < last; i++)
    for (let c = 0; c < 3; c++) positions[3 * i + c] += scale * Math.sin((Math.PI * i) / last) * side[c];
}
