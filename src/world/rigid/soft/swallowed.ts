/**
 * Rigid bodies smaller than the faces of a deformable surface: in a frame they go further than their size, touch a face with one corner, tip, and
 * would go on through it. If the center of a convex part went through a face in a frame, the body is put back onto the face, and they meet there
 * without a bounce:
 *
 *     J = −u / (1/m + Σ b² / mᵢ),  u < 0 along the normal on the side that the center came from
 *
 * u   velocity of the body relative to the face [m/s];  b  weights of the corners at the center's place;  m, mᵢ  masses of body and corners [kg]
 *
 * It imports little: several parts of the code load it, and all that it imports would be split off from what others load.
 */
import type { ShapePart } from "../../../collision/narrow/shapes/rigid-shape";
import type { Vec3 } from "../../../math/types";
import { turn } from "../../../math/quaternions";
import { cross, distanceBetween, dot, normalised, scaled, subtract } from "../../../math/vectors";
import type { LedBodies } from "../contact/led-bodies";
import type { RigidBody } from "../rigid-body";

interface SoftState {
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
}

/** A deformable body that the CPU steps. */
export interface SoftSurface {
  readonly model: {
    readonly positions: ArrayLike<number>;
    readonly faces: Uint32Array;
    readonly masses: Float64Array;
    readonly tetrahedra?: unknown;
  };
  readonly isAsleep: boolean;
  readonly stepper: { readonly state?: unknown; readonly guest?: { readonly state: SoftState } | undefined };
  isPinned(vertex: number): boolean;
}

/** A convex part of a body that may meet deformable ones, as the frame begins. */
interface Part {
  readonly body: RigidBody;
  readonly part: ShapePart;
  /** middle of the part [m] */
  readonly from: Vec3;
  readonly to: [number, number, number];
}

interface Surface {
  readonly body: SoftSurface;
  readonly state: SoftState;
  /** positions as the frame begins [m] */
  readonly start: Float64Array;
  readonly longest: number;
}

/** The place where a part went through a face: vertices, weights, normal to the side that it came from, and heights of its middle above the face. */
interface Crossing {
  readonly time: number;
  readonly vertices: Vec3;
  readonly weights: Vec3;
  readonly normal: Vec3;
  readonly before: number;
  readonly after: number;
}

export class Swallowed {
  private parts: Part[] = [];
  private surfaces: Surface[] = [];
  private readonly edges = new WeakMap<Uint32Array, number>();
  private readonly starts = new WeakMap<SoftSurface, Float64Array>();

  constructor(private readonly rigid: Watched) {}

  /** Before a frame. */
  begin(bodies: readonly RigidBody[], softs: readonly SoftSurface[]): void {
    this.parts.length = this.surfaces.length = 0;
    if (softs.length === 0) return;
    const movers = bodies.filter(
      ({ record, motion, options: { leader } }) =>
        !record.rests && (motion === "dynamic" || (leader && leader.group === undefined)),
    );
    if (movers.length === 0) return;
    const edges = softs.map(({ model }) => this.longestEdge(model));
    const most = Math.max(...edges);
    for (const body of movers)
      for (const part of partsOf(body)) {
        if (extentOf(part) > most) continue;
        const from = middleOf(body, part);
        this.parts.push({ body, part, from, to: [...from] });
      }
    if (this.parts.length === 0) return;
    softs.forEach((body, k) => {
      const state = stateOf(body.stepper);
      if (state) this.surfaces.push({ body, state, start: this.copyStart(body, state), longest: edges[k] });
    });
  }

  /** After it, when bodies have taken over the pushes of deformable ones. */
  finish(dt: number): void {
    for (const surface of this.surfaces) {
      const { body, start, state, longest } = surface;
      if (body.isAsleep) continue;
      const box = boxAround(start, state.positions);
      for (const part of this.parts) {
        if (extentOf(part.part) > longest || part.body.isDisposed) continue;
        const to = middleOf(part.body, part.part);
        for (let c = 0; c < 3; c++) part.to[c] = to[c];
        if (isBeside(part, box)) continue;
        const crossing = firstCrossing(surface, part);
        if (crossing) this.put(part, surface, crossing, dt);
      }
    }
    this.parts.length = this.surfaces.length = 0;
  }

