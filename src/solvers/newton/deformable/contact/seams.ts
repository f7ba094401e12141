/** Seams of the obstacles that deformable bodies touch (see collision/contact/seam.ts). Edges that are rounded off elsewhere are sharp there. */
import { type PlacedPart, seamNormal, worldDistance } from "../../../../collision/contact/seam";
import { POSE } from "../../../../collision/shape/pose";
import { CONTACT_VERTICES, KEY_SIZE } from "../../../../collision/soft/contact-table";
import { dotProduct } from "../../../../math/dense";
import { type BodyTable, POSE_SIZE } from "../../motion/bodies";
import type { FemBody } from "../fem-body";
import { type ObstaclePart, roundedBy, type SurfaceNodes } from "./find-contacts";
import type { SoftContacts } from "./soft-contacts";

/**
 * Parts of the longest edge of the body, or of the spacing of particles without faces: how far apart obstacles may be at a seam, and how far
 * above it normals are looked for.
 */
const COVERED = 1e-3;
const ABOVE = 0.02;
interface Part extends PlacedPart {
  bounds: Float64Array;
  source: number;
  part: number;
}

const x = new Float64Array(3);
const box = new Float64Array(6);
const e = new Float64Array(3);
const near = new Float64Array(4);
const across = new Float64Array(4);
const turned = new Float64Array(6);

/** Parts of obstacles that bodies may touch in a step. */
export class Seams {
  private readonly parts: Part[] = [];
  private count = 0;
  /** places of those near contacts */
  private readonly near: number[] = [];

  clear(): void {
    this.count = 0;
  }

  /** Remembers a part, whether bodies touch it or not: they may be lifted off the one that covers an edge. */
  note({ primitive, poses, at, bounds }: ObstaclePart, source: number, part: number): void {
    const one = (this.parts[this.count++] ??= {
      primitive,
      poses: new Float64Array(POSE),
      bounds: new Float64Array(6),
      source,
      part,
    });
    Object.assign(one, { primitive, source, part });
    one.poses.set(poses.subarray(at, at + POSE));
    one.bounds.set(bounds);
  }

  /** Gives contacts at seams their normals, and drops those with edges that are none. */
  settle(
    bodies: BodyTable,
    softs: readonly FemBody[],
    surfaces: ReadonlyMap<FemBody, SurfaceNodes>,
    out: SoftContacts,
  ): void {
    if (this.count < 2 || out.count === 0) return;
    this.findNear(softs, surfaces, out);
    if (this.near.length < 2) return;
    const isHidden = new Uint8Array(out.count);
    for (let c = 0, at = 0; c < out.count; c++) {
      at = this.placeOf(out.key[KEY_SIZE * c], out.key[KEY_SIZE * c + 1], at);
      if (at < 0) continue;
      const soft = softs[out.bodyOf(c)];
      if (!this.settleOne(bodies, soft, surfaces.get(soft)!, this.parts[this.near[at]], out, c)) isHidden[c] = 1;
    }
    out.drop((c) => isHidden[c] === 1);
  }

  /** Lists the parts that the box of all contacts meets. */
  private findNear(softs: readonly FemBody[], surfaces: ReadonlyMap<FemBody, SurfaceNodes>, out: SoftContacts): void {
    box.fill(Infinity, 0, 3);
    box.fill(-Infinity, 3);
    for (let c = 0; c < out.count; c++) {
      const soft = softs[out.bodyOf(c)];
      pointOf(soft, out, c);
      // to the nearest point, and from there as far as edges are rounded
      const away = Math.abs(out.gap[c]) + soft.thickness + surfaces.get(soft)!.edge;
      for (let d = 0; d < 3; d++) {
        box[d] = Math.min(box[d], x[d] - away);
        box[3 + d] = Math.max(box[3 + d], x[d] + away);
      }
    }
    this.near.length = 0;
    for (let k = 0; k < this.count; k++) {
      const { bounds } = this.parts[k];
      if ([0, 1, 2].every((d) => bounds[d] <= box[3 + d] && bounds[3 + d] >= box[d])) this.near.push(k);
    }
  }

  /** @param from where to look first */
  private placeOf(source: number, part: number, from: number): number {
    const { near, parts } = this;
    for (let i = 0; i < near.length; i++) {
      const at = (Math.max(0, from) + i) % near.length;
      const one = parts[near[at]];
      if (one.source === source && one.part === part) return at;
    }
    return -1;
  }

  /** @returns whether the contact stays */
  private settleOne(
    bodies: BodyTable,
    soft: FemBody,
    surface: SurfaceNodes,
    own: Part,
    out: SoftContacts,
    c: number,
  ): boolean {
    const { edge, spacing } = surface;
    const scale = edge > 0 ? edge : spacing;
    const [covered, above] = [COVERED * scale, ABOVE * scale];
    pointOf(soft, out, c);
    worldDistance(own, x, near);
    for (let d = 0; d < 3; d++) e[d] = x[d] - near[3] * near[d];
    const radius = roundedBy(own.primitive, edge);
    let isBeside = false;
    for (const j of this.near) {
      const other = this.parts[j];
      if (other === own || outside(other.bounds, e) > covered + radius) continue;
      worldDistance(other, e, across);
      if (across[3] > covered + radius) continue;
      isBeside = true;
      if (!seamNormal(own, other, e, near, covered, above, turned)) continue;
      for (let d = 0; d < 3; d++) x[d] -= turned[3 + d]!;
      const height = dotProduct(x, turned, 3);
      // Points that are further beside the seam are borne by the part that covers it.
      if (dotProduct(x, x, 3) - height * height > above * above) return false;
      turn(bodies, out, c, turned, turned.subarray(3), height - soft.thickness);
      return true;
    }
    // The rounding of an edge at a seam would be a groove.
    if (isBeside) turn(bodies, out, c, near, e, near[3] - soft.thickness);
    return true;
  }
}

/** Writes the point of the body that a contact is at into `x`. */
function pointOf({ positions }: FemBody, { vertex, weight }: SoftContacts, c: number): void {
  x.fill(0);
  for (let i = CONTACT_VERTICES * c; i < CONTACT_VERTICES * (c + 1); i++)
    for (let d = 0; d < 3; d++) x[d] += weight[i] * positions[3 * vertex[i] + d];
}

/** Gives a contact another normal, and the point that it touches. */
function turn(
  bodies: BodyTable,
  out: SoftContacts,
  c: number,
  n: Float64Array,
  point: Float64Array,
  gap: number,
): void {
  const slot = out.rigid[c];
  out.setNormal(c, n[0], n[1], n[2]);
  out.gap[c] = gap;
  if (slot >= 0) for (let d = 0; d < 3; d++) out.arm[3 * c + d] = point[d] - bodies.state.pose[POSE_SIZE * slot + d];
}

/** Distance of a point from a box along the axis on which it is furthest outside; negative inside. */
function outside(bounds: Float64Array, at: Float64Array): number {
  let most = -Infinity;
  for (let d = 0; d < 3; d++) most = Math.max(most, at[d] - bounds[3 + d], bounds[d] - at[d]);
  return most;
}
