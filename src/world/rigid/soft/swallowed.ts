/**
 * Rigid bodies smaller than the faces of a deformable surface: in a frame they go further than their size, touch a face with one corner, tip, and
 * would go on through it. Where the center of a convex part went through a face in a frame, the body is put back onto the face, and they meet there
 * without a bounce:
 *
 *     J = −u / (1/m + Σ b² / mᵢ),  u < 0 along the normal on the side that the center came from
 *
 * u   velocity of the body relative to the face [m/s];  b  weights of the corners at the center's place;  m, mᵢ  masses of body and corners [kg]
 */
import { composeFrames, identityFrame, poseToFrame } from "../../../collision/narrow/frame";
import { Placed, supportHeight } from "../../../collision/narrow/shapes/placed";
import type { ShapePart } from "../../../collision/narrow/shapes/rigid-shape";
import { triangleNormal } from "../../../geometry/triangles/triangle";
import type { Vec3 } from "../../../math/types";
import { cross, subtract } from "../../../math/vectors";
import { isMetBySoft, surfaceOf } from "../body-options";
import { displace } from "../contact/push";
import type { LedBodies } from "../contact/led-bodies";
import type { RigidBody } from "../rigid-body";

interface SoftState {
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
}

/** A deformable body that the CPU steps. */
export interface SoftSurface {
  readonly model: { readonly faces: Uint32Array; readonly masses: Float64Array; readonly tetrahedra?: unknown };
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

/** Where a part went through a face: vertices, weights, normal to the side that it came from, and heights of its middle above the face. */
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

  constructor(private readonly led: LedBodies) {}

  /** Before a frame. */
  begin(bodies: readonly RigidBody[], softs: readonly SoftSurface[]): void {
    this.parts = [];
    this.surfaces = [];
    const movers = bodies.filter((body) => !body.record.rests && (body.motion === "dynamic" || body.options.leader));
    if (movers.length === 0) return;
    let longest = 0;
    for (const body of softs) {
      const state = stateOf(body);
      if (!state || body.isAsleep || body.model.faces.length === 0) continue;
      const edge = this.longestEdge(body.model.faces, state.positions);
      longest = Math.max(longest, edge);
      this.surfaces.push({ body, state, start: state.positions.slice(), longest: edge });
    }
    for (const body of movers)
      partsOf(body).forEach((part) => {
        if (extentOf(part) > longest) return;
        const from = middleOf(body, part);
        this.parts.push({ body, part, from, to: [...from] });
      });
  }

