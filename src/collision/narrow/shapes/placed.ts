import { type Convex, ConvexKind, sphereConvex } from "./convex";
import { FRAME, identityFrame, relativeFrame } from "../frame";

const SOMETHING = sphereConvex(1);

/** A plane: unit normal and n·x. */
interface Plane {
  nx: number;
  ny: number;
  nz: number;
  offset: number;
}

/**
 * A convex in the working frame that both shapes of a pair share. If that is the convex's own frame, its corners and
 * planes are used in place; otherwise they are copied into memory that is reused for all pairs.
 */
export class Placed {
  convex: Convex = SOMETHING;
  /** frame of the convex in the working frame */
  readonly frame = identityFrame();
  /** corners, normals and offsets as in Convex, in the working frame; none for a cylinder */
  vertices: Float64Array = SOMETHING.vertices;
  normals: Float64Array = SOMETHING.faceNormals;
  offsets: Float64Array = SOMETHING.faceOffsets;
  private isFilled = true;
  private isPlain = true;
  private ownVertices = new Float64Array(24);
  private ownNormals = new Float64Array(18);
  private ownOffsets = new Float64Array(6);

  /** Places the convex in its own frame. */
  setPlain(convex: Convex): void {
    this.convex = convex;
    if (!this.isPlain) identityFrame(this.frame);
    this.isPlain = true;
    this.vertices = convex.vertices;
    this.normals = convex.faceNormals;
    this.offsets = convex.faceOffsets;
    this.isFilled = true;
  }

  /** Places the convex in a frame. */
  setAt(convex: Convex, frame: Float64Array): void {
    this.convex = convex;
    for (let i = 0; i < FRAME; i++) this.frame[i] = frame[i];
    this.isFilled = this.isPlain = false;
    this.fill();
  }

  /**
   * As `setAt` with the frame of B relative to A, but corners and planes wait for `fill`: most pairs of boxes and hulls need none or few.
   */
  setRelative(convex: Convex, frameA: Float64Array, frameB: Float64Array): void {
    this.convex = convex;
    relativeFrame(frameA, frameB, this.frame);
    this.isFilled = this.isPlain = false;
  }

  /** Writes a corner in the working frame, which needs no `fill`. */
  writeCorner(corner: number, out: Float64Array, at: number): void {
    const { frame: f } = this;
    const v = this.isFilled ? this.vertices : this.convex.vertices;
    const x = v[3 * corner];
    const y = v[3 * corner + 1];
    const z = v[3 * corner + 2];
    if (this.isFilled) {
      out[at] = x;
      out[at + 1] = y;
      out[at + 2] = z;
      return;
    }
    out[at] = f[0] * x + f[1] * y + f[2] * z + f[9];
    out[at + 1] = f[3] * x + f[4] * y + f[5] * z + f[10];
    out[at + 2] = f[6] * x + f[7] * y + f[8] * z + f[11];
  }

  /** Writes normal and offset of a face in the working frame, which needs no `fill`. */
  writePlane(face: number, out: Plane): void {
    const { frame: f, convex } = this;
    const n = this.isFilled ? this.normals : convex.faceNormals;
    const x = n[3 * face];
    const y = n[3 * face + 1];
    const z = n[3 * face + 2];
    if (this.isFilled) {
      out.nx = x;
      out.ny = y;
      out.nz = z;
      out.offset = this.offsets[face];
      return;
    }
    out.nx = f[0] * x + f[1] * y + f[2] * z;
    out.ny = f[3] * x + f[4] * y + f[5] * z;
    out.nz = f[6] * x + f[7] * y + f[8] * z;
    out.offset = convex.faceOffsets[face] + out.nx * f[9] + out.ny * f[10] + out.nz * f[11];
  }

  /** Computes corners and planes in the working frame, unless that is done already. */
  fill(): void {
    if (this.isFilled) return;
    this.isFilled = true;
    const { convex, frame: f } = this;
    const v = convex.vertices;
    if (this.ownVertices.length < v.length) this.ownVertices = new Float64Array(2 * v.length);
    const own = (this.vertices = this.ownVertices);
    for (let i = 0; i < v.length; i += 3) {
      own[i] = f[0] * v[i] + f[1] * v[i + 1] + f[2] * v[i + 2] + f[9];
      own[i + 1] = f[3] * v[i] + f[4] * v[i + 1] + f[5] * v[i + 2] + f[10];
      own[i + 2] = f[6] * v[i] + f[7] * v[i + 1] + f[8] * v[i + 2] + f[11];
    }
    const n = convex.faceNormals;
    if (this.ownNormals.length < n.length) {
      this.ownNormals = new Float64Array(2 * n.length);
      this.ownOffsets = new Float64Array((2 * n.length) / 3);
    }
    const normals = (this.normals = this.ownNormals);
    const offsets = (this.offsets = this.ownOffsets);
    for (let i = 0, k = 0; i < n.length; i += 3, k++) {
      const x = f[0] * n[i] + f[1] * n[i + 1] + f[2] * n[i + 2];
      const y = f[3] * n[i] + f[4] * n[i + 1] + f[5] * n[i + 2];
      const z = f[6] * n[i] + f[7] * n[i + 1] + f[8] * n[i + 2];
      normals[i] = x;
      normals[i + 1] = y;
      normals[i + 2] = z;
      offsets[k] = convex.faceOffsets[k] + x * f[9] + y * f[10] + z * f[11];
    }
  }
}