  private put({ body, part, from, to }: Part, { body: soft, state }: Surface, crossing: Crossing, dt: number): void {
    const { vertices, weights, normal, before, after } = crossing;
    const { led } = this.rigid;
    const inverseMass = body.motion === "dynamic" ? 1 / body.mass : (led.responseOf(body)?.inverseMass ?? 0);
    if (!(inverseMass > 0)) return;
    const { masses } = soft.model;
    const way = Math.max(0, Math.min(below(body, part, normal), before) - after);
    const shift = Float64Array.from(scaled(normal, way));
    // Something that does not move bears the body: it takes the impulse, and only the face is stopped.
    const isBorne = this.rigid.shortenWay(body, shift);
    let [u, inverse] = [0, isBorne ? 0 : inverseMass];
    for (let c = 0; c < 3; c++) {
      u += normal[c] * (body.motion === "dynamic" ? body.linearVelocity[c] : (to[c] - from[c]) / dt);
      const p = vertices[c];
      if (soft.isPinned(p)) continue;
      inverse += (weights[c] * weights[c]) / masses[p];
      for (let k = 0; k < 3; k++) u -= weights[c] * normal[k] * state.velocities[3 * p + k];
    }
    const impulse = inverse > 0 ? Math.max(0, -u / inverse) : 0;
    if (!Number.isFinite(impulse + way)) return;
    for (let c = 0; c < 3; c++)
      for (let k = 0; k < 3 && !soft.isPinned(vertices[c]); k++)
        state.velocities[3 * vertices[c] + k] -= (impulse * weights[c] * normal[k]) / masses[vertices[c]];
    const push = scaled(normal, impulse);
    const { target } = body.record;
    body.teleport(sum(body.position, shift as unknown as Vec3));
    if (target) target.position = sum(target.position, shift as unknown as Vec3);
    if (body.motion !== "dynamic")
      led.feel(body, Float64Array.of(...push, 0, 0, 0), Float64Array.of(...shift, 0, 0, 0));
    else if (!isBorne) body.applyImpulse(push);
  }

  /** Into the same array in each frame. */
  private copyStart(body: SoftSurface, { positions }: SoftState): Float64Array {
    let start = this.starts.get(body);
    if (start?.length !== positions.length) this.starts.set(body, (start = new Float64Array(positions.length)));
    start.set(positions);
    return start;
  }

  private longestEdge({ faces, positions: x }: SoftSurface["model"]): number {
    const known = this.edges.get(faces);
    if (known !== undefined) return known;
    let longest = 0;
    for (let i = 0; i < faces.length; i++)
      longest = Math.max(longest, distanceBetween(x, 3 * faces[i], 3 * faces[i % 3 === 2 ? i - 2 : i + 1]));
    this.edges.set(faces, longest);
    return longest;
  }
}

/** A world of rigid bodies. */
interface Watched {
  readonly led: LedBodies;
  swallowed: Swallowed | undefined;
  /** see free-way.ts */
  shortenWay(body: RigidBody, way: Float64Array): boolean;
}

/** Watches a world of rigid bodies from now on. */
export function watchSwallowed(rigid: Watched): void {
  rigid.swallowed ??= new Swallowed(rigid);
}

/** The state of a body on the CPU. */
export function stateOf(stepper: SoftSurface["stepper"]): SoftState | undefined {
  return stepper.guest?.state ?? (stepper.state as SoftState | undefined);
}

/** Convex parts that deformable bodies meet. */
function partsOf({ options, record }: RigidBody): readonly ShapePart[] {
  if (options.meets === "rigid" || !record.compiled) return [];
  return record.compiled.parts.filter((part, k) => {
    const { isTrigger, membership, collideWith } = { ...options, ...options.surfaces?.[k] };
    return part.convex && !isTrigger && membership !== 0 && collideWith !== 0;
  });
}

/** Greatest extent of a part [m]. */
const extentOf = ({ bounds: b }: ShapePart): number => Math.max(b[3] - b[0], b[4] - b[1], b[5] - b[2]);

/** Origin of a part, which is convex around it. */
function middleOf({ position, rotation }: RigidBody, { frame: f }: ShapePart): Vec3 {
  return sum(position, turn(rotation, [f[9], f[10], f[11]]));
}

