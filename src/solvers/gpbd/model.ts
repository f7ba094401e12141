import { unsupported } from "../../errors";
import { facesOfEdges } from "../../geometry/surface/edges";
import type { DefinedEnergy } from "../../materials/defined-energy/define-energy";
import type { Fabric } from "../../materials/fabric";
import { areEqual } from "../alike";
import type { DeformableModel } from "../deformable";
import type { ResolvedPlasticity } from "./plasticity/plasticity";
import type { RodSet } from "./rods/rod-set";

/**
 * Parts of a GPBD body: particles, and energy terms over small groups of them. A model is static; only the state of the
 * solver changes during a simulation.
 */

/**
 * The energy terms, named by strain measure and energy density. Each kind exists as an f64 reference (`elements/`) and
 * as a WGSL kernel (`shaders/gpbd/`).
 *
 * | kind | vertices | strain s (dimension k) | energy per element |
 * |---|---|---|---|
 * | `distance` | 2 | c = ‖x₁ − x₀‖ − L, k = 1 | c² / 2α, linearly compliant: the XPBD special case |
 * | `stvk-membrane` | 3 | Green strain (E_uu, E_uv, E_vv), k = 3 | area × orthotropic Saint Venant-Kirchhoff |
 * | `neo-hookean-membrane` | 3 | Green strain, k = 3 | area × (neo-Hookean + fibres) |
 * | `isometric-bending` | 12 | curvature as three vectors Σ K_a x_a of a sheet that is flat at rest, k = 9 | ½ ‖s‖² |
 * | `dihedral-bending` | 12 | those, less what they are at rest, turned with the triangle, k = 9 | ½ ‖s‖² |
 * | `hinge-bending` | 4 | angle θ − θ̄ of a hinge, k = 1 | κ ψ(s), an energy of one's own |
 * | `neo-hookean-tet` | 4 | Green strain of a tetrahedron, k = 6 | volume × neo-Hookean with log barrier (20) |
 * | `stable-neo-hookean-tet` | 4 | the same | volume × stable neo-Hookean (21) |
 * | `stvk-tet`, `corotational-tet`, `mooney-rivlin-tet` | 4 | the same | volume × density |
 * | `hylc` | 6 | the six strains of HYLC (22), k = 6 | area × splines of an energy table |
 */
export type TermKind =
  | "distance"
  | "stvk-membrane"
  | "neo-hookean-membrane"
  | SolidKind
  | BendingKind
  | "hinge-bending"
  | "hylc";

/** Curvature of a triangle with what is around it. */
export type BendingKind = "isometric-bending" | "dihedral-bending";

/** Energies of tetrahedra. */
export type SolidKind =
  | "neo-hookean-tet"
  | "stable-neo-hookean-tet"
  | "stvk-tet"
  | "corotational-tet"
  | "mooney-rivlin-tet";

export function isSolid(kind: TermKind): kind is SolidKind {
  return kind.endsWith("-tet");
}

export function isBending(kind: TermKind): boolean {
  return kind.endsWith("-bending");
}

// rest: inverse of the rest edge matrix Dm⁻¹ (row-major) [1/m], volume [m³]
// material: four parameters of the density [Pa], damping time [s]
const tetLayout = { arity: 4, rest: 10, material: 5 };

/** Vertices per element, numbers of rest data per element and numbers of material data per term. */
export const termLayout: Readonly<Record<TermKind, { arity: number; rest: number; material: number }>> = {
  // rest: length L [m], compliance α [m/N]
  distance: { arity: 2, rest: 2, material: 0 },
  // rest: inverse of the rest edge matrix Dm⁻¹ (row-major, material axes) [1/m], area [m²]
  // material: C_uu, C_uv, C_vv, G [N/m], damping time [s]
  "stvk-membrane": { arity: 3, rest: 5, material: 5 },
  // material: µ, λ [N/m], fibre stiffness u, v [N/m], damping time [s]
  "neo-hookean-membrane": { arity: 3, rest: 5, material: 5 },
  "neo-hookean-tet": tetLayout,
  "stable-neo-hookean-tet": tetLayout,
  "stvk-tet": tetLayout,
  "corotational-tet": tetLayout,
  "mooney-rivlin-tet": tetLayout,
  // the corners of the triangle first; rest: see `sheet-bending.ts`; material: damping time [s], B of warp and weft [N·m]
  "isometric-bending": { arity: 12, rest: 37, material: 3 },
  "dihedral-bending": { arity: 12, rest: 46, material: 3 },
  // edge, then opposite corners; rest: angle θ̄ [rad], stiffness κ [N·m]
  "hinge-bending": { arity: 4, rest: 2, material: 1 },
  // rest: see `hylcStrain`; material: a table of any length, see `packHylc`
  hylc: { arity: 6, rest: 10, material: 0 },
};

