/** Points rotated by an angle [rad] about z, and then by the same angle about x. */
export function tilted(points: Float64Array, angle: number): Float64Array {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const out = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    const [x, y, z] = points.subarray(i, i + 3);
    out.set([c * x - s * y, c * (s * x + c * y) - s * z, s * (s * x + c * y) + c * z], i);
  }
  return out;
}