/**
 * The furthest point of the core in a direction.
 *
 * @param d the direction from `from` on, times `sign`: numbers in arrays need no memory of their own
 * @param out receives the point at place `at`
 * @returns number of the corner; for a cylinder 0 and 1 for its lower and upper rim
 */
export function support(p: Placed, d: Float64Array, from: number, sign: number, out: Float64Array, at: number): number {
  if (p.convex.kind === ConvexKind.cylinder) return cylinderSupport(p, d, from, sign, out, at);
  const v = p.vertices;
  const corner = supportCorner(p, d, from, sign);
  out[at] = v[3 * corner];
  out[at + 1] = v[3 * corner + 1];
  out[at + 2] = v[3 * corner + 2];
  return corner;
}

/** The corner of a polytope that is furthest in a direction, see `support`. */
export function supportCorner(p: Placed, direction: Float64Array, from: number, sign: number): number {
  const x = sign * direction[from];
  const y = sign * direction[from + 1];
  const z = sign * direction[from + 2];
  const v = p.vertices;
  const end = p.convex.vertices.length;
  let best = 0;
  let most = v[0] * x + v[1] * y + v[2] * z;
  for (let i = 3; i < end; i += 3) {
    const d = v[i] * x + v[i + 1] * y + v[i + 2] * z;
    if (d > most) {
      most = d;
      best = i;
    }
  }
  return best / 3;
}

/** Extent of the core in a direction: max of x·d over its points. */
export function supportHeight(p: Placed, x: number, y: number, z: number): number {
  if (p.convex.kind === ConvexKind.cylinder) {
    point[3] = x;
    point[4] = y;
    point[5] = z;
    support(p, point, 3, 1, point, 0);
    return point[0] * x + point[1] * y + point[2] * z;
  }
  const v = p.vertices;
  const end = p.convex.vertices.length;
  let most = v[0] * x + v[1] * y + v[2] * z;
  for (let i = 3; i < end; i += 3) {
    const d = v[i] * x + v[i + 1] * y + v[i + 2] * z;
    if (d > most) most = d;
  }
  return most;
}

const point = new Float64Array(6);

/** The axis of a cylinder is the second column of its frame. */
function cylinderSupport(
  p: Placed,
  d: Float64Array,
  from: number,
  sign: number,
  out: Float64Array,
  at: number,
): number {
  const x = sign * d[from];
  const y = sign * d[from + 1];
  const z = sign * d[from + 2];
  const f = p.frame;
  const { halfX: radius, halfY: half } = p.convex;
  const along = f[1] * x + f[4] * y + f[7] * z;
  let rx = x - along * f[1];
  let ry = y - along * f[4];
  let rz = z - along * f[7];
  // For a direction nearly along the axis, the rest is mostly rounding. Projecting it once more keeps the point on the
  // rim.
  const rest = f[1] * rx + f[4] * ry + f[7] * rz;
  rx -= rest * f[1];
  ry -= rest * f[4];
  rz -= rest * f[7];
  const length = Math.sqrt(rx * rx + ry * ry + rz * rz);
  const size = Math.sqrt(x * x + y * y + z * z);
  // Along the axis itself every rim point is equally far; the one on the local X axis is taken.
  const still = !(length > 1e-14 * size);
  const scale = radius / (still ? 1 : length);
  const h = (along < 0 ? -1 : 1) * half;
  out[at] = f[9] + h * f[1] + scale * (still ? f[0] : rx);
  out[at + 1] = f[10] + h * f[4] + scale * (still ? f[3] : ry);
  out[at + 2] = f[11] + h * f[7] + scale * (still ? f[6] : rz);
  return along < 0 ? 0 : 1;
}

/** Writes the box around a placed convex, `reach` larger on each side than without its radius. */
export function boxAround(p: Placed, reach: number, out: Float64Array): Float64Array {
  for (let k = 0; k < 3; k++) {
    const x = k === 0 ? 1 : 0;
    const y = k === 1 ? 1 : 0;
    const z = k === 2 ? 1 : 0;
    out[k] = -supportHeight(p, -x, -y, -z) - reach;
    out[3 + k] = supportHeight(p, x, y, z) + reach;
  }
  return out;
}
