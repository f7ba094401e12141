import { Quaternion } from "@babylonjs/core/Maths/math.vector";
import { lengthOf } from "../../src/math/vectors";
import { untwistedFrames } from "../../src/solvers/gpbd/rods/rod-set";
import type { VertexSkin } from "../deformable/mesh/vertex-skin";

/**
 * Vertices around a rope. Each vertex keeps its place in a frame that moves along the rope without turning about it,
 * interpolated between the frames of the two nearest edges.
 */
export class TubeSkin implements VertexSkin {
  readonly vertexCount: number;
  readonly pointCount: number;
  readonly margin: number;
  private readonly edges: Uint32Array;
  /** place along the rope, in edges from its first point */
  private readonly places: Float64Array;
  /** vector from the rope to the vertex, and the normal there, in the frame of the place: vertexCount × 3 each */
  private readonly offsets: Float32Array;
  private readonly directions: Float32Array;
  private readonly turn = new Float64Array(4);

  /**
   * @param rest points of the rope, n × 3 [m]
   * @param vertices vertices of the mesh, world space, and their normals, three numbers each
   */
  constructor(
    rest: ArrayLike<number>,
    private readonly closed: boolean,
    vertices: ArrayLike<number>,
    normals: ArrayLike<number>,
  ) {
    const count = rest.length / 3;
    this.vertexCount = vertices.length / 3;
    this.pointCount = count;
    this.edges = Uint32Array.from({ length: 2 * (closed ? count : count - 1) }, (_, i) => ((i + 1) >> 1) % count);
    this.places = Float64Array.from({ length: this.vertexCount }, (_, v) => this.nearest(rest, vertices, v));
    this.offsets = new Float32Array(vertices.length);
    this.directions = new Float32Array(vertices.length);
    const away = Float32Array.from(vertices);
    const across = Float32Array.from(normals);
    const frames = this.frames(rest);
    let reach = 0;
    for (let v = 0; v < this.vertexCount; v++) {
      this.frameAt(frames, v);
      this.turn[3] *= -1;
      this.addPoint(rest, v, away, -1);
      reach = Math.max(reach, lengthOf(away[3 * v], away[3 * v + 1], away[3 * v + 2]));
      this.turned(away, v, this.offsets);
      this.turned(across, v, this.directions);
    }
    this.margin = reach;
  }

  /** A point is a particle. */
  particlesOf(point: number): readonly number[] {
    return [point];
  }

  spread(particles: ArrayLike<number>, vertices: Float32Array): void {
    this.place(particles, this.offsets, vertices, true);
  }

  normals(particles: ArrayLike<number>, vertices: Float32Array): void {
    this.place(particles, this.directions, vertices, false);
  }

  private place(x: ArrayLike<number>, from: Float32Array, out: Float32Array, isPosition: boolean): void {
    const frames = this.frames(x);
    for (let v = 0; v < this.vertexCount; v++) {
      this.frameAt(frames, v);
      this.turned(from, v, out);
      if (isPosition) this.addPoint(x, v, out);
    }
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

  /** Frames of the edges; around a closed rope they turn so far that first and last frame meet. */
  private frames(x: ArrayLike<number>): Float64Array {
    const { edges } = this;
    if (!this.closed) return untwistedFrames(x, edges);
    const around = Uint32Array.from([...edges, edges[0], edges[1]]);
    const open = untwistedFrames(x, around);
    const last = open.length - 4;
    const first = Quaternion.FromArray(open, 0);
    const gap = first.conjugateInPlace().multiplyInPlace(Quaternion.FromArray(open, last));
    const angle = 2 * Math.atan2(gap.w < 0 ? -gap.z : gap.z, Math.abs(gap.w));
    return untwistedFrames(x, around, -angle).subarray(0, last);
  }

  /** Frame at the place of a vertex, into `turn`: halfway between two edges at a point. */
  private frameAt(frames: Float64Array, vertex: number): void {
    const count = frames.length / 4;
    const s = this.places[vertex] - 0.5;
    const low = Math.floor(s);
    const high = low + 1;
    const last = count - 1;
    const a = 4 * (this.closed ? (low + count) % count : Math.min(last, Math.max(0, low)));
    const b = 4 * (this.closed ? (high + count) % count : Math.min(last, Math.max(0, high)));
    const u = s - low;
    let dot = 0;
    for (let c = 0; c < 4; c++) dot += frames[a + c] * frames[b + c];
    const sign = dot < 0 ? -1 : 1;
    const v = 1 - u;
    const w = u * sign;
    const { turn } = this;
    let squared = 0;
    for (let c = 0; c < 4; c++) {
      turn[c] = v * frames[a + c] + w * frames[b + c];
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
