/**
 * Cloth and ropes between two links of one mechanism. Such links do not meet in a world, and particles between them push each link by their own
 * mass alone: fingers of a hand went through cloth. So these links keep each other off by what lies between them. Their contacts begin at a
 * distance of
 *
 *     L = 2 t + Σ dᵢ,   dᵢ = s, or min(2 t, gᵢ) where layers may go through each other
 *
 * t, s  distances that particles keep from obstacles, and cloth from itself;  gᵢ  gaps between neighboring layers along the normal [m]
 */
import { collide } from "../../../collision/narrow/collide";
import type { ContactBuffer } from "../../../collision/narrow/contact-buffer";
import type { RigidShape } from "../../../collision/narrow/shapes/rigid-shape";
import type { Vec3 } from "../../../math/types";
import { dot, writeTangents } from "../../../math/vectors";
import { POSE_SIZE } from "../../../solvers/newton/motion/bodies";
import type { RigidBody } from "../rigid-body";
import { boxAround, type SoftSurface, stateOf } from "./swallowed";

/** A deformable body. */
export interface ThinBody extends Pick<SoftSurface, "stepper"> {
  readonly model: Pick<SoftSurface["model"], "faces" | "tetrahedra"> & {
    readonly solver?: string | undefined;
    readonly rods?: { readonly edges: Uint32Array } | undefined;
  };
  readonly options: {
    readonly thickness?: number | undefined;
    readonly selfCollision?: boolean | undefined;
    readonly selfThickness?: number | undefined;
  };
}

/** A sheet or a rope, with its place as the frame begins. */
interface Thin {
  readonly positions: Float64Array;
  /** particles of each face, or each edge of a rope */
  readonly cells: Uint32Array;
  readonly isRope: boolean;
  readonly thickness: number;
  /** distance that it keeps from itself, 0 for cloth whose layers may go through each other [m] */
  readonly selfThickness: number;
  /** lowest and highest corner [m] */
  readonly box: Float64Array;
}

/** Faces or edges of it that two links may pinch in the frame. */
interface Piece {
  readonly thin: Thin;
  readonly cells: Uint32Array;
}

/** Two links, by their places in the list of bodies. */
interface Pair {
  readonly a: number;
  readonly b: number;
  readonly pieces: readonly Piece[];
}

/** A link as the frame begins. */
export interface PinchingLink {
  readonly body: RigidBody;
  /** lowest and highest corner [m] */
  readonly place: Float64Array;
  /** longest way of a point in the frame [m] */
  readonly way: number;
}

/** Part of the distance at which contacts begin: links press the particles between them, which stick to both. */
const PRESSED = 0.75;
/** Layers that are looked for beyond the distance at which links would meet. */
const MOST_LAYERS = 8;
/** Contacts of a patch have normals less apart than this cosine. */
const ALIKE = 0.99;
/** Layers closer than this part of their thickness are one that a line crosses at an edge. */
const EDGE = 1e-3;
/** Places of a patch at which layers are counted: from its middle, as parts of the way to each contact. */
const PLACES = [0.5, 0.95] as const;

export class Pinched {
  private readonly all: Thin[] = [];
  /** distance beyond that of contacts at which links may meet through something [m] */
  private reach = 0;
  /** in the order of their places */
  private readonly pairs: Pair[] = [];
  private next = 0;
  /** places of the links as the frame begins, by place in the list of bodies [m] */
  private readonly starts = new Map<number, Vec3>();
  /** normals of links that pinch something in this frame */
  private readonly normals = new Map<number, Vec3>();

  /** Before a frame. */
  constructor(bodies: readonly ThinBody[]) {
    for (const { model, options, stepper } of bodies) {
      const positions = stateOf(stepper)?.positions;
      const { thickness = 0, selfCollision, selfThickness = 0 } = options;
      if (!positions || model.tetrahedra || (model.solver ?? "gpbd") !== "gpbd") continue;
      this.reach = Math.max(this.reach, 2 * MOST_LAYERS * thickness);
      this.all.push({
        positions,
        cells: model.rods?.edges ?? model.faces,
        isRope: model.rods !== undefined,
        thickness,
        selfThickness: selfCollision ? selfThickness : 0,
        box: boxAround(positions, positions),
      });
    }
  }

  /** Finds the pairs of links of a mechanism that may pinch something in the frame. @returns whether there are any */
  findPairs(links: readonly PinchingLink[]): boolean {
    let isAny = false;
    for (let k = 0; k < links.length && this.all.length > 0; k++)
      for (const other of links.slice(0, k)) if (this.findPair(links[k], other)) isAny = true;
    this.pairs.sort((one, other) => one.a - other.a || one.b - other.b);
    return isAny;
  }

