import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
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
  private readonly turn = new Quaternion();
  private readonly vector = new Vector3();

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
    const frames = this.frames(rest);
    let reach = 0;
    for (let v = 0; v < this.vertexCount; v++) {
      this.frameAt(frames, v);
      this.turn.conjugateInPlace();
      const middle = this.pointAt(rest, v);
      this.vector.set(vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]).subtractInPlace(middle);
      reach = Math.max(reach, this.vector.length());
      this.vector.applyRotationQuaternionInPlace(this.turn).toArray(this.offsets, 3 * v);
      this.vector.set(normals[3 * v], normals[3 * v + 1], normals[3 * v + 2]);
      this.vector.applyRotationQuaternionInPlace(this.turn).toArray(this.directions, 3 * v);
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
      this.vector.set(from[3 * v], from[3 * v + 1], from[3 * v + 2]).applyRotationQuaternionInPlace(this.turn);
      if (isPosition) this.vector.addInPlace(this.pointAt(x, v));
      this.vector.toArray(out, 3 * v);
    }
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
    turn.x = v * frames[a] + w * frames[b];
    turn.y = v * frames[a + 1] + w * frames[b + 1];
    turn.z = v * frames[a + 2] + w * frames[b + 2];
    turn.w = v * frames[a + 3] + w * frames[b + 3];
    turn.normalize();
  }

  private pointAt(x: ArrayLike<number>, vertex: number): Vector3 {
    const place = this.places[vertex];
    const e = Math.min(this.edges.length / 2 - 1, Math.floor(place));
    const a = 3 * this.edges[2 * e];
    const b = 3 * this.edges[2 * e + 1];
    const u = place - e;
    middle.set((1 - u) * x[a] + u * x[b], (1 - u) * x[a + 1] + u * x[b + 1], (1 - u) * x[a + 2] + u * x[b + 2]);
    return middle;
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

const middle = new Vector3();
