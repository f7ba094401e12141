import * as constants from "../../../../generated/constants";
import { combineBy } from "../../../../collision/obstacles/combine";
import { deepestPoint } from "../../../../collision/distance/deepest-point";
import { rotate, toFrame } from "../../../../collision/shape/pose";
import { type Primitive, PrimitiveKind } from "../../../../collision/distance/primitives";
import { signedDistance } from "../../../../collision/distance/signed-distance";
import { type BodyTable, POSE_SIZE, TWIST_SIZE } from "../../motion/bodies";
import { facesOfEdges } from "../../../../geometry/surface/edges";
import { distanceBetween, norm } from "../../../../math/vectors";
import { meanEdge } from "../../../spacing";
import type { FemBody } from "../fem-body";
import type { SoftContacts } from "./soft-contacts";

/** A part of an object that deformable bodies meet: one primitive of a rigid body or obstacle. */
export interface ObstaclePart {
  primitive: Primitive;
  /** pose of the primitive at the start of the step, from `at` on (see collision/pose.ts) */
  poses: Float64Array;
  at: number;
  /** place of the rigid body, −1 for an obstacle */
  slot: number;
  friction: number;
  /** number of the combine mode of friction, see collision/combine.ts */
  frictionCombine: number;
  /** box of the primitive in the world: lowest, then highest corner */
  bounds: Float64Array;
}

/** Particles on the surface of a body: those of faces, or all particles of a body without faces. */
export class SurfaceNodes {
  readonly nodes: Int32Array;
  /** the other particles */
  readonly inner: Int32Array;
  /** three particles each; of a rope its edges, with the second particle twice */
  readonly faces: ArrayLike<number>;
  /** longest of their edges at rest [m] */
  readonly longest: number;
  /** the same of a surface, 0 of a rope [m]: how far sharp edges of obstacles are rounded */
  readonly edge: number;
  /** mean distance of neighbors [m] */
  readonly spacing: number;

  constructor(body: FemBody) {
    const { faces, positions, particleCount, elements } = body.model;
    const links = elements.find(({ arity }) => arity === 2);
    this.spacing = faces.length === 0 && links ? meanLink(positions, links.indices) : meanEdge(body.model);
    const marks = new Uint8Array(particleCount).fill(faces.length === 0 ? 1 : 0);
    this.faces = faces.length === 0 && links ? facesOfEdges(links.indices) : faces;
    let longest = 0;
    for (let f = 0; f < this.faces.length; f++) {
      const [p, q] = [this.faces[f], this.faces[f % 3 === 2 ? f - 2 : f + 1]];
      marks[p] = 1;
      longest = Math.max(longest, distanceBetween(positions, 3 * p, 3 * q));
    }
    this.longest = longest;
    this.edge = faces.length === 0 ? 0 : longest;
    this.nodes = Int32Array.from([...marks.keys()].filter((p) => marks[p] === 1));
    this.inner = Int32Array.from([...marks.keys()].filter((p) => marks[p] === 0));
  }
}

function meanLink(x: ArrayLike<number>, pairs: ArrayLike<number>): number {
  let length = 0;
  for (let i = 0; i < pairs.length; i += 2) length += distanceBetween(x, 3 * pairs[i], 3 * pairs[i + 1]);
  return (2 * length) / pairs.length;
}

/** Radius of rounded sharp edges, as a part of the body's longest edge and of the least extent of the obstacle part. */
const ROUND = 0.25;

const local = new Float64Array(12);
const world = new Float64Array(3);
const gradient = new Float64Array(3);
const normal = new Float64Array(3);
const deepest = new Float64Array(7);
const low = new Float64Array(3);
const high = new Float64Array(3);

/** Largest acceleration [m/s²], times the grain of the body, that the search for contacts anticipates. */
const SUDDEN = 10;
/** Cosine of the largest angle between normals that count as equal. */
const PARALLEL = 1 - 1e-9;
const { AT_VERTEX } = constants;

/** The search for contacts allows approach speeds larger than the current ones by this factor. */
const FASTER = 1.25;

/** Distances of surface particles from the current part. */
let distances = new Float64Array(0);
/** 3 a particle: its velocity relative to the part [m/s] */
let relative = new Float64Array(0);

/**
 * Appends contacts of one body with one part: those that a step of h [s] may close.
 *
 * @param index number of the body
 * @returns whether there are contacts
 */
