import { PliantError } from "../errors";
import type { Fabric } from "../materials/fabric";
import type { EnergyTerm } from "../solvers/gpbd/model";
import { dihedral } from "../solvers/gpbd/strains/dihedral";
import type { ClothSurface } from "./cloth";
import { createTerm } from "./term";

/** `dihedral`: hinge angle, any rest shape. `isometric`: quadratic in the positions, for sheets flat at rest; cheaper. */
export type BendingModel = "dihedral" | "isometric";

export const bendingModels: readonly BendingModel[] = ["dihedral", "isometric"];

/** Rest angles below this [rad] count as flat. */
const flatAngle = 1e-3;

const x = new Float64Array(12);
const zero = new Float64Array(1);
const angle = new Float64Array(1);

function restAngle(positions: Float64Array, hinges: Uint32Array, h: number): number {
  for (let corner = 0; corner < 4; corner++)
    for (let c = 0; c < 3; c++) x[3 * corner + c] = positions[3 * hinges[h + corner]! + c]!;
  dihedral.strain(x, zero, 0, angle);
  return angle[0]!;
}

export function hingesAreFlat(positions: Float64Array, hinges: Uint32Array): boolean {
  for (let h = 0; h < hinges.length; h += 4) if (Math.abs(restAngle(positions, hinges, h)) > flatAngle) return false;
  return true;
}

/**
 * Bending of each hinge with the discrete-shell weight l²/(A₀ + A₁) (Grinspun et al. 2003; Bergou et al. 2006, who write 3
 * times that): a sheet rolled to a cylinder has ½ B κ² per area then, on grids and in every direction of equilateral
 * triangles. The stiffness is that of the direction across the edge: B_warp n_u² + B_weft n_v².
 */
export function bendingTerm(surface: ClothSurface, fabric: Readonly<Fabric>, model: BendingModel): EnergyTerm {
  const { hinges } = surface.edges;
  const rest: number[] = [];
  for (let h = 0; h < hinges.length; h += 4) {
    const geometry = hingeGeometry(surface, hinges, h);
    const stiffness = fabric.bendingWarp * (1 - geometry.warpShare) + fabric.bendingWeft * geometry.warpShare;
    const theta = restAngle(surface.positions, hinges, h);
    if (model === "dihedral") {
      rest.push(theta, (stiffness * geometry.length ** 2) / geometry.area);
      continue;
    }
    if (Math.abs(theta) > flatAngle)
      throw new PliantError(
        "invalid-argument",
        `${surface.name} hinge ${h / 4}`,
        theta,
        "isometric bending needs a mesh that is flat at rest",
      );
    const weight = Math.sqrt(stiffness / geometry.area);
    rest.push(...geometry.curvatureWeights.map((k) => weight * k));
  }
  const kind = model === "dihedral" ? "dihedral-bending" : "isometric-bending";
  return createTerm(kind, surface, hinges, rest, [fabric.bendingDamping]);
}

/** Lengths, areas and cotangent weights of a hinge at rest. */
function hingeGeometry(surface: ClothSurface, hinges: Uint32Array, h: number) {
  const p = surface.positions;
  const [x0, x1, x2, x3] = [0, 1, 2, 3].map((corner) => 3 * hinges[h + corner]!) as [number, number, number, number];
  const edge = (i: number, j: number) => [p[j]! - p[i]!, p[j + 1]! - p[i + 1]!, p[j + 2]! - p[i + 2]!] as const;
  const dot = (a: readonly number[], b: readonly number[]) => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
  const doubleArea = (a: readonly number[], b: readonly number[]) =>
    Math.hypot(a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!);
  const e0 = edge(x0, x1);
  const [e1, e2, e3, e4] = [edge(x0, x2), edge(x0, x3), edge(x1, x2), edge(x1, x3)];
  const area0 = doubleArea(e0, e1);
  const area1 = doubleArea(e0, e2);
  // Cotangents of the angles at x0 and x1 in either face, as Bergou et al. name them.
  const c01 = dot(e0, e1) / area0;
  const c02 = dot(e0, e2) / area1;
  const c03 = -dot(e0, e3) / area0;
  const c04 = -dot(e0, e4) / area1;
  const length = Math.sqrt(dot(e0, e0));
  const warp = surface.warps[surface.edges.hingeFaces[h / 4]!]!;
  return {
    length,
    area: 0.5 * (area0 + area1),
    /** squared cosine between edge and warp */
    warpShare: (dot(e0, warp) / length) ** 2,
    curvatureWeights: [c03 + c04, c01 + c02, -c01 - c03, -c02 - c04],
  };
}
