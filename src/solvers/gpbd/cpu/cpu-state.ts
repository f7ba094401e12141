import { createContactReaction } from "../../../collision/obstacles/contact-reaction";
import { buildIncidence, type Incidence } from "../../../geometry/surface/incidence";
import { nextCorner } from "../../../geometry/surface/twin-sides";
import { airMass } from "../rods/rod-air";
import { facesOf, type EnergyTerm, type GpbdModel } from "../model";
import { distanceBetween } from "../../../math/vectors";

/** The state that changes from step to step, f64. */
export type CpuState = ReturnType<typeof createCpuState>;

/** Values that a step works with and no later step needs. */
export type CpuScratch = Readonly<ReturnType<typeof createCpuScratch>>;

/** Static connectivity derived from the model. */
export interface CpuTopology {
  /** see `facesOf` */
  readonly faces: Uint32Array;
  readonly faceCorners: Incidence;
  readonly terms: readonly Incidence[];
  /** see `airMass` [kg/m²] */
  readonly arealMass: number;
  /** [m], see `longestEdge` */
  readonly longestEdge: number;
}

export function createCpuState(model: GpbdModel) {
  return {
    /** x, particleCount × 3 [m] */
    positions: model.positions.slice(),
    /** v, particleCount × 3 [m/s] */
    velocities: new Float64Array(model.particleCount * 3),
    /** first frame that turned non-finite, 0 while sound */
    frozenAt: 0,
  };
}

export function createCpuScratch(model: GpbdModel) {
  const n = model.particleCount;
  const count = facesOf(model).length / 3;
  return {
    /** x⁻ at the start of the substep */
    start: new Float64Array(3 * n),
    /** acceleration of each particle by the air, particleCount × 3 [m/s²] */
    airAcceleration: new Float64Array(3 * n),
    /** acceleration of each face by the air, face × 3 [m/s²] */
    faceAir: new Float64Array(model.faces.length),
    /** W = Δt²/m per particle, 0 when pinned */
    w: new Float64Array(n),
    /** dᵢ: one array a term, element × arity × 3 [m] */
    tracked: model.terms.map((term) => new Float64Array(3 * term.indices.length)),
    /** displacement by contact: x, y, z and the accumulated normal push, particleCount × 4 [m] */
    contact: new Float64Array(4 * n),
    /** how far contact of its faces has moved each particle [m] */
    movedByFaces: new Float64Array(n),
    /** displacements of the faces' corners by face contact, face × 9 [m] */
    faceContact: new Float64Array(9 * count),
    /** which primitive each face met, −1 for none */
    faceTouched: new Int32Array(count),
    /** faces that contact pushes, and how many of them there are at each particle: to work with */
    pushedFaces: new Uint32Array(count),
    pushesAt: new Float64Array(n),
    /** what reactive obstacles did in this substep */
    reaction: createContactReaction(n),
  };
}

export function createCpuTopology(model: GpbdModel): CpuTopology {
  return { ...cornersOf(model), arealMass: airMass(model), longestEdge: longestEdge(model) };
}

/** The topology of a model of which elements have got other corners: what is at rest stays. */
export function tornTopology(model: GpbdModel, before: CpuTopology): CpuTopology {
  return { ...before, ...cornersOf(model) };
}

function cornersOf(model: GpbdModel): Pick<CpuTopology, "faces" | "faceCorners" | "terms"> {
  const faces = facesOf(model);
  return {
    faces,
    faceCorners: buildIncidence(faces, model.particleCount),
    terms: model.terms.map((term: EnergyTerm) => buildIncidence(term.indices, model.particleCount)),
  };
}

/** Longest edge of `facesOf` at rest, with an allowance of a tenth for stretch [m]. */
export function longestEdge(model: GpbdModel): number {
  let longest = 0;
  const faces = facesOf(model);
  for (let i = 0; i < faces.length; i++)
    longest = Math.max(longest, distanceBetween(model.positions, 3 * faces[nextCorner(i)], 3 * faces[i]));
  return 1.1 * longest;
}

type Touched = Readonly<Record<"w", Float64Array> & Partial<Record<"contact" | "movedByFaces", Float64Array>>>;

/** Whether neither pins nor obstacles hold or push a body in the substep. */
export function isUntouched({ w, contact, movedByFaces }: Touched): boolean {
  return w.every((inverse, p) => inverse > 0 && !(contact![4 * p + 3] > 0) && !(movedByFaces![p] > 0));
}
