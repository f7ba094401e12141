import { lengthOf } from "../../src/math/vectors";
import { untwistedFrames, type RodSet } from "../../src/solvers/gpbd/rods/rod-set";
import type { VertexSkin } from "../deformable/mesh/vertex-skin";

/**
 * Vertices around a rope. Each vertex turns as the material of the two nearest edges has turned since the start; a rope that
 * does not know its twist turns along its way without twisting.
 */
export class TubeSkin implements VertexSkin {
  readonly vertexCount: number;
  readonly pointCount: number;
  readonly margin: number;
  private readonly edges: Uint32Array;
  /** frames of the edges at the start, edgeCount × 4 */
  private readonly first: Float64Array;
  /** place along the rope, in edges from its first point */
  private readonly places: Float64Array;
  /** vector from the rope to the vertex, and the normal there, at the start: vertexCount × 3 each */
  private readonly offsets: Float32Array;
  private readonly directions: Float32Array;
  private readonly turn = new Float64Array(4);

  /**
   * @param rest points of the rope, n × 3 [m]
   * @param rods the same as rods; a rope without them is open
   * @param vertices vertices of the mesh, world space, and their normals, three numbers each
   */
  constructor(
    rest: ArrayLike<number>,
    rods: RodSet | undefined,
    vertices: ArrayLike<number>,
    normals: ArrayLike<number>,
  ) {
    const count = rest.length / 3;
    this.vertexCount = vertices.length / 3;
    this.pointCount = count;
    this.edges = rods?.edges ?? Uint32Array.from({ length: 2 * (count - 1) }, (_, i) => (i + 1) >> 1);
    this.first = rods?.frames ?? untwistedFrames(rest, this.edges);
    this.places = Float64Array.from({ length: this.vertexCount }, (_, v) => this.nearest(rest, vertices, v));
    this.offsets = Float32Array.from(vertices);
    this.directions = Float32Array.from(normals);
    let reach = 0;
    for (let v = 0; v < this.vertexCount; v++) {
      this.addPoint(rest, v, this.offsets, -1);
      reach = Math.max(reach, lengthOf(this.offsets[3 * v], this.offsets[3 * v + 1], this.offsets[3 * v + 2]));
    }
    this.margin = reach;
  }

  /** A point is a particle. */
  particlesOf(point: number): readonly number[] {
    return [point];
  }

  spread(particles: ArrayLike<number>, vertices: Float32Array, frames?: ArrayLike<number>): void {
    this.place(particles, frames, this.offsets, vertices);
    for (let v = 0; v < this.vertexCount; v++) this.addPoint(particles, v, vertices);
  }

  normals(particles: ArrayLike<number>, vertices: Float32Array, frames?: ArrayLike<number>): void {
    this.place(particles, frames, this.directions, vertices);
  }

  private place(
    x: ArrayLike<number>,
    frames: ArrayLike<number> | undefined,
    from: Float32Array,
    out: Float32Array,
  ): void {
    const turns = this.turnsTo(frames ?? untwistedFrames(x, this.edges));
    for (let v = 0; v < this.vertexCount; v++) {
      this.turnAt(turns, v);
      this.turned(from, v, out);
    }
  }

  /**
   * Turns of the edges since the start, q q̄₀: edgeCount × 4.
   *
   * @param frames a quaternion for each edge, with or without a speed after it
   */
  private turnsTo(frames: ArrayLike<number>): Float64Array {
    const { first } = this;
    const step = (4 * frames.length) / first.length;
    const turns = new Float64Array(first.length);
    for (let k = 0, f = 0; k < first.length; k += 4, f += step) {
      const x = first[k];
      const y = first[k + 1];
      const z = first[k + 2];
      const w = first[k + 3];
      const a = frames[f];
      const b = frames[f + 1];
      const c = frames[f + 2];
      const d = frames[f + 3];
      turns[k] = a * w - d * x - b * z + c * y;
      turns[k + 1] = b * w - d * y - c * x + a * z;
      turns[k + 2] = c * w - d * z - a * y + b * x;
      turns[k + 3] = d * w + a * x + b * y + c * z;
    }
    return turns;
  }

  /** By `turn`: w² + u·u being one, v turns to v + 2 w u × v + 2 u × (u × v). */
  private turned(from: Float32Array, v: number, out: Float32Array): void {
    const { turn } = this;
    const [i, j, k] = [3 * v, 3 * v + 1, 3 * v + 2];
    const tx = 2 * (turn[1] * from[k] - turn[2] * from[j]);
    const ty = 2 * (turn[2] * from[i] - turn[0] * from[k]);
    const tz = 2 * (turn[0] * from[j] - turn[1] * from[i]);
    out[i] = from[i] + turn[3] * tx + turn[1] * tz - turn[2] * ty;
    out[j] = from[j] + turn[3] * ty + turn[2] * tx - turn[0] * tz;
    out[k] = from[k] + turn[3] * tz + turn[0] * ty - turn[1] * tx;
  }

  /** Turn at the place of a vertex, into `turn`: halfway between two edges at a point. */
  private turnAt(turns: Float64Array, vertex: number): void {
    const count = turns.length / 4;
    const isClosed = count === this.pointCount;
    const s = this.places[vertex] - 0.5;
    const low = Math.floor(s);
    const high = low + 1;
    const last = count - 1;
    const a = 4 * (isClosed ? (low + count) % count : Math.min(last, Math.max(0, low)));
    const b = 4 * (isClosed ? (high + count) % count : Math.min(last, Math.max(0, high)));
    const u = s - low;
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += turns[a + c] * turns[b + c];
    const sign = dot < 0 ? -1 : 1;
    const v = 1 - u;
    const w = u * sign;
    const { turn } = this;
    let squared = 0;
    for (let c = 0; c < 4; c++) {
      turn[c] = v * turns[a + c] + w * turns[b + c];
      squared += turn[c] * turn[c];
    }
    const scale = 1 / Math.sqrt(squared);
    for (let c = 0; c < 4; c++) turn[c] *= scale;
  }

  /** Adds the point of the rope that a vertex is at. */
  private addPoint(x: ArrayLike<number>, vertex: number, out: Float32Array, sign = 1): void {
    const place = this.places[vertex];
    const e = Math.min(this.edges.length / 2 - 1, Math.floor(place));
    const a = 3 * this.edges[2 * e];
    const b = 3 * this.edges[2 * e + 1];
    const u = place - e;
    for (let c = 0; c < 3; c++) out[3 * vertex + c] += sign * ((1 - u) * x[a + c] + u * x[b + c]);
  }

  /** Place of the point of the rope that is nearest to a vertex. */
  private nearest(x: ArrayLike<number>, vertices: ArrayLike<number>, v: number): number {
    let best = Infinity;
    let place = 0;
    for (let e = 0; e < this.edges.length / 2; e++) {
      const [a, b] = [3 * this.edges[2 * e], 3 * this.edges[2 * e + 1]];
      let along = 0;
      let squared = 0;
      for (let c = 0; c < 3; c++) {
        along += (x[b + c] - x[a + c]) * (vertices[3 * v + c] - x[a + c]);
        squared += (x[b + c] - x[a + c]) ** 2;
      }
      const u = Math.min(1, Math.max(0, along / squared));
      let distance = 0;
      for (let c = 0; c < 3; c++) distance += (vertices[3 * v + c] - x[a + c] - u * (x[b + c] - x[a + c])) ** 2;
      if (distance < best) [best, place] = [distance, e + u];
    }
    return place;
  }
}
