import { dot } from "../math/vectors";
import { buildEdges } from "../geometry/surface/edges";
import { slopeJump } from "../geometry/surface/sheet-curvature";
import { termLayout, type EnergyTerm, type GpbdModel } from "../solvers/gpbd/model";
import { hingeAngle } from "../solvers/gpbd/strains/dihedral";
import { atan2, cos, sin } from "../math/deterministic";

/**
 * Hinges between triangles, which replace the bending elements of a sheet: discrete shells (Grinspun et al. 2003;
 * Bergou et al. 2006, who write 3 times that energy). A single number per hinge makes stiffness depend on the mesh: it
 * is right for an isotropic fabric on equilateral triangles, and for bending along the sides of a grid.
 */
export interface Hinges {
  readonly count: number;
  /** four vertices each: the edge, then the corners opposite to it */
  readonly indices: Uint32Array;
  /** angles at rest [rad] */
  readonly angles: Float64Array;
  /** κ = B l²/A, for an energy of ½ κ θ², with the stiffness B across the edge, its length l and the area A of both triangles [N m] */
  readonly stiffnesses: Float64Array;
  /** K_a of four vertices, for the energy ½ |Σ K_a x_a|² of sheets that are flat at rest [√(N/m)] */
  readonly weights: Float64Array;
}

/** @param bending bending elements of the sheet */
export function hingesOf({ positions, faces }: GpbdModel, bending: EnergyTerm): Hinges {
  const { arity, rest: stride } = termLayout[bending.kind];
  const { hinges: indices, hingeFaces } = buildEdges(faces);
  const warpAngles = new Map<string, number>();
  for (let e = 0; e < bending.elementCount; e++)
    warpAngles.set(bending.indices.subarray(arity * e, arity * e + 3).join(), bending.rest[stride * e]);
  const [, bendingWarp = 0, bendingWeft = 0] = bending.material;
  const between = (i: number, j: number): number[] => [0, 1, 2].map((c) => positions[3 * j + c] - positions[3 * i + c]);
  const doubleArea = (a: number[], b: number[]): number => Math.sqrt(dot(a, a) * dot(b, b) - dot(a, b) ** 2);
  const count = indices.length / 4;
  const [angles, stiffnesses] = [new Float64Array(count), new Float64Array(count)];
  const weights = new Float64Array(4 * count);
  const jump = new Float64Array(4);
  for (let h = 0; h < count; h++) {
    const hinge = indices.subarray(4 * h, 4 * h + 4);
    const [start, end, own, across] = hinge as unknown as [number, number, number, number];
    const corners = faces.subarray(3 * hingeFaces[h], 3 * hingeFaces[h] + 3);
    const edge = between(start, end);
    // in the frame of the first side of the face
    const [first, second] = [between(corners[0], corners[1]), between(corners[0], corners[2])];
    const along = dot(edge, first);
    const beside = (dot(edge, second) * dot(first, first) - along * dot(first, second)) / doubleArea(first, second);
    const angle = atan2(beside, along) - warpAngles.get(corners.join())!;
    const stiffness = bendingWarp * sin(angle) ** 2 + bendingWeft * cos(angle) ** 2;
    const area = 0.5 * (doubleArea(edge, between(start, own)) + doubleArea(edge, between(start, across)));
    angles[h] = hingeAngle(positions, hinge);
    stiffnesses[h] = (stiffness * dot(edge, edge)) / area;
    slopeJump(positions, hinge, jump);
    for (let i = 0; i < 4; i++) weights[4 * h + i] = Math.sqrt(stiffnesses[h]) * jump[i];
  }
  return { count, indices, angles, stiffnesses, weights };
}