  private findPair(a: PinchingLink, b: PinchingLink): boolean {
    const margin = a.way + b.way;
    if (!meets(a.place, b.place, margin + this.reach)) return false;
    const { leader } = a.body.options;
    if (leader?.isJoined?.(b.body.options.leader!)) return false;
    if ([a, b].some(({ body }) => body.options.meets === "rigid")) return false;
    const pieces = this.all.flatMap((thin): Piece[] => {
      const most = margin + thin.thickness;
      if (!meets(thin.box, a.place, most) || !meets(thin.box, b.place, most)) return [];
      const cells = cellsWithin(thin, a.place, b.place, most);
      return cells.length > 0 ? [{ thin, cells }] : [];
    });
    if (pieces.length === 0) return false;
    for (const { body } of [a, b]) this.starts.set(body.record.slot, body.position);
    const [first, last] = [a, b].map(({ body }) => body.record.slot).sort((one, other) => one - other);
    this.pairs.push({ a: first, b: last, pieces });
    return true;
  }

  /** Before the contacts of a step are found. */
  begin(): void {
    this.next = 0;
  }

  /** The next pair that comes before another one. */
  nextBefore(a: number, b: number): Pair | undefined {
    const pair = this.pairs[this.next];
    const isBefore = pair && (pair.a < a || (pair.a === a && pair.b < b));
    if (isBefore) this.next++;
    return isBefore ? pair : undefined;
  }

  /** Normal of the contacts of a link that pinched something in this frame. */
  normalAt(slot: number): Vec3 | undefined {
    return this.normals.get(slot);
  }

  /** Appends the contacts of the pair that `nextBefore` gave last, up to a distance of `margin` [m]. */
  collide(shapes: readonly (RigidShape | undefined)[], poses: Float64Array, margin: number, out: ContactBuffer): void {
    const { a, b, pieces } = this.pairs[this.next - 1];
    const first = out.count;
    collide(shapes[a]!, poses, POSE_SIZE * a, shapes[b]!, poses, POSE_SIZE * b, margin + this.reach, out);
    const ways = [a, b].map((slot) => this.starts.get(slot)!.map((x, c) => poses[POSE_SIZE * slot + c] - x));
    let kept = first;
    let end = first;
    for (let begin = first; begin < out.count; begin = end) {
      for (end = begin + 1; end < out.count && isAlike(out, begin, end);) end++;
      const distance = PRESSED * thicknessOf(pieces, out, begin, end, ways);
      const before = kept;
      for (let c = begin; c < end; c++) {
        // Links that overlap by more than that do so without cloth, too, and are not held apart.
        const gap = out.separation[c] - distance;
        if (distance === 0 || gap > margin || !(out.separation[c] > -distance)) continue;
        out.separation[c] = gap;
        for (let i = 3 * c; i < 3 * c + 3; i++) {
          out.pointA[i] += 0.5 * distance * out.normal[i];
          out.pointB[i] -= 0.5 * distance * out.normal[i];
        }
        out.move(c, kept++);
      }
      if (kept === before) continue;
      const [x, y, z] = out.normal.subarray(3 * kept - 3, 3 * kept);
      for (const slot of [a, b]) this.normals.set(slot, [x, y, z]);
    }
    out.count = kept;
  }
}

/**
 * Thickness of what lies between the contacts of a patch [m].
 *
 * @param ways of both links since the frame began: they push ahead what they have passed since [m]
 */
function thicknessOf(
  pieces: readonly Piece[],
  { normal, pointA, pointB, separation }: ContactBuffer,
  begin: number,
  end: number,
  ways: readonly ArrayLike<number>[],
): number {
  for (let i = 0; i < 3; i++) frame[i] = normal[3 * begin + i];
  writeTangents(frame, 0);
  middle.fill(0);
  let reach = 0;
  for (let c = begin; c < end; c++) {
    reach = Math.max(reach, 0.5 * Math.abs(separation[c]));
    for (let i = 0; i < 3; i++) middle[i] += (0.5 * (pointA[3 * c + i] + pointB[3 * c + i])) / (end - begin);
  }
  range[0] = -reach - Math.max(0, dot(ways[0], frame));
  range[1] = reach + Math.max(0, -dot(ways[1], frame));
  extent.fill(0);
  places.length = 0;
  places.push(...middle);
  for (let c = begin; c < end; c++) {
    for (let i = 0; i < 3; i++) toContact[i] = 0.5 * (pointA[3 * c + i] + pointB[3 * c + i]) - middle[i];
    for (let d = 0; d < 2; d++) extent[d] = Math.max(extent[d], Math.abs(along(toContact, 3 + 3 * d)));
    for (const part of PLACES) for (let i = 0; i < 3; i++) places.push(middle[i] + part * toContact[i]);
  }
  let sum = 0;
  for (const piece of pieces) {
    let most = 0;
    for (let at = 0; at < places.length && !piece.thin.isRope; at += 3) most = Math.max(most, layersAt(piece, at));
    // Narrow strips and ropes may lie beside all of these places.
    if (most === 0 && isCrossed(piece)) most = 2 * piece.thin.thickness;
    sum += most;
  }
  return sum;
}

