import { ConvexKind } from "./shapes/convex";
import { type Placed, supportCorner } from "./shapes/placed";

/** Kind of a feature, in the upper bits of its number. The ids of contacts are made from these numbers. */
const VERTEX = 0x10000000;
const EDGE = 0x20000000;
const FACE = 0x30000000;

export const vertexFeature = (vertex: number): number => VERTEX | vertex;
export const faceFeature = (face: number): number => FACE | face;
/** Number of the edge between two corners, in either order. */
export const edgeFeature = (v: number, w: number): number => EDGE | (v < w ? (v << 14) | w : (w << 14) | v);

/** Corners of the polygon that stands for the end of a cylinder. */
export const RIM = 8;
const DIAGONAL = Math.SQRT1_2;
const RIM_X = [1, DIAGONAL, 0, -DIAGONAL, -1, -DIAGONAL, 0, DIAGONAL];
const RIM_Z = [0, DIAGONAL, 1, DIAGONAL, 0, -DIAGONAL, -1, -DIAGONAL];

/** Tilt (sine) up to which the corners on a rim stay fixed to the cylinder. */
const UPRIGHT = 1e-3;

/**
 * The part of a core that faces a direction: a point, a segment, or a polygon, counter-clockwise seen from outside. The
 * end of a cylinder is both a disc and a regular polygon on its rim.
 */
export class Feature {
  count = 0;
  /** 3 a corner, in the working frame */
  points = new Float64Array(3 * 16);
  /** number of each corner in its shape */
  corners = new Uint32Array(16);
  /** the plane of a polygon: unit normal and n·x */
  nx = 0;
  ny = 0;
  nz = 0;
  offset = 0;
  /** face of a polytope; 0 and 1 for the lower and upper end of a cylinder; −1 for points and segments */
  face = -1;
  /** radius of the disc [m], 0 for other features; its center */
  radius = 0;
  cx = 0;
  cy = 0;
  cz = 0;

  /** Sets the feature of a core that faces the direction d (unit), times a sign, most. */
  facing(p: Placed, d: Float64Array, sign: number): void {
    this.radius = 0;
    this.face = -1;
    const { kind } = p.convex;
    if (kind === ConvexKind.cylinder) this.facingOfCylinder(p, d, sign);
    else if (kind === ConvexKind.sphere || kind === ConvexKind.capsule) this.wholeCore(p);
    else this.setFace(p, mostFacing(p, d, sign));
  }

  /** Sets a face of a polytope. */
  setFace(p: Placed, face: number): void {
    const { faceStart, faceVertices } = p.convex;
    const start = faceStart[face];
    const count = faceStart[face + 1] - start;
    this.reserve(count);
    for (let i = 0; i < count; i++) {
      const corner = faceVertices[start + i];
      this.corners[i] = corner;
      p.writeCorner(corner, this.points, 3 * i);
    }
    this.count = count;
    this.face = face;
    this.radius = 0;
    p.writePlane(face, this);
  }

  private wholeCore(p: Placed): void {
    const count = p.convex.vertexCount;
    for (let i = 0; i < count; i++) this.corners[i] = i;
    for (let i = 0; i < 3 * count; i++) this.points[i] = p.vertices[i];
    this.count = count;
  }

  private facingOfCylinder(p: Placed, d: Float64Array, sign: number): void {
    const f = p.frame;
    const along = sign * (f[1] * d[0] + f[4] * d[1] + f[7] * d[2]);
    if (Math.abs(along) > DIAGONAL) this.setEnd(p, along > 0 ? 1 : 0, d, sign);
    else this.setSide(p, d, sign);
  }