export function findContacts(
  bodies: BodyTable,
  body: FemBody,
  index: number,
  surface: SurfaceNodes,
  part: ObstaclePart,
  h: number,
  out: SoftContacts,
): boolean {
  const before = out.count;
  const { poses, at } = part;
  const { primitive, radius } = rounded(part.primitive, ROUND * surface.edge);
  const { positions, thickness } = body;
  const reach = (SUDDEN * body.grain + driven(body)) * h * h + thickness;
  if (!meets(bodies, body, surface, part, reach, h)) return false;
  if (distances.length < body.count) {
    distances = new Float64Array(2 * body.count);
    relative = new Float64Array(6 * body.count);
  }
  const friction = combineBy(part.frictionCombine, body.friction, part.friction);
  const visit = (p: number, within: number): void => {
    const [x, y, z] = [positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]];
    toFrame(poses, at, positions, 3 * p, local, 0);
    const phi = signedDistance(primitive, local[0], local[1], local[2], gradient) - radius;
    distances[p] = phi;
    writeRelative(bodies, body, part, 3 * p);
    rotate(poses, at, gradient[0], gradient[1], gradient[2], normal, 0);
    if (phi > within + FASTER * h * Math.max(0, -along(3 * p))) return;
    add(bodies, body, index, part, p, x, y, z, phi, friction, out);
  };
  for (const p of surface.nodes) visit(p, reach);
  // Inner particles lie beyond the surface of a body that is pressed inside out, so they touch obstacles that they get into.
  if (out.count > before) for (const p of surface.inner) visit(p, 0);
  if (surface.longest > 0) findFaces(bodies, body, index, surface, part, reach, h, friction, out);
  return out.count > before;
}

/** Acceleration by the forces that others are expected to exert, as if all of them had one direction [m/s²]. */
function driven({ outer, model: { masses } }: FemBody): number {
  let [sum, mass] = [0, 0];
  for (let p = 0, i = 0; p < masses.length; p++, i += 3) {
    mass += masses[p];
    if (outer[i] !== 0 || outer[i + 1] !== 0 || outer[i + 2] !== 0) sum += norm([outer[i], outer[i + 1], outer[i + 2]]);
  }
  return sum === 0 ? 0 : sum / mass;
}

/** Writes the velocity of the particle at place `i` relative to the part. */
function writeRelative({ state }: BodyTable, { positions, velocities }: FemBody, part: ObstaclePart, i: number): void {
  for (let k = i; k < i + 3; k++) relative[k] = velocities[k];
  if (part.slot < 0) return;
  const v = state.velocity;
  const t = TWIST_SIZE * part.slot;
  const { pose } = state;
  const q = POSE_SIZE * part.slot;
  const rx = positions[i] - pose[q];
  const ry = positions[i + 1] - pose[q + 1];
  const rz = positions[i + 2] - pose[q + 2];
  relative[i] -= v[t] + v[t + 4] * rz - v[t + 5] * ry;
  relative[i + 1] -= v[t + 1] + v[t + 5] * rx - v[t + 3] * rz;
  relative[i + 2] -= v[t + 2] + v[t + 3] * ry - v[t + 4] * rx;
}

/** Speed of a particle along `normal`, relative to the part [m/s]. */
function along(i: number): number {
  return normal[0] * relative[i] + normal[1] * relative[i + 1] + normal[2] * relative[i + 2];
}

/** Whether the widened box of the body meets that of the part. */
function meets(
  bodies: BodyTable,
  body: FemBody,
  surface: SurfaceNodes,
  part: ObstaclePart,
  reach: number,
  h: number,
): boolean {
  const { bounds } = part;
  low.fill(Infinity);
  high.fill(-Infinity);
  let fastest = 0;
  for (const p of surface.nodes)
    for (let k = 0; k < 3; k++) {
      const x = body.positions[3 * p + k];
      low[k] = Math.min(low[k], x);
      high[k] = Math.max(high[k], x);
      fastest = Math.max(fastest, Math.abs(body.velocities[3 * p + k]));
    }
  const wide = reach + 2.5 * h * fastest + FASTER * h * partSpeed(bodies, part);
  for (let k = 0; k < 3; k++) if (low[k] - wide > bounds[3 + k] || high[k] + wide < bounds[k]) return false;
  return true;
}

/** Upper bound of the speed of a part's points [m/s]. */
function partSpeed({ state }: BodyTable, { slot, bounds }: ObstaclePart): number {
  if (slot < 0) return 0;
  const { pose, velocity: v } = state;
  let furthest = 0;
  for (let k = 0; k < 3; k++) {
    const x = pose[POSE_SIZE * slot + k];
    const extent = Math.max(bounds[3 + k] - x, x - bounds[k]);
    furthest += extent * extent;
  }
  const at = TWIST_SIZE * slot;
  const spin = v[at + 3] * v[at + 3] + v[at + 4] * v[at + 4] + v[at + 5] * v[at + 5];
  return Math.sqrt(v[at] * v[at] + v[at + 1] * v[at + 1] + v[at + 2] * v[at + 2]) + Math.sqrt(spin * furthest);
}

function add(
  bodies: BodyTable,
  body: FemBody,
  index: number,
  part: ObstaclePart,
  node: number,
  x: number,
  y: number,
  z: number,
  phi: number,
  friction: number,
  out: SoftContacts,
): number {
  rotate(part.poses, part.at, gradient[0], gradient[1], gradient[2], normal, 0);
  world[0] = x - phi * normal[0];
  world[1] = y - phi * normal[1];
  world[2] = z - phi * normal[2];
  return out.addNode(bodies, index, node, part.slot, normal, world, phi - body.thickness, friction);
}

