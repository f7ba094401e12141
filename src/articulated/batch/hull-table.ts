import type { Convex } from "../../collision/narrow/shapes/convex";
import { HULL_EDGE, HULL_FACE, HULL_HEAD } from "../../generated/constants";
import { boxOf, sizeOf } from "../../geometry/box";

/** A hull of a table. */
interface TableHull {
  /** where its numbers begin */
  readonly at: number;
  /** of the box around it, in the axes of its link [m] */
  readonly middle: readonly number[];
  /** of the face that has the most */
  readonly mostSides: number;
}

/** Hulls as numbers, see shaders/articulated/batch-hulls.wgsl. */
export class HullTable {
  readonly numbers: number[] = [];
  private readonly hulls = new Map<Convex, TableHull>();

  /** Adds a hull, unless it is there already. */
  add(hull: Convex): TableHull {
    const known = this.hulls.get(hull);
    if (known) return known;
    const { vertices, faceNormals, faceOffsets, faceStart, faceVertices, edges, faceCount } = hull;
    const box = boxOf(vertices);
    const middle = box.min.map((least, c) => (least + box.max[c]) / 2);
    const corners = Array.from(vertices, (x, i) => x - middle[i % 3]);
    const faceAt = HULL_HEAD + corners.length;
    const loopAt = faceAt + HULL_FACE * faceCount;
    const faces = Array.from(faceOffsets, (offset, f) => {
      const normal = faceNormals.subarray(3 * f, 3 * f + 3);
      const height = normal.reduce((rest, n, c) => rest - n * middle[c], offset);
      return [...normal, height, loopAt + faceStart[f], faceStart[f + 1] - faceStart[f]];
    });
    const counts = [
      corners.length / 3,
      faceCount,
      edges.length / HULL_EDGE,
      faceAt,
      loopAt + faceVertices.length,
      sizeOf(box),
    ];
    const added = { at: this.numbers.length, middle, mostSides: Math.max(...faces.map((face) => face[5])) };
    for (const list of [counts, corners, faces.flat(), faceVertices, edges]) for (const x of list) this.numbers.push(x);
    this.hulls.set(hull, added);
    return added;
  }
}