/** All elements of one kind, sorted by colour: no two elements of a colour share a vertex. */
export interface EnergyTerm {
  readonly kind: TermKind;
  readonly elementCount: number;
  /** elementCount × arity vertex indices, in each element no vertex twice; `NO_VERTEX` at places that are left over */
  readonly indices: Uint32Array;
  /** elementCount × `termLayout[kind].rest` */
  readonly rest: Float64Array;
  readonly material: Float64Array;
  /** takes the place of the energy of the kind, with its own parameters and the damping time as material */
  readonly energy?: DefinedEnergy | undefined;
  /** Colour c holds the elements colours[c] … colours[c + 1] − 1. */
  readonly colours: Uint32Array;
  /**
   * Elements of a cell, default 1. So many colours after another have equally many elements, and the i-th of each are of one cell, of which no
   * other cell of these colours has a vertex: one thread can take them.
   */
  readonly cell?: number | undefined;
}

/** A body as the GPBD solver sees it. */
export interface GpbdModel extends DeformableModel {
  readonly solver?: "gpbd" | undefined;
  readonly terms: readonly EnergyTerm[];
  /** of solids and rods: how many substeps a frame wants by default, as `warmStart` is going to be set */
  readonly wantedSubsteps?: ((model: GpbdModel, warmStart: number) => number) | undefined;
  /** times as many where so few particles are pinned that the weight stretches what is at them */
  readonly heldFactor?: ((model: GpbdModel, held: number) => number) | undefined;
  /** the fabric of cloth that tethers may hold */
  readonly sheet?: Readonly<Fabric> | undefined;
  /**
   * of yarn-level cloth: with fewer substeps the default method is `jacobi`. Its elements share up to six vertices, and one after another
   * they throw these about if a wave passes many edges in a substep (measured: 10 and more, or 5 beside pins)
   */
  readonly sweptAtOnceBelow?: number | undefined;
  /** of yarn-level cloth that curls from flat: its substeps by default where it would have less than `sweptAtOnceBelow` */
  readonly curlSubsteps?: number | undefined;
  /** what bends and twists along lines */
  readonly rods?: RodSet | undefined;
  /** of a solid of one term, of linear tetrahedra; or of cloth whose last term is of bending, by curvatures [1/m] */
  readonly plasticity?: ResolvedPlasticity | undefined;
  /** particleCount: factors of the friction coefficient of its surface; undefined where it is the same everywhere */
  readonly frictionFactors?: Float64Array | undefined;
  /** the same of the thickness, at most 1 */
  readonly thicknessFactors?: Float64Array | undefined;
  /** it has spare particles at the end, without mass, and changes where it tears */
  readonly tears?: boolean | undefined;
}

/** Triangles that meet obstacles between particles: those of a surface, and each edge of a rod, with its second corner twice. */
export function facesOf({ faces, rods }: Pick<GpbdModel, "faces" | "rods">): Uint32Array {
  return rods ? facesOfEdges(rods.edges) : faces;
}

/** Whether two terms have the same elements in the same order, whatever their material is. */
export function hasSameElements(term: EnergyTerm, other: EnergyTerm | undefined): boolean {
  return (
    other !== undefined &&
    (term.cell ?? 1) === (other.cell ?? 1) &&
    areEqual(term.indices, other.indices) &&
    areEqual(term.colours, other.colours)
  );
}

/** @throws PliantError `unsupported` for a model that brings other rods: their frames belong to them */
export function requireSameRods(old: GpbdModel, next: GpbdModel): void {
  if (next.rods !== old.rods) throw unsupported(`body "${old.name}" model`, next.name, "must have the same rods");
}
