import { checkPoints } from "../../src/checks";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { degenerate, invalid, unsupported } from "../../src/errors";
import { transformPoints } from "../geometry/mesh-transform";
import { engineMatrixOf } from "../scene-frame";

/** The line of a rope, in the engine's world. */
export interface Line {
  /** n × 3, m; a closed line does not repeat the first point */
  readonly points: Float64Array;
  readonly closed: boolean;
  /** length, including the closing edge [m] */
  readonly length: number;
  /** radius of the tube that the line was read from [m] */
  readonly radius?: number | undefined;
}

/** Ends that are nearer to each other than this part of the length are one point. */
const CLOSED = 1e-6;
/** Largest deviation of a ring from a circle, as a part of its radius. */
const ROUND = 0.02;

/**
 * @param points n × 3 [m]
 * @throws PliantError for fewer than two points, or three for a closed line, and for edges without length
 */
export function lineThrough(object: string, points: ArrayLike<number>, radius?: number): Line {
  const distance = (a: number, b: number): number =>
    Math.hypot(...[0, 1, 2].map((c) => points[3 * b + c] - points[3 * a + c]));
  const count = points.length / 3;
  if (count < 2) throw invalid(`${object} path`, `${count} points`, "needs two or more");
  let length = 0;
  for (let i = 0; i + 1 < count; i++) {
    const step = distance(i, i + 1);
    if (!(step > 0)) throw degenerate(`${object} point ${i + 1}`, step, "must not be that before it");
    length += step;
  }
  const closed = distance(0, count - 1) <= CLOSED * length;
  if (closed && count < 4) throw invalid(`${object} path`, `${count - 1} points`, "needs three or more if closed");
  const numbers = Float64Array.from(points);
  return { points: closed ? numbers.subarray(0, 3 * count - 3) : numbers, closed, length, radius };
}

/**
 * The line of a mesh: the points of a `LinesMesh`, or the centers of the rings of a tube.
 *
 * @throws PliantError `unsupported` for any other mesh
 */
export function lineOfMesh(object: string, mesh: AbstractMesh): Line {
  const local = mesh.getVerticesData(VertexBuffer.PositionKind);
  if (!(mesh instanceof Mesh) || mesh.hasInstances || !local || local.length === 0)
    throw unsupported(object, mesh.getClassName(), "must be lines or a tube, and no instance");
  checkPoints(local, `${object} vertex`);
  const positions = transformPoints(local, engineMatrixOf(mesh));
  if (mesh.getClassName() === "LinesMesh") return lineThrough(object, positions);
  const rings = ringsOf(positions);
  if (!rings) throw unsupported(object, mesh.getClassName(), "must be lines or a tube of round rings");
  return lineThrough(object, rings.middles, rings.radius);
}

/**
 * Centers of the rings of a tube. A ring is a block of vertices whose last one is at the first; all blocks have the
 * same size. Rings of caps have no extent.
 */
function ringsOf(positions: Float64Array): { middles: number[]; radius: number } | undefined {
  const count = positions.length / 3;
  for (let size = 4; 2 * size <= count && size <= 129; size++) {
    if (count % size !== 0) continue;
    const rings = Array.from({ length: count / size }, (_, i) => ringAt(positions, size * i, size));
    const radius = Math.max(...rings.map((ring) => ring?.radius ?? NaN));
    if (!(radius > 0)) continue;
    const middles: number[] = [];
    for (const ring of rings) {
      const last = middles.slice(-3);
      const step = Math.hypot(...ring!.middle.map((value, c) => value - last[c]));
      if (last.length === 0 || step > 1e-3 * radius) middles.push(...ring!.middle);
    }
    return { middles, radius };
  }
  return undefined;
}

function ringAt(x: Float64Array, first: number, size: number): { middle: number[]; radius: number } | undefined {
  const middle = [0, 1, 2].map((c) => {
    let sum = 0;
    for (let k = 0; k + 1 < size; k++) sum += x[3 * (first + k) + c];
    return sum / (size - 1);
  });
  const radii = Array.from({ length: size }, (_, k) =>
    Math.hypot(...middle.map((value, c) => x[3 * (first + k) + c] - value)),
  );
  const radius = Math.max(...radii);
  const seam = Math.hypot(...[0, 1, 2].map((c) => x[3 * first + c] - x[3 * (first + size - 1) + c]));
  const isRound = radius - Math.min(...radii) <= ROUND * radius && seam <= ROUND * radius;
  return isRound || radius < 1e-9 ? { middle, radius } : undefined;
}
