import { invalid } from "../errors";
import { boundaryTriangles, meshVolume, type TetMesh } from "../geometry/tetrahedra/tet-mesh";
import { isQuadratic, quadraticMesh, type QuadraticMesh } from "../geometry/tetrahedra/quadratic";
import type { SolidMaterial } from "../materials/solid-material";
import { norm } from "../math/vectors";

/**
 * Elements of a solid: `linear` tetrahedra have one strain each. `quadratic` ones also have vertices in the middles of
 * their edges, have eight times as many tetrahedra for drawing and contact, and bend correctly even if the solid is
 * only one or two of them thick. `auto` uses quadratic elements for slender solids that are so thin.
 */
export type SolidElements = "auto" | "linear" | "quadratic";

/** A solid of tetrahedra, as every solver takes it. */
export interface ElasticSolid {
  /** vertexCount × 3 [m] */
  positions: ArrayLike<number>;
  /** four vertices a tetrahedron, positive orientation, see `TetMesh` */
  tetrahedra: ArrayLike<number>;
  /**
   * `local-global` has no damping and no `mooney-rivlin`, `newton` has `stable-neo-hookean` and `corotational`, `gpbd` all
   */
  material: Readonly<SolidMaterial>;
  /**
   * default `auto`; with `gpbd` `linear` for solids of more than 240 tetrahedra, with plasticity, with an `energy`, of a Poisson's ratio above 0.45, and of laws other than
   * `neo-hookean` and `stable-neo-hookean`, since quadratic elements take that solver twenty times as long
   */
  elements?: SolidElements | undefined;
  name?: string | undefined;
}

const names: readonly SolidElements[] = ["auto", "linear", "quadratic"];

/**
 * Largest part of inner vertices of a thin solid. A solid one cell thick has no inner vertex; a long one of two by two
 * cells has a tenth inside, a plate two cells thick a third.
 */
const INSIDE = 0.34;
/** Least length³ over volume of a slender solid: a bar four times as long as thick, or a plate five times. */
const SLENDER = 14;

/** The mesh with the requested elements. Vertices keep their numbers. @throws PliantError for unknown elements */
export function elementMesh(label: string, mesh: TetMesh, elements: SolidElements = "auto"): TetMesh | QuadraticMesh {
  if (!names.includes(elements)) throw invalid(`${label} elements`, elements, `must be one of ${names.join(", ")}`);
  if (isQuadratic(mesh) || elements === "linear") return mesh;
  return elements === "quadratic" || isThin(mesh) ? quadraticMesh(mesh) : mesh;
}

/** Whether a solid is slender, and one or two tetrahedra thick. */
function isThin({ positions, tetrahedra }: TetMesh): boolean {
  const vertexCount = positions.length / 3;
  const outside = new Set(boundaryTriangles(tetrahedra)).size;
  if (vertexCount - outside >= INSIDE * vertexCount) return false;
  const middle = [0, 0, 0];
  positions.forEach((x, i) => (middle[i % 3] += x / vertexCount));
  let radius = 0;
  for (let v = 0; v < vertexCount; v++) radius = Math.max(radius, norm(middle.map((m, c) => positions[3 * v + c] - m)));
  return 8 * radius * radius * radius >= SLENDER * meshVolume(positions, tetrahedra);
}