/** Reach of a part below its middle, against a normal [m]. */
function below({ rotation: [x, y, z, w] }: RigidBody, { convex, frame: f }: ShapePart, normal: Vec3): number {
  const { vertices: v, radius, halfX, halfY } = convex!;
  const n = turn([-x, -y, -z, w], normal);
  // along the axes of the part
  const [a, b, c] = [0, 1, 2].map((k) => f[k] * n[0] + f[3 + k] * n[1] + f[6 + k] * n[2]);
  if (v.length === 0) return halfX * Math.sqrt(a * a + c * c) + halfY * Math.abs(b);
  let most = 0;
  for (let i = 0; i < v.length; i += 3) most = Math.max(most, -a * v[i] - b * v[i + 1] - c * v[i + 2]);
  return most + radius;
}

const sum = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

/** The box around the places of a body at two times: lowest and highest corner [m]. */
export function boxAround(a: Float64Array, b: Float64Array): Float64Array {
  const box = Float64Array.of(Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity);
  for (let i = 0; i < a.length; i++) {
    const c = i % 3;
    box[c] = Math.min(box[c], a[i], b[i]);
    box[3 + c] = Math.max(box[3 + c], a[i], b[i]);
  }
  return box;
}

/** Written so that what is not a number is beside. */
const isBeside = ({ from, to }: Part, box: Float64Array): boolean =>
  [0, 1, 2].some((c) => !(Math.max(from[c], to[c]) >= box[c] && Math.min(from[c], to[c]) <= box[3 + c]));

/** The first face that the middle of a part went through. */
function firstCrossing({ body, start, state, longest }: Surface, { from, to }: Part): Crossing | undefined {
  const { faces, tetrahedra } = body.model;
  const { positions } = state;
  const reach = STRETCHED * longest;
  let first: Crossing | undefined;
  for (let f = 0; f < faces.length; f += 3) {
    const a = 3 * faces[f];
    let isNear = true;
    for (let c = 0; c < 3 && isNear; c++) {
      const x = positions[a + c];
      isNear = x >= Math.min(from[c], to[c]) - reach && x <= Math.max(from[c], to[c]) + reach;
    }
    if (!isNear) continue;
    const earlier = cornersOf(start, faces, f);
    const later = cornersOf(positions, faces, f);
    const before = heightAbove(earlier, from);
    // Normals of solids look into them, and what is in one may come out.
    if (tetrahedra && before > 0) continue;
    const after = heightAbove(later, to);
    const time = before / (before - after);
    if (!(before * after < 0) || (first && time >= first.time)) continue;
    const weights = weightsAt(
      earlier.map((corner, k) => between(corner, later[k], time)) as unknown as Corners,
      between(from, to, time),
    );
    if (!weights) continue;
    const side = Math.sign(before);
    const [x, y, z] = normalOf(later);
    first = {
      time,
      vertices: [faces[f], faces[f + 1], faces[f + 2]],
      weights,
      normal: [side * x, side * y, side * z],
      before: side * before,
      after: side * after,
    };
  }
  return first;
}

type Corners = readonly [Vec3, Vec3, Vec3];

function cornersOf(x: Float64Array, faces: Uint32Array, f: number): Corners {
  const at = (i: number): Vec3 => [x[3 * i], x[3 * i + 1], x[3 * i + 2]];
  return [at(faces[f]), at(faces[f + 1]), at(faces[f + 2])];
}

const normalOf = ([a, b, c]: Corners): Vec3 => normalised(cross(subtract(b, a), subtract(c, a)));

const heightAbove = (corners: Corners, of: Vec3): number => dot(normalOf(corners), subtract(of, corners[0]));

const between = (a: Vec3, b: Vec3, t: number): Vec3 => [
  a[0] + t * (b[0] - a[0]),
  a[1] + t * (b[1] - a[1]),
  a[2] + t * (b[2] - a[2]),
];

/** Weights of a point in a triangle; undefined beside it. */
function weightsAt([a, b, c]: Corners, at: Vec3): Vec3 | undefined {
  const n = cross(subtract(b, a), subtract(c, a));
  const part = (p: Vec3, q: Vec3): number => dot(cross(subtract(p, at), subtract(q, at)), n) / dot(n, n);
  const [x, y] = [part(b, c), part(c, a)];
  const z = 1 - x - y;
  return Math.min(x, y, z) >= -BESIDE ? [x, y, z] : undefined;
}

/** By how much edges may be stretched, and a crossing may be beside a face, as parts: two faces take the time of a crossing a little differently. */
const [STRETCHED, BESIDE] = [1.5, 1e-3];
