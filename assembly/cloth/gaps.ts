import { number } from "./obstacle";
import { dot, mul, sub, add } from "./vectors";

// Gaps between an obstacle and four faces, along directions that separate what tangents do not: a face across an edge of a box is far from its
// tangent planes.

/** Part of the places of an obstacle's sides that a gap in f32 may be wrong by. */
const ROUNDING: f32 = 2e-6;
/** Place of the corners in the frame of a box: three axes for each corner. */
const IN_BOX: usize = 144;
const NEXT: usize = 48;

let nx: v128 = f32x4.splat(0);
let ny: v128 = f32x4.splat(0);
let nz: v128 = f32x4.splat(0);

/**
 * Which of four faces are sure to be further from an obstacle than asked.
 *
 * @param corners of the faces: three lists of x, y, z [m], and as much room after them
 * @param enough [m]
 */
export function areApart(o: usize, corners: usize, enough: v128): v128 {
  return load<u32>(o, 116) === 0 ? areApartFromBall(o, corners, enough) : areApartFromBox(o, corners, enough);
}

function areApartFromBall(o: usize, corners: usize, enough: v128): v128 {
  setNormals(corners);
  const middle = dot(nx, ny, nz, number(o, 9), number(o, 10), number(o, 11));
  const along = f32x4.abs(dot(nx, ny, nz, number(o, 0), number(o, 1), number(o, 2)));
  const extent = add(mul(along, number(o, 12)), number(o, 13));
  const rounding = mul(add(f32x4.abs(middle), extent), f32x4.splat(ROUNDING));
  return f32x4.gt(sub(gapAround(corners, middle), extent), add(enough, rounding));
}

function areApartFromBox(o: usize, corners: usize, enough: v128): v128 {
  const here = corners + IN_BOX;
  const half = f32x4.splat(0.5);
  let sizes = f32x4.splat(0);
  for (let axis: usize = 0; axis < 3; axis++) {
    const far = number(o, 9 + axis);
    const near = number(o, 12 + axis);
    const middle = mul(half, add(far, near));
    const row = 3 * axis;
    for (let at: usize = 0; at !== 3 * NEXT; at += NEXT) {
      const x = v128.load(corners + at);
      const y = v128.load(corners + at, 16);
      const z = v128.load(corners + at, 32);
      const along = dot(number(o, row), number(o, row + 1), number(o, row + 2), x, y, z);
      v128.store(here + at + 16 * axis, sub(along, middle));
    }
    sizes = add(sizes, add(f32x4.abs(far), f32x4.abs(near)));
  }
  const asked = add(enough, mul(sizes, f32x4.splat(ROUNDING)));
  setNormals(here);
  const extent = dot(f32x4.abs(nx), f32x4.abs(ny), f32x4.abs(nz), halfOf(o, 0), halfOf(o, 1), halfOf(o, 2));
  let isApart = f32x4.gt(sub(gapAround(here, f32x4.splat(0)), extent), asked);
  for (let axis: usize = 0; axis < 3 && !i32x4.all_true(isApart); axis++)
    isApart = v128.or(isApart, areApartAcross(o, here, axis, asked));
  return isApart;
}

/** Along the common normals of the edges of faces and of those edges of a box that are along an axis. */
function areApartAcross(o: usize, here: usize, axis: usize, asked: v128): v128 {
  const a: usize = axis < 2 ? axis + 1 : 0;
  const b: usize = 3 - axis - a;
  const sizeA = halfOf(o, a);
  const sizeB = halfOf(o, b);
  const firstA = here + 16 * a;
  const firstB = here + 16 * b;
  let isApart = f32x4.splat(0);
  for (let from: usize = 0; from !== 3 * NEXT; from += NEXT) {
    const to: usize = from === 2 * NEXT ? 0 : from + NEXT;
    const other = 3 * NEXT - from - to;
    const fromA = v128.load(firstA + from);
    const fromB = v128.load(firstB + from);
    const x = sub(v128.load(firstA + to), fromA);
    const y = sub(v128.load(firstB + to), fromB);
    // Of an edge along the axis it is no number, which is no gap.
    const scale = f32x4.div(f32x4.splat(1), f32x4.sqrt(add(mul(x, x), mul(y, y))));
    const na = mul(y, scale);
    const nb = mul(x, scale);
    const edge = sub(mul(na, fromA), mul(nb, fromB));
    const corner = sub(mul(na, v128.load(firstA + other)), mul(nb, v128.load(firstB + other)));
    const gap = f32x4.pmax(f32x4.pmin(edge, corner), f32x4.neg(f32x4.pmax(edge, corner)));
    const extent = add(mul(f32x4.abs(na), sizeA), mul(f32x4.abs(nb), sizeB));
    isApart = v128.or(isApart, f32x4.gt(sub(gap, extent), asked));
  }
  return isApart;
}

function halfOf(o: usize, axis: usize): v128 {
  return mul(f32x4.splat(0.5), sub(number(o, 9 + axis), number(o, 12 + axis)));
}

/** Of faces without area they are no numbers, which are no gaps. */
function setNormals(corners: usize): void {
  const x = v128.load(corners);
  const y = v128.load(corners, 16);
  const z = v128.load(corners, 32);
  const bx = sub(v128.load(corners, 48), x);
  const by = sub(v128.load(corners, 64), y);
  const bz = sub(v128.load(corners, 80), z);
  const cx = sub(v128.load(corners, 96), x);
  const cy = sub(v128.load(corners, 112), y);
  const cz = sub(v128.load(corners, 128), z);
  nx = sub(mul(by, cz), mul(bz, cy));
  ny = sub(mul(bz, cx), mul(bx, cz));
  nz = sub(mul(bx, cy), mul(by, cx));
  const scale = f32x4.div(f32x4.splat(1), f32x4.sqrt(dot(nx, ny, nz, nx, ny, nz)));
  nx = mul(nx, scale);
  ny = mul(ny, scale);
  nz = mul(nz, scale);
}

/** Distance of faces from a place, along their normals; less than zero where it is between their corners. */
function gapAround(corners: usize, place: v128): v128 {
  const a = dot(nx, ny, nz, v128.load(corners), v128.load(corners, 16), v128.load(corners, 32));
  const b = dot(nx, ny, nz, v128.load(corners, 48), v128.load(corners, 64), v128.load(corners, 80));
  const c = dot(nx, ny, nz, v128.load(corners, 96), v128.load(corners, 112), v128.load(corners, 128));
  const least = f32x4.pmin(a, f32x4.pmin(b, c));
  const most = f32x4.pmax(a, f32x4.pmax(b, c));
  return f32x4.pmax(sub(least, place), sub(place, most));
}