  /** Sets the line on the side of a cylinder that faces a direction. */
  setSide(p: Placed, d: Float64Array, sign: number): void {
    const dx = sign * d[0];
    const dy = sign * d[1];
    const dz = sign * d[2];
    const f = p.frame;
    const { halfX: radius, halfY: half } = p.convex;
    const along = f[1] * dx + f[4] * dy + f[7] * dz;
    let rx = dx - along * f[1];
    let ry = dy - along * f[4];
    let rz = dz - along * f[7];
    const scale = radius / Math.sqrt(rx * rx + ry * ry + rz * rz);
    rx *= scale;
    ry *= scale;
    rz *= scale;
    for (let i = 0; i < 2; i++) {
      const h = (i === 0 ? -1 : 1) * half;
      this.corners[i] = i;
      this.points[3 * i] = f[9] + rx + h * f[1];
      this.points[3 * i + 1] = f[10] + ry + h * f[4];
      this.points[3 * i + 2] = f[11] + rz + h * f[7];
    }
    this.count = 2;
    this.face = -1;
    this.radius = 0;
  }

  /**
   * Sets an end of a cylinder. A tilted end has a corner at its furthest point, an upright one has its corners at fixed
   * places.
   */
  setEnd(p: Placed, end: number, d: Float64Array, sign: number): void {
    const dx = sign * d[0];
    const dy = sign * d[1];
    const dz = sign * d[2];
    const f = p.frame;
    const { halfX: radius, halfY: half } = p.convex;
    const s = end === 1 ? 1 : -1;
    const along = f[1] * dx + f[4] * dy + f[7] * dz;
    let ux = dx - along * f[1];
    let uy = dy - along * f[4];
    let uz = dz - along * f[7];
    const tilt = Math.sqrt(ux * ux + uy * uy + uz * uz);
    if (tilt > UPRIGHT) {
      ux /= tilt;
      uy /= tilt;
      uz /= tilt;
    } else {
      ux = f[0];
      uy = f[3];
      uz = f[6];
    }
    this.nx = s * f[1];
    this.ny = s * f[4];
    this.nz = s * f[7];
    this.cx = f[9] + half * this.nx;
    this.cy = f[10] + half * this.ny;
    this.cz = f[11] + half * this.nz;
    // n × u: counter-clockwise around n.
    const wx = this.ny * uz - this.nz * uy;
    const wy = this.nz * ux - this.nx * uz;
    const wz = this.nx * uy - this.ny * ux;
    for (let i = 0; i < RIM; i++) {
      const a = radius * RIM_X[i];
      const b = radius * RIM_Z[i];
      this.corners[i] = i;
      this.points[3 * i] = this.cx + a * ux + b * wx;
      this.points[3 * i + 1] = this.cy + a * uy + b * wy;
      this.points[3 * i + 2] = this.cz + a * uz + b * wz;
    }
    this.count = RIM;
    this.face = end;
    this.radius = radius;
    this.offset = this.nx * this.cx + this.ny * this.cy + this.nz * this.cz;
  }

  private reserve(count: number): void {
    if (count <= this.corners.length) return;
    this.points = new Float64Array(6 * count);
    this.corners = new Uint32Array(2 * count);
  }
}

/**
 * Among the faces at the corner that is furthest in a direction, the one that faces that direction most. (The face that
 * does so most of all need not have that corner.)
 */
export function mostFacing(p: Placed, direction: Float64Array, sign: number): number {
  const { convex, normals, frame: f } = p;
  const dx = sign * direction[0];
  const dy = sign * direction[1];
  const dz = sign * direction[2];
  if (convex.kind === ConvexKind.box) {
    const x = f[0] * dx + f[3] * dy + f[6] * dz;
    const y = f[1] * dx + f[4] * dy + f[7] * dz;
    const z = f[2] * dx + f[5] * dy + f[8] * dz;
    const ax = Math.abs(x);
    const ay = Math.abs(y);
    const az = Math.abs(z);
    if (ax >= ay && ax >= az) return x > 0 ? 1 : 0;
    if (ay >= az) return y > 0 ? 3 : 2;
    return z > 0 ? 5 : 4;
  }
  const corner = supportCorner(p, direction, 0, sign);
  const { cornerStart, cornerFaces } = convex;
  let best = -1;
  let most = -Infinity;
  for (let i = cornerStart[corner]; i < cornerStart[corner + 1]; i++) {
    const face = cornerFaces[i];
    const d = normals[3 * face] * dx + normals[3 * face + 1] * dy + normals[3 * face + 2] * dz;
    if (d > most) {
      most = d;
      best = face;
    }
  }
  return best;
}