/** Thickness of the layers that the line through a place along the normal crosses [m]. */
function layersAt({ thin: { positions, thickness, selfThickness }, cells }: Piece, at: number): number {
  heights.length = 0;
  for (let f = 0; f < cells.length; f += 3) {
    const height = heightOn(positions, cells, f, at);
    if (height >= range[0] - thickness && height <= range[1] + thickness) heights.push(height);
  }
  if (heights.length === 0) return 0;
  heights.sort((a, b) => a - b);
  let sum = 2 * thickness;
  for (let i = 1; i < heights.length; i++) {
    const gap = heights[i] - heights[i - 1];
    if (gap > EDGE * thickness) sum += selfThickness || Math.min(2 * thickness, gap);
  }
  return sum;
}

/** normal of the patch, and two tangents */
const frame = new Float64Array(9);
const middle = new Float64Array(3);
/** lowest and highest place along the normal between the links, from the middle [m] */
const range = new Float64Array(2);
const toContact = new Float64Array(3);
const corners = new Float64Array(9);
/** of the patch along the tangents, to both sides of its middle [m] */
const extent = new Float64Array(2);
/** where layers are counted, three numbers each [m] */
const places: number[] = [];
const heights: number[] = [];

const along = (v: Float64Array, at: number): number => v[0] * frame[at] + v[1] * frame[at + 1] + v[2] * frame[at + 2];

const isAlike = ({ normal: n }: ContactBuffer, a: number, b: number): boolean =>
  n[3 * a] * n[3 * b] + n[3 * a + 1] * n[3 * b + 1] + n[3 * a + 2] * n[3 * b + 2] > ALIKE;

/** Height at which the normal through a place crosses a face [m]; NaN beside it. */
function heightOn(x: Float64Array, faces: Uint32Array, f: number, at: number): number {
  for (let k = 0; k < 3; k++)
    for (let d = 0; d < 3; d++) {
      let sum = 0;
      for (let i = 0; i < 3; i++) sum += (x[3 * faces[f + k] + i] - places[at + i]) * frame[3 * d + i];
      corners[3 * k + d] = sum;
    }
  const [h0, s0, t0, h1, s1, t1, h2, s2, t2] = corners;
  const [a, b, c] = [s1 * t2 - s2 * t1, s2 * t0 - s0 * t2, s0 * t1 - s1 * t0];
  const isInside = (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
  return isInside ? (a * h0 + b * h1 + c * h2) / (a + b + c) : NaN;
}

/** Whether an edge lies between the links, within the patch and its thickness beside it. */
function isCrossed({ thin: { positions, isRope, thickness }, cells }: Piece): boolean {
  const size = isRope ? 2 : 3;
  const bounds = [range[0], range[1], -extent[0], extent[0], -extent[1], extent[1]];
  for (let f = 0; f < cells.length; f += size)
    for (let k = 0; k < (isRope ? 1 : 3); k++) {
      const [p, q] = [3 * cells[f + k], 3 * cells[f + ((k + 1) % size)]];
      let [from, to] = [0, 1];
      for (let d = 0; d < 3 && from <= to; d++) {
        let [a, b] = [0, 0];
        for (let i = 0; i < 3; i++) {
          a += (positions[p + i] - middle[i]) * frame[3 * d + i];
          b += (positions[q + i] - middle[i]) * frame[3 * d + i];
        }
        const [least, most] = [bounds[2 * d] - thickness, bounds[2 * d + 1] + thickness];
        if (Math.max(a, b) < least || Math.min(a, b) > most) from = 2;
        if (a === b) continue;
        const [s, t] = [(least - a) / (b - a), (most - a) / (b - a)];
        from = Math.max(from, Math.min(s, t));
        to = Math.min(to, Math.max(s, t));
      }
      if (from <= to) return true;
    }
  return false;
}

/** Faces or edges that come within a margin of both boxes [m]. */
function cellsWithin(
  { positions: x, cells, isRope }: Thin,
  a: Float64Array,
  b: Float64Array,
  margin: number,
): Uint32Array {
  const size = isRope ? 2 : 3;
  const found: number[] = [];
  for (let f = 0; f < cells.length; f += size) {
    let isNear = true;
    for (let i = 0; i < 3 && isNear; i++) {
      let [least, most] = [Infinity, -Infinity];
      for (let k = 0; k < size; k++) {
        least = Math.min(least, x[3 * cells[f + k] + i]);
        most = Math.max(most, x[3 * cells[f + k] + i]);
      }
      isNear = least - margin <= Math.min(a[3 + i], b[3 + i]) && most + margin >= Math.max(a[i], b[i]);
    }
    if (isNear) for (let k = 0; k < size; k++) found.push(cells[f + k]);
  }
  return Uint32Array.from(found);
}

/** Whether two boxes, given by lowest and highest corners, are within a margin of each other [m]. */
export function meets(a: Float64Array, b: Float64Array, margin: number): boolean {
  for (let i = 0; i < 3; i++) if (!(a[i] - margin <= b[3 + i] && a[3 + i] + margin >= b[i])) return false;
  return true;
}