/** Whether the part is flat under the face in `local`, of normal `gradient`: its corners are enough then. */
function isFlat(primitive: Primitive): boolean {
  for (let k = 0; k < 3; k++) normal[k] = gradient[k];
  let flat = true;
  for (let corner = 0; corner < 9 && flat; corner += 3) {
    signedDistance(primitive, local[corner], local[corner + 1], local[corner + 2], gradient);
    flat = gradient[0] * normal[0] + gradient[1] * normal[1] + gradient[2] * normal[2] > PARALLEL;
  }
  for (let k = 0; k < 3; k++) gradient[k] = normal[k];
  return flat;
}

/**
 * Finds faces whose inside is, or might be, closer to the part than their corners: all except those that lie flat on
 * it. The choice must not depend on the depth of a face; otherwise a contact that holds would be dropped because it
 * holds.
 */
function findFaces(
  bodies: BodyTable,
  body: FemBody,
  index: number,
  surface: SurfaceNodes,
  part: ObstaclePart,
  reach: number,
  h: number,
  friction: number,
  out: SoftContacts,
): void {
  const { faces, longest } = surface;
  const { positions } = body;
  const { poses, at } = part;
  const { primitive, radius } = rounded(part.primitive, ROUND * surface.edge);
  for (let f = 0; f < faces.length; f += 3) {
    const least = Math.min(distances[faces[f]], distances[faces[f + 1]], distances[faces[f + 2]]);
    let squared = 0;
    for (let corner = 0; corner < 3; corner++) {
      const i = 3 * faces[f + corner];
      const [x, y, z] = [relative[i], relative[i + 1], relative[i + 2]];
      squared = Math.max(squared, x * x + y * y + z * z);
    }
    const furthest = reach + FASTER * h * Math.sqrt(squared);
    // No point of a face is further from a corner than its longest edge.
    if (least > 2 * longest + furthest) continue;
    for (let corner = 0; corner < 3; corner++) toFrame(poses, at, positions, 3 * faces[f + corner], local, 3 * corner);
    for (let k = 0; k < 3; k++) local[9 + k] = (local[k] + local[3 + k] + local[6 + k]) / 3;
    const middle = signedDistance(primitive, local[9], local[10], local[11], gradient) - radius;
    if (middle > longest + furthest) continue;
    deepest[0] = local[9];
    deepest[1] = local[10];
    deepest[2] = local[11];
    deepest[6] = longest;
    deepestPoint(primitive, local, deepest, faces[f + 1] === faces[f + 2]);
    const phi = deepest[6] - radius;
    if (phi > furthest || Math.max(deepest[3], deepest[4], deepest[5]) >= AT_VERTEX) continue;
    signedDistance(primitive, deepest[0], deepest[1], deepest[2], gradient);
    rotate(poses, at, gradient[0], gradient[1], gradient[2], normal, 0);
    let speed = 0;
    for (let corner = 0; corner < 3; corner++) speed += deepest[3 + corner] * along(3 * faces[f + corner]);
    if (phi > reach + FASTER * h * Math.max(0, -speed)) continue;
    if (isFlat(primitive)) continue;
    world.fill(0);
    for (let corner = 0; corner < 3; corner++)
      for (let k = 0; k < 3; k++) world[k] += deepest[3 + corner] * positions[3 * faces[f + corner] + k];
    const [x, y, z] = [world[0], world[1], world[2]];
    const c = add(bodies, body, index, part, faces[f], x, y, z, phi, friction, out);
    out.spread(c, faces, f, deepest, 3);
  }
}

interface Rounded {
  readonly wanted: number;
  readonly primitive: Primitive;
  readonly radius: number;
}

/** Radius by which the edges of a primitive are rounded for a body with this longest edge [m]. */
export function roundedBy(primitive: Primitive, edge: number): number {
  return rounded(primitive, ROUND * edge).radius;
}

const roundedPrimitives = new WeakMap<Primitive, Rounded>();

/**
 * A box or cylinder with its edges rounded: the distance to a smaller primitive minus the radius. Inside sharp edges
 * the nearest face changes from point to point, and a jumping normal keeps a body from coming to rest there.
 */
function rounded(primitive: Primitive, wanted: number): Rounded {
  const known = roundedPrimitives.get(primitive);
  if (known?.wanted === wanted) return known;
  const [x, y, z, w] = primitive.size;
  let made: Rounded = { wanted, primitive, radius: 0 };
  if (primitive.kind === PrimitiveKind.box) {
    const radius = Math.min(wanted, ROUND * Math.min(x, y, z));
    made = { wanted, primitive: { ...primitive, size: [x - radius, y - radius, z - radius, w] }, radius };
  } else if (primitive.kind === PrimitiveKind.cylinder) {
    const radius = Math.min(wanted, ROUND * Math.min(x, y));
    made = { wanted, primitive: { ...primitive, size: [x - radius, y - radius, z, w] }, radius };
  }
  roundedPrimitives.set(primitive, made);
  return made;
}
