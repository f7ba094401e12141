import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { Matrix } from "@babylonjs/core/Maths/math.vector";
import { triangleNormal } from "../../src/geometry/triangles/triangle";
import { trianglesOf, windsClockwise } from "../geometry/triangles";

/** Vertices whose normals differ by less than this cosine, at one place, have one normal. */
const SMOOTH = 0.8;

/**
 * Normals of a mesh while its vertices move. Vertices at one place, as at a seam of a texture, share a normal if they
 * did at first.
 */
export class MotionNormals {
  private readonly triangles: ArrayLike<number>;
  /** first vertex of those that share a normal */
  private readonly leaders: Uint32Array;
  private readonly sign: number;

  /** @param first places of the vertices when the mesh has its present normals */
  constructor(mesh: Mesh, first: Float32Array) {
    const count = first.length / 3;
    this.triangles = trianglesOf(mesh, count);
    this.sign = windsClockwise(mesh, first, this.triangles, Matrix.Identity()) ? -1 : 1;
    const given = mesh.getVerticesData(VertexBuffer.NormalKind);
    const at = new Map<string, number[]>();
    this.leaders = Uint32Array.from({ length: count }, (_, v) => {
      const key = [0, 1, 2].map((c) => Math.round(1e5 * first[3 * v + c])).join();
      const known = at.get(key) ?? at.set(key, []).get(key)!;
      const alike = known.find((u) => !given || dot(given, u, v) > SMOOTH);
      if (alike === undefined) known.push(v);
      return alike ?? v;
    });
  }

  /** @param normals three numbers a vertex, changed */
  write(places: Float32Array, normals: Float32Array): void {
    const { triangles, leaders, sign } = this;
    normals.fill(0);
    for (let t = 0; t < triangles.length; t += 3) {
      triangleNormal(places, 3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2], normal);
      for (let k = t; k < t + 3; k++) for (let c = 0; c < 3; c++) normals[3 * leaders[triangles[k]] + c] += normal[c];
    }
    for (let v = 0; v < leaders.length; v++) {
      const from = 3 * leaders[v];
      if (from === 3 * v) {
        const length = Math.hypot(normals[from], normals[from + 1], normals[from + 2]);
        const scale = length > 0 ? sign / length : 0;
        for (let c = 0; c < 3; c++) normals[from + c] *= scale;
      } else normals.copyWithin(3 * v, from, from + 3);
    }
  }
}

const normal = new Float64Array(3);

const dot = (of: ArrayLike<number>, u: number, v: number): number =>
  of[3 * u] * of[3 * v] + of[3 * u + 1] * of[3 * v + 1] + of[3 * u + 2] * of[3 * v + 2];