  /** After it, when bodies have taken over the pushes of deformable ones. */
  finish(dt: number): void {
    for (const surface of this.surfaces) {
      const { start, state, longest } = surface;
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
    this.parts = [];
    this.surfaces = [];
  }

  private put({ body, part, from, to }: Part, { body: soft, state }: Surface, crossing: Crossing, dt: number): void {
    const { vertices, weights, normal, before, after } = crossing;
    const inverseMass = body.motion === "dynamic" ? 1 / body.mass : (this.led.responseOf(body)?.inverseMass ?? 0);
    if (!(inverseMass > 0)) return;
    const { masses } = soft.model;
    let [u, inverse] = [0, inverseMass];
    for (let c = 0; c < 3; c++) {
      u += normal[c] * (body.motion === "dynamic" ? body.linearVelocity[c] : (to[c] - from[c]) / dt);
      const p = vertices[c];
      if (soft.isPinned(p)) continue;
      inverse += weights[c] ** 2 / masses[p];
      for (let k = 0; k < 3; k++) u -= weights[c] * normal[k] * state.velocities[3 * p + k];
    }
    const impulse = Math.max(0, -u / inverse);
    const way = Math.max(0, Math.min(below(body, part, normal), before) - after);
    for (let c = 0; c < 3; c++)
      for (let k = 0; k < 3 && !soft.isPinned(vertices[c]); k++)
        state.velocities[3 * vertices[c] + k] -= (impulse * weights[c] * normal[k]) / masses[vertices[c]];
    const displacement = new Float64Array(6);
    const push: Vec3 = [impulse * normal[0], impulse * normal[1], impulse * normal[2]];
    for (let k = 0; k < 3; k++) displacement[k] = way * normal[k];
    displace(body, displacement);
    if (body.motion === "dynamic") body.applyImpulse(push);
    else this.led.feel(body, Float64Array.of(...push, 0, 0, 0), displacement);
  }

  private longestEdge(faces: Uint32Array, x: Float64Array): number {
    const known = this.edges.get(faces);
    if (known !== undefined) return known;
    let squared = 0;
    for (let i = 0; i < faces.length; i++) {
      const [a, b] = [3 * faces[i], 3 * faces[i % 3 === 2 ? i - 2 : i + 1]];
      squared = Math.max(squared, (x[a] - x[b]) ** 2 + (x[a + 1] - x[b + 1]) ** 2 + (x[a + 2] - x[b + 2]) ** 2);
    }
    this.edges.set(faces, Math.sqrt(squared));
    return Math.sqrt(squared);
  }
}

/** Watches a world of rigid bodies from now on. */
export function watchSwallowed(rigid: { readonly led: LedBodies; swallowed: Swallowed | undefined }): void {
  rigid.swallowed ??= new Swallowed(rigid.led);
}

function stateOf({ stepper }: SoftSurface): SoftState | undefined {
  return stepper.guest?.state ?? (stepper.state as SoftState | undefined);
}

/** Convex parts that deformable bodies meet. */
function partsOf({ options, record }: RigidBody): readonly ShapePart[] {
  if (options.meets === "rigid" || !record.compiled) return [];
  return record.compiled.parts.filter(
    (part, k) => part.convex && isMetBySoft(options.surfaces ? surfaceOf(options, k) : options),
  );
}

/** Greatest extent of a part [m]. */
const extentOf = ({ bounds: b }: ShapePart): number => Math.max(b[3] - b[0], b[4] - b[1], b[5] - b[2]);

const pose = new Float64Array(7);
const frame = identityFrame();
const placed = new Placed();
const whole = identityFrame();

function place(body: RigidBody, part: ShapePart): void {
  pose.set(body.position);
  pose.set(body.rotation, 3);
  poseToFrame(pose, 0, whole);
  composeFrames(whole, part.frame, frame);
}

/** The middle of its box: within it, as it is convex. */
function middleOf(body: RigidBody, { bounds: b }: ShapePart): Vec3 {
  pose.set(body.position);
  pose.set(body.rotation, 3);
  poseToFrame(pose, 0, whole);
  const [x, y, z] = [(b[0] + b[3]) / 2, (b[1] + b[4]) / 2, (b[2] + b[5]) / 2];
  const at = (r: number): number => whole[3 * r] * x + whole[3 * r + 1] * y + whole[3 * r + 2] * z + whole[9 + r];
  return [at(0), at(1), at(2)];
}

/** How far a part reaches below its middle [m]. */
function below(body: RigidBody, part: ShapePart, [x, y, z]: Vec3): number {
  place(body, part);
  placed.setAt(part.convex!, frame);
  const [mx, my, mz] = middleOf(body, part);
  return supportHeight(placed, -x, -y, -z) + part.convex!.radius + x * mx + y * my + z * mz;
}

function boxAround(a: Float64Array, b: Float64Array): Float64Array {
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

const normal = new Float64Array(3);
const corners = new Float64Array(9);

/** The first face that the middle of a part went through. */
function firstCrossing({ body, start, state, longest }: Surface, { from, to }: Part): Crossing | undefined {
  const { faces, tetrahedra } = body.model;
  const { positions } = state;
  let first: Crossing | undefined;
  const reach = longest * STRETCHED;
  const low = [0, 1, 2].map((c) => Math.min(from[c], to[c]) - reach);
  const high = [0, 1, 2].map((c) => Math.max(from[c], to[c]) + reach);
  const heightAt = (x: Float64Array, f: number, of: Vec3): number => {
    const [a, b, c] = [3 * faces[f], 3 * faces[f + 1], 3 * faces[f + 2]];
    triangleNormal(x, a, b, c, normal);
    const size = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
    for (let k = 0; k < 3; k++) normal[k] /= size;
    return normal[0] * (of[0] - x[a]) + normal[1] * (of[1] - x[a + 1]) + normal[2] * (of[2] - x[a + 2]);
  };
  for (let f = 0; f < faces.length; f += 3) {
    const a = 3 * faces[f];
    const x = positions[a];
    if (!(x >= low[0] && x <= high[0])) continue;
    if (!(positions[a + 1] >= low[1] && positions[a + 1] <= high[1])) continue;
    if (!(positions[a + 2] >= low[2] && positions[a + 2] <= high[2])) continue;
    const before = heightAt(start, f, from);
    // Normals of solids look into them, and what is in one may come out.
    if (tetrahedra && before > 0) continue;
    const after = heightAt(positions, f, to);
    const side = before > 0 ? 1 : -1;
    if (!(side * after < 0)) continue;
    const time = before / (before - after);
    if (first && time >= first.time) continue;
    const at = from.map((value, k) => value + time * (to[k] - value)) as unknown as Vec3;
    for (let i = 0; i < 9; i++) {
      const j = 3 * faces[f + Math.floor(i / 3)] + (i % 3);
      corners[i] = start[j] + time * (positions[j] - start[j]);
    }
    const weights = weightsAt(at);
    if (!weights) continue;
    first = {
      time,
      vertices: [faces[f], faces[f + 1], faces[f + 2]],
      weights,
      normal: [side * normal[0], side * normal[1], side * normal[2]],
      before: side * before,
      after: side * after,
    };
  }
  return first;
}

/** Weights of a point in the triangle `corners`; undefined beside it. */
function weightsAt(at: Vec3): Vec3 | undefined {
  const corner = (i: number): Vec3 => [corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]];
  const [a, b, c] = [corner(0), corner(1), corner(2)];
  const n = cross(subtract(b, a), subtract(c, a));
  const area = n[0] ** 2 + n[1] ** 2 + n[2] ** 2;
  const part = (p: Vec3, q: Vec3): number => {
    const m = cross(subtract(p, at), subtract(q, at));
    return (m[0] * n[0] + m[1] * n[1] + m[2] * n[2]) / area;
  };
  const [x, y] = [part(b, c), part(c, a)];
  const z = 1 - x - y;
  return Math.min(x, y, z) >= -BESIDE ? [x, y, z] : undefined;
}

/** By how much edges may be stretched, and a crossing may be beside a face, as parts: two faces take the time of a crossing a little differently. */
const [STRETCHED, BESIDE] = [1.5, 1e-3];
