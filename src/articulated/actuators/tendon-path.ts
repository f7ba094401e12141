/**
 * Tendons through space: ℓ = Σ w |b − a| over the pieces of their branches, and
 *
 *   ∂ℓ/∂q_k = Σ w u · (∂b/∂q_k − ∂a/∂q_k),   u = (b − a) / |b − a|
 *
 * with the points a and b of links. Second derivatives have the turn of u, and the motion of a point that carries a constant force:
 *
 *   ∂²ℓ/∂q_j∂q_k = Σ w (D_j · D_k − (u · D_j) (u · D_k)) / |b − a| + ∂(Jᵀ wu)_j/∂q_k,   D = ∂b/∂q − ∂a/∂q
 */
import { checkFinite } from "../../checks";
import { invalid, nonFinite } from "../../errors";
import type { Vec3 } from "../../math/types";
import { checkNames, optionNames } from "../../option-names";
import { addWrenchDerivatives } from "../derivatives/wrenches";
import { updatePositions } from "../dynamics/kinematics";
import { WORLD, type ArticulatedModel } from "../model";
import { ArticulatedScratch } from "../scratch";
import type { TendonBranch, TendonPoint } from "./description";

const branchNames = optionNames<TendonBranch>()("weight points");
const pointNames = optionNames<TendonPoint>()("link position");

interface CompiledPoint {
  readonly link: number;
  readonly position: Vec3;
}

/** A branch with links by number. */
export interface CompiledBranch {
  readonly weight: number;
  readonly points: readonly CompiledPoint[];
}

/** @throws PliantError for a link that the mechanism does not have, a single point, or numbers that are not finite */
export function compileBranch(model: ArticulatedModel, branch: TendonBranch, object: string): CompiledBranch {
  checkNames(object, branch, branchNames);
  checkFinite(branch.weight, `${object}.weight`);
  if (branch.points.length < 2) throw invalid(`${object}.points`, branch.points.length, "must be two or more");
  const points = branch.points.map((point) => {
    checkNames(`${object}.points`, point, pointNames);
    const { link, position = [0, 0, 0] } = point;
    if (position.length !== 3 || !position.every(Number.isFinite))
      throw nonFinite(`${object}.points`, position, "must be three finite numbers");
    return { link: link === undefined ? WORLD : model.linkIndex(link), position };
  });
  return { weight: branch.weight, points };
}

/** Coordinates that move points of these branches, in their order. */
export function movingDofs(model: ArticulatedModel, branches: readonly CompiledBranch[]): number[] {
  const found = new Set<number>();
  for (const { link } of branches.flatMap(({ points }) => points))
    for (let k = lastDof(model, link); k !== WORLD; k = model.dofParent[k]) found.add(k);
  return [...found].sort((a, b) => a - b);
}

/** Measures tendons in a position of the mechanism. */
export class TendonPaths {
  private readonly scratch = new ArticulatedScratch(this.model);
  private readonly motions = new Float64Array(3 * this.model.nv);
  private readonly curvature = new Float64Array(this.model.nv * this.model.nv);
  private readonly wrenches = new Float64Array(6 * this.model.linkCount);

  constructor(private readonly model: ArticulatedModel) {}

  /** Places the links for `measure`. */
  place(q: Float64Array): void {
    updatePositions(this.scratch, q);
  }

  /**
   * Call after `place`.
   *
   * @param slopes takes on ∂ℓ/∂q, nv numbers
   * @returns ℓ [m]
   */
  measure(branches: readonly CompiledBranch[], slopes: Float64Array): number {
    let length = 0;
    for (const { weight, points } of branches)
      for (let i = 1; i < points.length; i++) {
        const piece = this.findPiece(points[i - 1], points[i]);
        length += weight * piece;
        if (piece === 0) continue;
        for (let c = 0; c < 3; c++) along[c] *= weight / piece;
        this.addSlopes(points[i].link, to, 1, slopes);
        this.addSlopes(points[i - 1].link, from, -1, slopes);
      }
    return length;
  }

