/**
 * Elements of bending: a triangle with what is around it, see `triangleCurvature` and `bendingStrain`. An element has up to twelve vertices, the
 * corners of its triangle first. Its energy is ½ |s|² of three vectors s_i = Σ_a K_ia x_a, for `dihedral-bending` less what they are at rest. Rest
 * data:
 *
 *     angle from the first side to the warp [rad], K_ia, three a vertex [√(N/m)], zero at places that are left over;
 *     for `dihedral-bending` s_i at rest in axes of the triangle (along its first side, across it, normal) [√(N m)]
 */
import { NO_VERTEX } from "../../../geometry/surface/incidence";
import { slopeJump, triangleCurvature } from "../../../geometry/surface/sheet-curvature";
import { bendingStrain } from "../../../materials/sheet-bending";
import { termLayout, type BendingKind } from "../model";
import { flatCurvature, REST_CURVATURE, WEIGHTS } from "../strains/curvature-vectors";
import { createFrame, findFrame } from "../strains/triangle-frame";

/** A triangle mesh at rest, and what is across its sides. */
export interface BendingSheet {
  readonly positions: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
  /** see `twinSides` */
  readonly twins: ArrayLike<number>;
}

const jump = new Float64Array(4);
const frame = createFrame();

/**
 * Writes the element of a triangle into the lists of a term.
 *
 * @param stiffness B along warp and weft [N m]
 * @param element its number there
 */
export function writeBendingElement(
  kind: BendingKind,
  sheet: BendingSheet,
  triangle: number,
  warpAngle: number,
  stiffness: readonly [number, number],
  { indices, rest }: { readonly indices: Uint32Array; readonly rest: Float64Array },
  element: number,
): void {
  const { arity, rest: stride } = termLayout[kind];
  const curvature = triangleCurvature(sheet.positions, sheet.indices, sheet.twins, triangle);
  const { hinges } = curvature;
  const strains = bendingStrain(curvature, ...stiffness, warpAngle);
  const vertices = [0, 1, 2].map((k) => sheet.indices[3 * triangle + k]);
  for (const vertex of hinges) if (!vertices.includes(vertex)) vertices.push(vertex);
  const own = indices.subarray(element * arity, (element + 1) * arity);
  own.fill(NO_VERTEX);
  own.set(vertices);
  const data = rest.subarray(element * stride, (element + 1) * stride);
  data.fill(0);
  data[0] = warpAngle;
  for (let h = 0; 4 * h < hinges.length; h++) {
    const hinge = hinges.slice(4 * h, 4 * h + 4);
    slopeJump(sheet.positions, hinge, jump);
    hinge.forEach((vertex, k) => {
      const at = WEIGHTS + 3 * vertices.indexOf(vertex);
      for (let i = 0; i < 3; i++) data[at + i] += jump[k] * strains[3 * h + i];
    });
  }
  if (kind === "dihedral-bending") data.set(restCurvature(sheet.positions, vertices, data), REST_CURVATURE);
}

/** The three vectors of an element at rest, in axes of its triangle. */
function restCurvature(positions: ArrayLike<number>, vertices: readonly number[], data: Float64Array): number[] {
  const x = new Float64Array(3 * flatCurvature.arity);
  const s = new Float64Array(flatCurvature.dimension);
  vertices.forEach((vertex, a) => {
    for (let c = 0; c < 3; c++) x[3 * a + c] = positions[3 * vertex + c]!;
  });
  flatCurvature.strain(x, data, 0, s);
  findFrame(x, frame);
  const { axes } = frame;
  return [0, 3, 6].flatMap((i) =>
    [0, 3, 6].map((k) => s[i] * axes[k] + s[i + 1] * axes[k + 1] + s[i + 2] * axes[k + 2]),
  );
}
