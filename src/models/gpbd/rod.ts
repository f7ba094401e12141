import { checkList, checkPoints } from "../../checks";
import { degenerate, invalid } from "../../errors";
import { optionNames } from "../../option-names";
import { colourElements } from "../../geometry/colouring";
import type { Quat } from "../../math/types";
import type { GpbdModel } from "../../solvers/gpbd/model";
import { rodSubsteps } from "../../solvers/gpbd/rods/rod-substeps";
import { relativeTurn, REST, untwistedFrames, type RodSet } from "../../solvers/gpbd/rods/rod-set";
import { createTerm } from "./term";
import { distanceBetween, lengthOf } from "../../math/vectors";
import { atan2, cos, sin } from "../../math/deterministic";

/** An elastic rod or a rope: a line that resists stretch, bending and twist. */
export interface RodDescription {
  /** n × 3 [m], at least two points, or three for a closed rod */
  positions: ArrayLike<number>;
  /** whether the last point is joined to the first, default false */
  closed?: boolean | undefined;
  /** radius of the circular cross-section [m]; also the distance that obstacles and other surfaces keep */
  radius: number;
  /** [kg/m³] */
  density: number;
  /** [Pa]; default that of a rope of fibers, see `fiberModulus` */
  youngsModulus?: number | undefined;
  /** in (−1, 0.5], default 0.5 */
  poissonRatio?: number | undefined;
  /** E A [N], default π r² E */
  stretchStiffness?: number | undefined;
  /** B [N m²], default ¼ π r⁴ E; a rope of many fibers has a much smaller one */
  bendingStiffness?: number | undefined;
  /** C [N m²], default B/(1 + ν) */
  torsionStiffness?: number | undefined;
  /** shape without stress: `straight` (default), or the path of `positions` */
  naturalShape?: "straight" | "path" | undefined;
  /** angle by which the material is twisted from start to end, or once around a closed rod [rad], default 0 */
  twist?: number | undefined;
  /** Kelvin-Voigt damping time of bending and twist [s], default 0 */
  damping?: number | undefined;
  /** friction coefficient, default 0.5 */
  friction?: number | undefined;
  name?: string | undefined;
}

export const rodNames = optionNames<RodDescription>()(`
  positions closed? radius density youngsModulus poissonRatio stretchStiffness bendingStiffness torsionStiffness
  naturalShape twist damping friction name
`);

/**
 * Young's moduli of a rope of fibers, such as nylon [Pa]: one for stretch, and one for bending and twist, in which
 * fibers slide past each other. With these, 20 m of rope stretch by a tenth of a percent under their own weight, and
 * hang limply.
 */
export const fiberModulus = { stretch: 1e9, bending: 1e6 } as const;

/** A body that is one rod. Particle i is the i-th of the description; edge i starts at particle i. */
export interface RodModel extends GpbdModel {
  readonly rods: RodSet;
}

/**
 * A rod for the GPBD solver: stretch by compliant distances, bending and twist as in discrete elastic rods, see
 * `RodSet`. Two consecutive pinned particles clamp the rod: they hold its position, direction and twist.
 *
 * @throws PliantError for fewer than two particles, or fewer than three of a closed rod, coordinates that are not
 * finite, edges without length, and numbers out of range
 */
export function gpbdRod(description: RodDescription): RodModel {
  const { name = "rod", radius, density, closed = false } = description;
  const { youngsModulus: modulus } = description;
  const { poissonRatio = 0.5, twist = 0, damping = 0, friction = 0.5, naturalShape = "straight" } = description;
  const {
    stretchStiffness = Math.PI * radius * radius * (modulus ?? fiberModulus.stretch),
    bendingStiffness = 0.25 * Math.PI * radius * radius * radius * radius * (modulus ?? fiberModulus.bending),
    torsionStiffness = bendingStiffness / (1 + poissonRatio),
  } = description;
  // First those that the others follow from, so that messages name what was given.
  const positive = { ...(modulus !== undefined && { youngsModulus: modulus }), radius, density, stretchStiffness };
  requireAll(name, { poissonRatio }, "must be above -1 and at most 0.5", (v) => v > -1 && v <= 0.5);
  requireAll(name, positive, "must be positive", (v) => v > 0);
  requireAll(name, { bendingStiffness, torsionStiffness, damping, friction }, "must not be negative", (v) => v >= 0);
  requireAll(name, { twist }, "must be finite", () => true);
  if (naturalShape !== "straight" && naturalShape !== "path")
    throw invalid(`${name}.naturalShape`, naturalShape, 'must be "straight" or "path"');
  checkList(description.positions, `${name} positions`);
  const positions = Float64Array.from(description.positions);
  const { edges, lengths } = edgesOf(name, positions, closed);

  const particleCount = positions.length / 3;
  const edgeCount = lengths.length;
  const masses = new Float64Array(particleCount);
  const inertias = new Float64Array(edgeCount);
  const compliances: number[] = [];
  for (let e = 0; e < edgeCount; e++) {
    const mass = density * Math.PI * radius * radius * lengths[e];
    masses[edges[2 * e]] += 0.5 * mass;
    masses[edges[2 * e + 1]] += 0.5 * mass;
    inertias[e] = mass * Math.max(0.5 * radius * radius, 0.25 * lengths[e] * lengths[e]);
    compliances.push(lengths[e], lengths[e] / stretchStiffness);
  }
  // A joint twists over half the length of each edge beside it; the joints of a closed rod together twist over its
  // whole length.
  const frames = untwistedFrames(positions, edges, closed ? (twist * (edgeCount - 1)) / edgeCount : twist);
  const stiffness = [bendingStiffness, bendingStiffness, torsionStiffness];
  const rods: RodSet = {
    radius,
    edges,
    frames,
    inertias,
    damping,
    ...jointsOf({
      edges,
      lengths,
      frames,
      closed,
      twist,
      stiffness,
      keepsShape: naturalShape === "path",
      particleCount,
    }),
  };
  const stretch = createTerm("distance", { positions }, edges, compliances, []);
  const faces = new Uint32Array(0);
  const wantedSubsteps = rodSubsteps;
  return { name, particleCount, positions, masses, terms: [stretch], faces, friction, rods, wantedSubsteps };
}

