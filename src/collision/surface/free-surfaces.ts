/** Whether two bodies are placed so that contact of their surfaces may begin. */
import { boxOf, grown, intersection, type Box } from "../../geometry/box";
import { CandidatePairs } from "./candidate-pairs";
import { surfaceIntersections, type SurfaceIntersection } from "./intersections";
import { joinSurfaces, type SurfaceMesh, type SurfacePart } from "./surface-mesh";

/** A surface with its positions. */
export interface PlacedSurface {
  /** particleCount × 3 [m] */
  readonly positions: ArrayLike<number>;
  readonly faces: Uint32Array;
  /** edges that belong to no triangle, like those of ropes */
  readonly edges?: Uint32Array | undefined;
}

/**
 * Whether two surfaces are free of each other: none passes through the other, and no two points of them are nearer than
 * `least`. Contact keeps surfaces on their sides, so it would hold surfaces that are not free together for good.
 *
 * @param least [m]
 */
export function surfacesAreFree(a: PlacedSurface, b: PlacedSurface, least: number): boolean {
  const mesh = facing(a, b, least);
  return !mesh || (nearPairs(mesh, least).count === 0 && crossings(mesh).length === 0);
}

/** The parts of two surfaces that may be near each other; undefined where they are apart. */
export function facing(a: PlacedSurface, b: PlacedSurface, least: number): SurfaceMesh | undefined {
  const region = intersection(grown(boxOf(a.positions), least), boxOf(b.positions));
  return region && joinSurfaces([within(a, grown(region, least)), within(b, grown(region, least))]);
}

export function nearPairs(mesh: SurfaceMesh, least: number): CandidatePairs {
  const pairs = new CandidatePairs(mesh);
  pairs.find(mesh.restPositions, new Float64Array(mesh.restPositions.length), least, 0);
  return pairs;
}

/** Of one surface with the other. */
export function crossings(mesh: SurfaceMesh): readonly SurfaceIntersection[] {
  const { partOf, edges, faces, restPositions } = mesh;
  const isOfBoth = ({ edge, face }: SurfaceIntersection): boolean =>
    partOf[edges[2 * edge]] !== partOf[faces[3 * face]];
  return surfaceIntersections(mesh, restPositions).filter(isOfBoth);
}

/** The parts of a surface that may be in a box. */
function within({ positions, faces, edges = new Uint32Array() }: PlacedSurface, region: Box): SurfacePart {
  const inside = (list: Uint32Array, arity: number): number[] => {
    const found: number[] = [];
    for (let at = 0; at < list.length; at += arity) {
      let isApart = false;
      for (let c = 0; c < 3; c++) {
        let [lowest, highest] = [Infinity, -Infinity];
        for (let k = at; k < at + arity; k++) {
          lowest = Math.min(lowest, positions[3 * list[k] + c]);
          highest = Math.max(highest, positions[3 * list[k] + c]);
        }
        isApart ||= lowest > region.max[c] || highest < region.min[c];
      }
      if (!isApart) for (let k = at; k < at + arity; k++) found.push(list[k]);
    }
    return found;
  };
  return {
    restPositions: positions,
    faces: inside(faces, 3),
    edges: inside(edges, 2),
    selfCollision: false,
    bodyCollision: true,
  };
}
