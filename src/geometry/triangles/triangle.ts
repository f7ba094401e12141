/** Closest point of a triangle: `out` holds its position in 0..2 and its barycentric coordinates in 3..5. */
export type ClosestPoint = Float64Array;

/**
 * Closest point of a triangle to a point p (Ericson, Real-Time Collision Detection, 5.1.5: the Voronoi region of each
 * corner, edge and the face is tested in turn).
 *
 * @param t corner coordinates, 9 numbers from `offset` on
 * @returns squared distance
 */
export function closestPointOnTriangle(
  t: ArrayLike<number>,
  offset: number,
  px: number,
  py: number,
  pz: number,
  out: ClosestPoint,
): number {
  asked[0] = px;
  asked[1] = py;
  asked[2] = pz;
  closestOnTriangle(t, offset, asked, 0, answer);
  for (let i = 0; i < 6; i++) out[i] = answer[i];
  return answer[6];
}

const asked = new Float64Array(3);
const answer = new Float64Array(7);

/**
 * As `closestPointOnTriangle`, for inner loops: V8 allocates each number that a function takes or returns that it doesn't inline.
 *
 * @param points coordinates of p from place `i` on
 * @param out has the squared distance in 6
 */
export function closestOnTriangle(
  t: ArrayLike<number>,
  offset: number,
  points: ArrayLike<number>,
  i: number,
  out: Float64Array,
): void {
  const px = points[i];
  const py = points[i + 1];
  const pz = points[i + 2];
  const ax = t[offset];
  const ay = t[offset + 1];
  const az = t[offset + 2];
  const abx = t[offset + 3] - ax;
  const aby = t[offset + 4] - ay;
  const abz = t[offset + 5] - az;
  const acx = t[offset + 6] - ax;
  const acy = t[offset + 7] - ay;
  const acz = t[offset + 8] - az;
  const apx = px - ax;
  const apy = py - ay;
  const apz = pz - az;
  // d1 and d2: AP along AB and AC; d3, d4: BP; d5, d6: CP.
  const d1 = abx * apx + aby * apy + abz * apz;
  const d2 = acx * apx + acy * apy + acz * apz;
  const abab = abx * abx + aby * aby + abz * abz;
  const abac = abx * acx + aby * acy + abz * acz;
  const acac = acx * acx + acy * acy + acz * acz;
  const d3 = d1 - abab;
  const d4 = d2 - abac;
  const d5 = d1 - abac;
  const d6 = d2 - acac;
  let v = 0;
  let w = 0;
  const va = d3 * d6 - d5 * d4;
  const vb = d5 * d2 - d1 * d6;
  const vc = d1 * d4 - d3 * d2;
  if (d1 <= 0 && d2 <= 0) {
    // corner A
  } else if (d3 >= 0 && d4 <= d3) v = 1;
  else if (d6 >= 0 && d5 <= d6) w = 1;
  else if (vc <= 0 && d1 >= 0 && d3 <= 0) v = d1 / (d1 - d3);
  else if (vb <= 0 && d2 >= 0 && d6 <= 0) w = d2 / (d2 - d6);
  else if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
    w = (d4 - d3) / (d4 - d3 + (d5 - d6));
    v = 1 - w;
  } else {
    const scale = 1 / (va + vb + vc);
    v = vb * scale;
    w = vc * scale;
  }
  const cx = ax + v * abx + w * acx;
  const cy = ay + v * aby + w * acy;
  const cz = az + v * abz + w * acz;
  out[0] = cx;
  out[1] = cy;
  out[2] = cz;
  out[3] = 1 - v - w;
  out[4] = v;
  out[5] = w;
  out[6] = (px - cx) * (px - cx) + (py - cy) * (py - cy) + (pz - cz) * (pz - cz);
}

/**
 * Writes (b − a) × (c − a), whose length is twice the area.
 *
 * @param x list of coordinates; a, b and c are the places of the corners in it
 */
export function triangleNormal(x: ArrayLike<number>, a: number, b: number, c: number, out: Float64Array): void {
  const ux = x[b] - x[a];
  const uy = x[b + 1] - x[a + 1];
  const uz = x[b + 2] - x[a + 2];
  const vx = x[c] - x[a];
  const vy = x[c + 1] - x[a + 1];
  const vz = x[c + 2] - x[a + 2];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
}

/** (b − a) · ((c − a) × (d − a)), six times the signed volume of a tetrahedron; arguments as of `triangleNormal`. */
export function tripleProduct(x: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  const [wx, wy, wz] = [x[d] - x[a], x[d + 1] - x[a + 1], x[d + 2] - x[a + 2]];
  return ux * (vy * wz - vz * wy) + uy * (vz * wx - vx * wz) + uz * (vx * wy - vy * wx);
}

/**
 * Sums of the area vectors of the faces around each vertex (n × 3), each twice: normals that are not of unit length.
 *
 * @param normals receives them
 */
export function vertexNormals(x: ArrayLike<number>, faces: ArrayLike<number>, normals: Float64Array): Float64Array {
  normals.fill(0);
  for (let f = 0; f < faces.length; f += 3) {
    triangleNormal(x, 3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2], normal);
    for (let corner = f; corner < f + 3; corner++)
      for (let c = 0; c < 3; c++) normals[3 * faces[corner] + c] += normal[c];
  }
  return normals;
}

const normal = new Float64Array(3);