/** @throws PliantError `invalid-argument` for a value that is not finite or not valid */
export function requireAll(
  name: string,
  values: Readonly<Record<string, number>>,
  rule: string,
  isValid: (value: number) => boolean,
): void {
  for (const [key, value] of Object.entries(values))
    if (!(Number.isFinite(value) && isValid(value))) throw invalid(`${name}.${key}`, value, rule);
}

/** The edges of a path, two points each, and their lengths [m]. @throws PliantError for positions that are no path */
export function edgesOf(
  name: string,
  positions: Float64Array,
  closed: boolean,
): { edges: Uint32Array; lengths: number[] } {
  const count = positions.length / 3;
  const least = closed ? 3 : 2;
  if (!Number.isInteger(count) || count < least) {
    const rule = `must be three for each of ${least} or more points${closed ? ", as the path is closed" : ""}`;
    throw invalid(`${name} positions`, positions.length, rule);
  }
  checkPoints(positions, `${name} point`);
  const edges = new Uint32Array(2 * (closed ? count : count - 1));
  const lengths: number[] = [];
  for (let e = 0; e < edges.length / 2; e++) {
    const [a, b] = [e, (e + 1) % count];
    const length = distanceBetween(positions, 3 * b, 3 * a);
    if (!(length > 0)) throw degenerate(`${name} edge ${e}`, length, "must have a length");
    edges.set([a, b], 2 * e);
    lengths.push(length);
  }
  return { edges, lengths };
}

function jointsOf(rod: {
  edges: Uint32Array;
  lengths: readonly number[];
  frames: Float64Array;
  closed: boolean;
  twist: number;
  stiffness: readonly number[];
  keepsShape: boolean;
  particleCount: number;
}): Pick<RodSet, "jointCount" | "vertices" | "joints" | "rest" | "colours"> {
  const { edges, lengths, frames, closed, twist, stiffness, keepsShape } = rod;
  const edgeCount = lengths.length;
  const jointCount = closed ? edgeCount : edgeCount - 1;
  const corners: number[] = [];
  for (let j = 0; j < jointCount; j++) {
    const next = (j + 1) % edgeCount;
    corners.push(edges[2 * j], edges[2 * j + 1], edges[2 * next + 1]);
  }
  const { order, colours } = colourElements(corners, 3, rod.particleCount);
  const vertices = new Uint32Array(3 * jointCount);
  const joints = new Uint32Array(2 * jointCount);
  const rest = new Float64Array(REST * jointCount);
  const turn = new Float64Array(4);
  order.forEach((j, to) => {
    const next = (j + 1) % edgeCount;
    vertices.set(corners.slice(3 * j, 3 * j + 3), 3 * to);
    joints.set([j, next], 2 * to);
    relativeTurn(frames, 4 * j, frames, 4 * next, turn);
    const [x, y, z, w] = turn as unknown as Quat;
    const untwisted = Math.max(1e-6, lengthOf(z, w));
    // Twist of a joint in the initial shape. The last joint of a closed rod cannot count the full turns of earlier
    // joints.
    const twisted = closed ? twist / edgeCount : twist / Math.max(1, edgeCount - 1);
    const restTwist = keepsShape || (closed && next === 0) ? 2 * atan2(z, w) - twisted : 0;
    const half = 0.5 * restTwist;
    const k = stiffness.map((value) => Math.sqrt(value / (0.5 * (lengths[j] + lengths[next]))));
    // κ̄ in axes half-way between the first frame and the second one without its twist at rest
    const [s, c] = [sin(half), cos(half)];
    const bend = keepsShape ? [(2 * (c * x - s * y)) / untwisted, (2 * (c * y + s * x)) / untwisted] : [0, 0];
    rest.set([...bend, s, c, ...k], REST * to);
  });
  return { jointCount, vertices, joints, rest, colours };
}
