/**
 * Linear blend skinning of a mesh, in double precision, in the engine's world: x = Σ w_b x₀ M_b with the matrices M_b
 * of the bones, which include the mesh's own world matrix here (row vectors, as in Babylon).
 */
import type { Bone } from "@babylonjs/core/Bones/bone";
import type { Skeleton } from "@babylonjs/core/Bones/skeleton";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { invalid, nonFinite, outOfRange, PliantError, unsupported } from "../../src/errors";
import { requireAlive } from "../plugin-of";
import { buildTriangleTree, closestTriangle } from "../../src/geometry/triangles/bvh";
import { AffineMatrix } from "../geometry/affine-matrix";
import { engineMatrixOf } from "../scene-frame";
import { trianglesOf } from "../geometry/triangles";

/** Matrices of all bones, to the engine's world: 12 numbers each, three rows of the linear part and the shift. */
export type SkinPose = Float64Array;

const ROW = 12;
/** Longest squared distance from points to triangles in the search: there is no limit [m²]. */
const ANYWHERE = Infinity;

/** A bone's frame in the engine's world, up to date even if no frame was drawn since it was moved. */
export function boneMatrix(bone: Bone, mesh: AbstractMesh): AffineMatrix {
  bone.getSkeleton().prepare(true);
  return new AffineMatrix(Float64Array.from(bone.getFinalMatrix().asArray())).multiply(engineMatrixOf(mesh));
}

/**
 * The skeleton that moves a mesh.
 *
 * @throws PliantError `disposed`; `unsupported` for a mesh without skeleton or weights
 */
export function requireSkinnedMesh(object: string, mesh: AbstractMesh): Skeleton {
  requireAlive(object, mesh, "a skinned mesh");
  const { skeleton } = mesh;
  if (!skeleton) throw unsupported(object, mesh.name, "needs a mesh with a skeleton");
  for (const kind of [VertexBuffer.MatricesIndicesKind, VertexBuffer.MatricesWeightsKind])
    if (!mesh.isVerticesDataPresent(kind)) throw unsupported(object, mesh.name, `needs a mesh with ${kind}`);
  return skeleton;
}

/**
 * Reports the disposal of a skeleton or its mesh.
 *
 * @throws PliantError `disposed` if one of them is disposed of already, `invalid-argument` if the mesh has another
 * skeleton
 */
export function skeletonWatch(
  object: string,
  mesh: AbstractMesh,
  skeleton: Skeleton,
): { readonly isGone: boolean; onGone(callback: () => void): () => void } {
  const scene = skeleton.getScene();
  const watch = {
    get isGone() {
      return mesh.isDisposed() || !scene.skeletons.includes(skeleton);
    },
    onGone(callback: () => void): () => void {
      const removed = scene.onSkeletonRemovedObservable.add((one) => one === skeleton && callback());
      const disposed = mesh.onDisposeObservable.add(callback);
      return () => {
        scene.onSkeletonRemovedObservable.remove(removed);
        mesh.onDisposeObservable.remove(disposed);
      };
    },
  };
  if (mesh.skeleton !== skeleton) throw invalid(object, mesh.name, `must be moved by the skeleton "${skeleton.name}"`);
  if (watch.isGone)
    throw new PliantError("disposed", object, skeleton.name, "needs a skeleton and a mesh that are in the scene");
  return watch;
}

/** The bones of one vertex and their weights, whose sum is 1. */
type Influences = readonly (readonly [bone: number, weight: number])[];

export class Skin {
  readonly skeleton: Skeleton;
  /** positions of the mesh, in its own frame, before the bones move it; with its present morph */
  readonly positions: ArrayLike<number> = this.mesh.getPositionData(false, true) ?? [];
  private readonly influences: readonly Influences[];
  private readonly triangles: ArrayLike<number> = trianglesOf(this.mesh, this.positions.length / 3);