  /** Second derivatives of ℓ, nv × nv, until the next call. Call after `place`. */
  curvatureOf(branches: readonly CompiledBranch[]): Float64Array {
    const { scratch, wrenches, curvature } = this;
    curvature.fill(0);
    wrenches.fill(0);
    for (const { weight, points } of branches)
      for (let i = 1; i < points.length; i++) {
        const piece = this.findPiece(points[i - 1], points[i]);
        if (piece === 0) continue;
        for (let c = 0; c < 3; c++) along[c] /= piece;
        this.motions.fill(0);
        this.addPoint(points[i].link, to, weight);
        this.addPoint(points[i - 1].link, from, -weight);
        this.addTurn(weight, piece);
      }
    addWrenchDerivatives(scratch, wrenches, curvature);
    return curvature;
  }

  /** Adds a point's force w u to those of its link, the motion of its place to the curvature, and its part of w D. */
  private addPoint(link: number, p: Float64Array, w: number): void {
    if (link === WORLD) return;
    const { model, motions, wrenches, curvature } = this;
    const { motion } = this.scratch;
    for (let c = 0; c < 3; c++) {
      const [d, e] = [(c + 1) % 3, (c + 2) % 3];
      wrenches[6 * link + c] += w * (p[d] * along[e] - p[e] * along[d]);
      wrenches[6 * link + 3 + c] += w * along[c];
    }
    for (let k = lastDof(model, link); k !== WORLD; k = model.dofParent[k]) {
      for (let c = 0; c < 3; c++) {
        const [d, e] = [(c + 1) % 3, (c + 2) % 3];
        const s = 6 * k;
        velocity[c] = motion[s + 3 + c] + motion[s + d] * p[e] - motion[s + e] * p[d];
        motions[3 * k + c] += w * velocity[c];
      }
      for (let c = 0; c < 3; c++) {
        const [d, e] = [(c + 1) % 3, (c + 2) % 3];
        const moment = w * (velocity[d] * along[e] - velocity[e] * along[d]);
        for (let j = lastDof(model, link); j !== WORLD; j = model.dofParent[j])
          curvature[j * model.nv + k] += motion[6 * j + c] * moment;
      }
    }
  }

  /** Adds w (D_j · D_k − (u · D_j) (u · D_k)) / |b − a|. */
  private addTurn(weight: number, piece: number): void {
    if (weight === 0) return;
    const { motions, curvature } = this;
    const { nv } = this.model;
    for (let j = 0; j < nv; j++)
      for (let k = 0; k < nv; k++) {
        let [both, alongJ, alongK] = [0, 0, 0];
        for (let c = 0; c < 3; c++) {
          const [a, b] = [motions[3 * j + c], motions[3 * k + c]];
          both += a * b;
          alongJ += along[c] * a;
          alongK += along[c] * b;
        }
        curvature[j * nv + k] += (both - alongJ * alongK) / (weight * piece);
      }
  }

  /** Sets `from` and `to` to the places of two points, and `along` to the way between them. @returns its length */
  private findPiece(a: CompiledPoint, b: CompiledPoint): number {
    this.find(a, from);
    this.find(b, to);
    for (let c = 0; c < 3; c++) along[c] = to[c] - from[c];
    return Math.sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
  }

  /** The place of a point in the world. */
  private find({ link, position }: CompiledPoint, out: Float64Array): void {
    const { linkPosition, linkRotation } = this.scratch;
    for (let c = 0; c < 3; c++)
      if (link === WORLD) out[c] = position[c];
      else {
        const r = 9 * link + 3 * c;
        out[c] =
          linkPosition[3 * link + c] +
          linkRotation[r] * position[0] +
          linkRotation[r + 1] * position[1] +
          linkRotation[r + 2] * position[2];
      }
  }

  /** slopes += sign · S · (p × u, u) for the coordinates that move the point, u being `along`. */
  private addSlopes(link: number, p: Float64Array, sign: number, slopes: Float64Array): void {
    const { model } = this;
    const { motion } = this.scratch;
    const [ux, uy, uz] = along;
    const [mx, my, mz] = [p[1] * uz - p[2] * uy, p[2] * ux - p[0] * uz, p[0] * uy - p[1] * ux];
    for (let k = lastDof(model, link); k !== WORLD; k = model.dofParent[k]) {
      const s = 6 * k;
      const turn = motion[s] * mx + motion[s + 1] * my + motion[s + 2] * mz;
      slopes[k] += sign * (turn + motion[s + 3] * ux + motion[s + 4] * uy + motion[s + 5] * uz);
    }
  }
}

function lastDof(model: ArticulatedModel, link: number): number {
  return link === WORLD ? WORLD : model.linkLastDof[link];
}

const [from, to, along, velocity] = [0, 1, 2, 3].map(() => new Float64Array(3));
