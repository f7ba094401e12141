/** Points (n × 3) times a matrix with Babylon's conventions, p' = p M, in double precision. */
export function transformPoints(points: ArrayLike<number>, matrix: { asArray(): ArrayLike<number> }): Float64Array {
  const m = matrix.asArray();
  const result = new Float64Array(points.length);
  for (let i = 0; i + 2 < points.length; i += 3) {
    const x = points[i];
    const y = points[i + 1];
    const z = points[i + 2];
    result[i] = x * m[0] + y * m[4] + z * m[8] + m[12];
    result[i + 1] = x * m[1] + y * m[5] + z * m[9] + m[13];
    result[i + 2] = x * m[2] + y * m[6] + z * m[10] + m[14];
  }
  return result;
}