  /** @throws PliantError as `requireSkinnedMesh`; `non-finite` and `index-out-of-range` for invalid weights */
  constructor(
    object: string,
    readonly mesh: AbstractMesh,
  ) {
    this.skeleton = requireSkinnedMesh(object, mesh);
    this.influences = influencesOf(object, mesh, this.positions.length / 3, this.skeleton.bones.length);
  }

  get vertexCount(): number {
    return this.positions.length / 3;
  }

  /** The bone with the largest weight at a vertex, by its index among the matrices, and the weight. */
  dominant(vertex: number): readonly [bone: number, weight: number] {
    return this.influences[vertex].reduce((most, one) => (one[1] > most[1] ? one : most));
  }

  /** The present pose of the bones. */
  pose(): SkinPose {
    this.skeleton.prepare(true);
    const matrices = this.skeleton.getTransformMatrices(this.mesh);
    const w = engineMatrixOf(this.mesh).asArray();
    const count = this.skeleton.bones.length + 1;
    const pose = new Float64Array(ROW * count);
    for (let bone = 0; bone < count; bone++)
      for (let row = 0; row < 4; row++)
        for (let c = 0; c < 3; c++) {
          let sum = row === 3 ? w[12 + c] : 0;
          for (let k = 0; k < 3; k++) sum += matrices[16 * bone + 4 * row + k] * w[4 * k + c];
          pose[ROW * bone + 3 * row + c] = sum;
        }
    return pose;
  }

  /** World positions of all vertices in a pose. */
  places(pose: SkinPose): Float64Array {
    return placesOf(this.positions, this.influences, pose);
  }

  /**
   * Binds points to the skin: each moves as the nearest point of the surface does, with the weights of that point.
   *
   * @param points world space, three numbers each
   * @param pose pose in which the points are near the skin
   */
  bind(points: ArrayLike<number>, pose: SkinPose): SkinnedPoints {
    const { triangles, influences } = this;
    const places = this.places(pose);
    const corners = Float64Array.from(
      { length: 3 * triangles.length },
      (_, i) => places[3 * triangles[(i / 3) | 0] + (i % 3)],
    );
    const tree = buildTriangleTree(corners);
    const nearest = new Float64Array(6);
    const bound: Influences[] = [];
    const rest = new Float64Array(points.length);
    let hint = -1;
    for (let i = 0; i < points.length; i += 3) {
      hint = closestTriangle(tree, points[i], points[i + 1], points[i + 2], ANYWHERE, hint, nearest);
      const triangle = 3 * tree.source[hint];
      const weights = new Map<number, number>();
      for (let corner = 0; corner < 3; corner++)
        for (const [bone, weight] of influences[triangles[triangle + corner]])
          weights.set(bone, (weights.get(bone) ?? 0) + nearest[3 + corner] * weight);
      const here = [...weights].filter(([, weight]) => weight > 0);
      bound.push(here);
      unskin(here, pose, points, i, rest);
    }
    return new SkinnedPoints(this, bound, rest, pose);
  }
}

/** Points that a skin carries. */
export class SkinnedPoints {
  constructor(
    private readonly skin: Skin,
    private readonly influences: readonly Influences[],
    private readonly rest: Float64Array,
    private seen: SkinPose,
  ) {}

  /** World positions in a pose. */
  place(pose: SkinPose): Float64Array {
    return placesOf(this.rest, this.influences, pose);
  }

  follow(): Float64Array | undefined {
    const pose = this.skin.pose();
    if (pose.every((value, i) => value === this.seen[i])) return undefined;
    this.seen = pose;
    return this.place(pose);
  }

  pick(kept: readonly number[]): SkinnedPoints {
    const rest = Float64Array.from(kept.flatMap((i) => [...this.rest.subarray(3 * i, 3 * i + 3)]));
    return new SkinnedPoints(
      this.skin,
      kept.map((i) => this.influences[i]),
      rest,
      this.seen,
    );
  }
}

