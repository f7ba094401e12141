import { weldVertices } from "../surface/weld";

/** A sheet of triangles with a thickness: a side above, a side below, and a rim along its open edges. */
export type SheetShell = Readonly<ReturnType<typeof sheetShell>>;

const BELOW = 1;
const RIM = 2;

/**
 * @param positions n × 3, at rest; vertices at one place are one, so seams are no open edges
 * @param indices three a triangle of the sheet
 */
export function sheetShell(positions: ArrayLike<number>, indices: ArrayLike<number>) {
  const count = positions.length / 3;
  const { vertexToParticle: site } = weldVertices(positions, indices);
  const key = (a: number, b: number): number => site[a] * 0x4000000 + site[b];
  const edges = new Set<number>();
  const edgesOf = (t: number): number[][] =>
    [0, 1, 2]
      .map((k) => [indices[3 * t + k], indices[3 * t + ((k + 1) % 3)], indices[3 * t + ((k + 2) % 3)]])
      .filter(([a, b]) => site[a] !== site[b]);
  const size = indices.length / 3;
  for (let t = 0; t < size; t++) for (const [a, b] of edgesOf(t)) edges.add(key(a, b));
  const openOf = (t: number): number[][] => edgesOf(t).filter(([a, b]) => !edges.has(key(b, a)));

  const [before, after, inside] = [0, 1, 2].map(() => new Map<number, number>());
  for (let t = 0; t < size; t++)
    for (const [a, b, c] of openOf(t)) {
      before.set(site[b], a);
      after.set(site[a], b);
      for (const end of [a, b]) inside.set(site[end], c);
    }

  const corners: number[] = [];
  for (const side of [0, BELOW]) for (let v = 0; v < count; v++) corners.push(4 * v + side, v, v, v);
  const rimOf = new Map<number, number>();
  /** The upper of the two vertices of the rim at a vertex of the sheet; the lower one follows it. */
  const rimAt = (v: number): number => {
    const known = rimOf.get(v);
    if (known !== undefined) return known;
    const at = corners.length / 4;
    rimOf.set(v, at);
    const along = [before.get(site[v]) ?? v, after.get(site[v]) ?? v, inside.get(site[v])!];
    corners.push(4 * v + RIM, ...along, 4 * v + RIM + BELOW, ...along);
    return at;
  };
  const faces: number[] = [];
  const triangles = Uint32Array.from({ length: size + 1 }, (_, t) => {
    if (t === 0) return 0;
    const [a, b, c] = [0, 1, 2].map((k) => indices[3 * (t - 1) + k]);
    faces.push(a, b, c, count + a, count + c, count + b);
    for (const [from, to] of openOf(t - 1)) {
      const [p, q] = [rimAt(from), rimAt(to)];
      faces.push(q, p, p + 1, q, p + 1, q + 1);
    }
    return faces.length / 3;
  });
  return {
    vertexCount: corners.length / 4,
    /**
     * four numbers a vertex of the shell: its vertex of the sheet, times four, plus `BELOW` and `RIM` where they hold; then
     * the vertices of the sheet before it and after it along the rim, and one further inside, all three itself off the rim
     */
    corners: Uint32Array.from(corners),
    /** three vertices a triangle, wound so that their outside shows */
    indices: Uint32Array.from(faces),
    /** triangles of the sheet + 1: triangle t became triangles[t] … triangles[t + 1] − 1 */
    triangles,
  };
}

/**
 * Places and normals of the vertices of a shell: off the sheet by half of its thickness along the normals. Normals of the
 * rim lie in the sheet and point away from it.
 *
 * @param sheet position xyz and unit normal xyz of each vertex of the sheet
 * @param half half of the thickness, then the inverse squares of the three lengths that a unit of the sheet's frame has
 * @param places of the shell, vertexCount × 3
 * @param normals vertexCount × 3
 */
export function placeShell(
  { vertexCount, corners }: SheetShell,
  sheet: Float32Array,
  half: ArrayLike<number>,
  places: Float32Array,
  normals: Float32Array,
): void {
  const out = new Float64Array(3);
  for (let i = 0; i < vertexCount; i++) {
    const code = corners[4 * i];
    const v = 6 * (code >>> 2);
    const sign = code & BELOW ? -1 : 1;
    let squared = 0;
    for (let c = 0; c < 3; c++) squared += half[1 + c] * sheet[v + 3 + c] * sheet[v + 3 + c];
    const off = (sign * half[0]) / Math.sqrt(Math.max(squared, 1e-30));
    if (code & RIM) outward(corners, i, sheet, out);
    else for (let c = 0; c < 3; c++) out[c] = sign * sheet[v + 3 + c];
    for (let c = 0; c < 3; c++) {
      places[3 * i + c] = sheet[v + c] + off * half[1 + c] * sheet[v + 3 + c];
      normals[3 * i + c] = out[c];
    }
  }
}

/** Unit vector from inside to a vertex of the rim, perpendicular to the sheet's normal and to the rim. */
function outward(corners: Uint32Array, i: number, sheet: Float32Array, out: Float64Array): void {
  const v = 6 * (corners[4 * i] >>> 2);
  const [from, to, inner] = [1, 2, 3].map((k) => 6 * corners[4 * i + k]);
  let [along, edge, up] = [0, 0, 0];
  for (let c = 0; c < 3; c++) {
    const [t, d] = [sheet[to + c] - sheet[from + c], sheet[v + c] - sheet[inner + c]];
    along += t * d;
    edge += t * t;
  }
  for (let c = 0; c < 3; c++) {
    const t = sheet[to + c] - sheet[from + c];
    out[c] = sheet[v + c] - sheet[inner + c] - (along / Math.max(edge, 1e-30)) * t;
    up += out[c] * sheet[v + 3 + c];
  }
  let size = 0;
  for (let c = 0; c < 3; c++) {
    out[c] -= up * sheet[v + 3 + c];
    size += out[c] * out[c];
  }
  for (let c = 0; c < 3; c++) out[c] = size > 0 ? out[c] / Math.sqrt(size) : sheet[v + 3 + c];
}
