import { PliantError } from "../errors";
import { boundaryTriangles, meshVolume, type TetMesh } from "../geometry/tetrahedra/tet-mesh";
import { isQuadratic, quadraticMesh, type QuadraticMesh } from "../geometry/tetrahedra/quadratic";

/**
 * Elements of a solid: `linear` tetrahedra have one strain each; `quadratic` ones have vertices in the middles of their edges too, eight
 * times as many tetrahedra to be drawn and touched, and bend as they should where the solid is one or two of them thick. `auto` takes
 * these where a slender solid is so thin.
 */
export type SolidElements = "auto" | "linear" | "quadratic";

const names: readonly SolidElements[] = ["auto", "linear", "quadratic"];

/** Of a solid that is one cell thick no vertex is inside; of a long one of two cells by two a tenth are, of a plate a third. */
const INSIDE = 0.34;
/** Cube of the length over the volume from which on a solid is slender: a bar four times as long as it is thick, a plate of five. */
const SLENDER = 14;

/**
 * The mesh of the elements that are asked for. Vertices keep their numbers.
 *
 * @throws PliantError for elements that there are not
 */
export function elementMesh(label: string, mesh: TetMesh, elements: SolidElements = "auto"): TetMesh | QuadraticMesh {
  if (!names.includes(elements))
    throw new PliantError("invalid-argument", `${label} elements`, elements, `must be one of ${names.join(", ")}`);
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
  for (let v = 0; v < vertexCount; v++)
    radius = Math.max(radius, Math.hypot(...middle.map((m, c) => positions[3 * v + c] - m)));
  return (2 * radius) ** 3 >= SLENDER * meshVolume(positions, tetrahedra);
}