function placesOf(rest: ArrayLike<number>, influences: readonly Influences[], pose: SkinPose): Float64Array {
  const places = new Float64Array(rest.length);
  const m = new Float64Array(ROW);
  influences.forEach((bones, i) => {
    blend(bones, pose, m);
    const [x, y, z] = [rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]];
    for (let c = 0; c < 3; c++) places[3 * i + c] = x * m[c] + y * m[3 + c] + z * m[6 + c] + m[9 + c];
  });
  return places;
}

function blend(bones: Influences, pose: SkinPose, m: Float64Array): void {
  m.fill(0);
  for (const [bone, weight] of bones) for (let k = 0; k < ROW; k++) m[k] += weight * pose[ROW * bone + k];
}

const blended = new Float64Array(ROW);

/** The place x₀ that skinning takes to a point; by the heaviest bone alone where opposed turns of bones cancel. */
function unskin(bones: Influences, pose: SkinPose, points: ArrayLike<number>, at: number, rest: Float64Array): void {
  blend(bones, pose, blended);
  const m = blended;
  const d = [points[at] - m[9], points[at + 1] - m[10], points[at + 2] - m[11]];
  // x₀ M = d by Cramer's rule: cross products of the rows of M
  const over = (i: number, j: number, c: number): number =>
    m[3 * i + ((c + 1) % 3)] * m[3 * j + ((c + 2) % 3)] - m[3 * i + ((c + 2) % 3)] * m[3 * j + ((c + 1) % 3)];
  const determinant = m[0] * over(1, 2, 0) + m[1] * over(1, 2, 1) + m[2] * over(1, 2, 2);
  const size = Math.hypot(...m.subarray(0, 9));
  if (bones.length > 1 && !(Math.abs(determinant) > 1e-4 * size ** 3)) {
    const most = bones.reduce((a, b) => (b[1] > a[1] ? b : a));
    (bones as [number, number][]).splice(0, bones.length, [most[0], 1]);
    unskin(bones, pose, points, at, rest);
    return;
  }
  [0, 1, 2].forEach((row) => {
    const [i, j] = [(row + 1) % 3, (row + 2) % 3];
    rest[at + row] = (d[0] * over(i, j, 0) + d[1] * over(i, j, 1) + d[2] * over(i, j, 2)) / determinant;
  });
}

function influencesOf(object: string, mesh: AbstractMesh, vertexCount: number, boneCount: number): Influences[] {
  const pairs = [
    [VertexBuffer.MatricesIndicesKind, VertexBuffer.MatricesWeightsKind],
    [VertexBuffer.MatricesIndicesExtraKind, VertexBuffer.MatricesWeightsExtraKind],
  ]
    .slice(0, mesh.numBoneInfluencers > 4 ? 2 : 1)
    .map(([indices, weights]) => [mesh.getVerticesData(indices), mesh.getVerticesData(weights)] as const);
  return Array.from({ length: vertexCount }, (_, vertex) => {
    const found: [number, number][] = [];
    for (const [indices, weights] of pairs)
      for (let k = 4 * vertex; indices && weights && k < 4 * vertex + 4; k++) {
        const [bone, weight] = [Math.floor(indices[k]), weights[k]];
        if (!Number.isFinite(weight)) throw nonFinite(`${object} weight of vertex ${vertex}`, weight, "must be finite");
        if (!(weight > 0)) continue;
        if (!(bone >= 0 && bone <= boneCount))
          throw outOfRange(`${object} bone of vertex ${vertex}`, bone, `must be below ${boneCount}`);
        found.push([bone, weight]);
      }
    const sum = found.reduce((all, [, weight]) => all + weight, 0);
    // A vertex that no bone moves follows the mesh: the last matrix.
    return sum > 0 ? found.map(([bone, weight]) => [bone, weight / sum] as const) : [[boneCount, 1] as const];
  });
}
