import { compileRigidShape } from "../../../src/collision/narrow/shapes/compile-shape";
import { collide } from "../../../src/collision/narrow/collide";
import { ContactBuffer } from "../../../src/collision/narrow/contact-buffer";
import type { RigidShape } from "../../../src/collision/narrow/shapes/rigid-shape";
import type { ColliderShape, ConvexHullShape } from "../../../src/collision/shape/shape";
import type { Quat, Vec3 } from "../../../src/math/types";
import type { RandomGeometry } from "../random";

/** A shape at a pose, described and compiled. */
export interface PlacedShape {
  readonly shape: ColliderShape;
  readonly compiled: RigidShape;
  readonly position: Vec3;
  readonly rotation: Quat;
  readonly pose: Float64Array;
}

export function place(shape: ColliderShape, position: Vec3 = [0, 0, 0], rotation: Quat = [0, 0, 0, 1]): PlacedShape {
  const pose = Float64Array.of(...position, ...rotation);
  return { shape, compiled: compileRigidShape(shape), position, rotation, pose };
}

export function moved(s: PlacedShape, position: Vec3, rotation: Quat = s.rotation): PlacedShape {
  return { ...s, position, rotation, pose: Float64Array.of(...position, ...rotation) };
}

/** One contact as objects. */
export interface Contact {
  readonly a: Vec3;
  readonly b: Vec3;
  readonly normal: Vec3;
  readonly separation: number;
  readonly id: number;
  readonly kind: number;
  readonly triangleA: number;
  readonly triangleB: number;
}

export function contactsOf(a: PlacedShape, b: PlacedShape, margin = 0): Contact[] {
  const out = new ContactBuffer();
  const count = collide(a.compiled, a.pose, 0, b.compiled, b.pose, 0, margin, out);
  const triple = (list: Float64Array, i: number): Vec3 => [list[3 * i], list[3 * i + 1], list[3 * i + 2]];
  return Array.from({ length: count }, (_, i) => ({
    a: triple(out.pointA, i),
    b: triple(out.pointB, i),
    normal: triple(out.normal, i),
    separation: out.separation[i],
    id: out.id[i],
    kind: out.kind[i],
    triangleA: out.triangleA[i],
    triangleB: out.triangleB[i],
  }));
}

export const deepest = (contacts: readonly Contact[]): number => Math.min(...contacts.map((c) => c.separation));

export function rotate([x, y, z, w]: Quat, [vx, vy, vz]: Vec3): Vec3 {
  const t = [2 * (y * vz - z * vy), 2 * (z * vx - x * vz), 2 * (x * vy - y * vx)];
  return [
    vx + w * t[0] + y * t[2] - z * t[1],
    vy + w * t[1] + z * t[0] - x * t[2],
    vz + w * t[2] + x * t[1] - y * t[0],
  ];
}

export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const add = (a: Vec3, b: Vec3, k = 1): Vec3 => [a[0] + k * b[0], a[1] + k * b[1], a[2] + k * b[2]];
export const length = (a: Vec3): number => Math.hypot(...a);
export const unit = (a: Vec3): Vec3 => add([0, 0, 0], a, 1 / length(a));

/** Extent of a described shape in a world direction: computed from the descriptions, not from the compiled shape. */
export function reach({ shape, position, rotation }: PlacedShape, d: Vec3): number {
  const [x, y, z, w] = rotation;
  const local = rotate([-x, -y, -z, w], d);
  return dot(position, d) + localReach(shape, local);
}

function localReach(shape: ColliderShape, d: Vec3): number {
  switch (shape.type) {
    case "sphere":
      return dot(shape.center ?? [0, 0, 0], d) + shape.radius * length(d);
    case "box": {
      const [x, y, z, w] = shape.rotation ?? [0, 0, 0, 1];
      const e = rotate([-x, -y, -z, w], d);
      const h = shape.halfExtents;
      return dot(shape.center ?? [0, 0, 0], d) + h[0] * Math.abs(e[0]) + h[1] * Math.abs(e[1]) + h[2] * Math.abs(e[2]);
    }
    case "capsule":
      return Math.max(dot(shape.pointA, d), dot(shape.pointB, d)) + shape.radius * length(d);
    case "cylinder": {
      const axis = unit(subtract(shape.pointB, shape.pointA));
      const across = add(d, axis, -dot(d, axis));
      return Math.max(dot(shape.pointA, d), dot(shape.pointB, d)) + shape.radius * length(across);
    }
    case "convex-hull": {
      let most = -Infinity;
      const p = shape.positions;
      for (let i = 0; i < p.length; i += 3) most = Math.max(most, p[i] * d[0] + p[i + 1] * d[1] + p[i + 2] * d[2]);
      return most;
    }
    default:
      throw new Error(`no support function for ${shape.type}`);
  }
}

/** Separation along a direction from A to B: start of B minus end of A. Its maximum is the signed distance. */
export function separationAlong(a: PlacedShape, b: PlacedShape, n: Vec3): number {
  return -reach(b, [-n[0], -n[1], -n[2]]) - reach(a, n);
}

/**
 * A lower bound of the signed distance by brute force: it samples many directions, and improves the best by smaller and
 * smaller random steps.
 */
export function sampledSeparation(a: PlacedShape, b: PlacedShape, random: RandomGeometry, samples = 400): number {
  const tries = Array.from({ length: samples }, () => random.direction()).map((n) => ({
    n,
    s: separationAlong(a, b, n),
  }));
  tries.sort((p, q) => q.s - p.s);
  let best = -Infinity;
  for (let { n, s } of tries.slice(0, 6)) {
    for (let step = 0.3; step > 1e-5; step *= 0.8) {
      for (let k = 0; k < 6; k++) {
        const m = unit(add(n, random.vector(step)));
        const t = separationAlong(a, b, m);
        if (t > s) [n, s] = [m, t];
      }
    }
    best = Math.max(best, s);
  }
  return best;
}

/** A random convex shape about a meter large, of one of the kinds. */
export function randomConvex(kind: (typeof CONVEX_KINDS)[number], random: RandomGeometry): ColliderShape {
  const size = (): number => random.between(0.1, 0.8);
  switch (kind) {
    case "sphere":
      return { type: "sphere", radius: size(), center: random.vector(0.2) };
    case "box":
      return {
        type: "box",
        halfExtents: [size(), size(), size()],
        center: random.vector(0.2),
        rotation: random.rotation(),
      };
    case "capsule":
    case "cylinder": {
      const middle = random.vector(0.2);
      const half = add([0, 0, 0], random.direction(), size());
      return { type: kind, pointA: subtract(middle, half), pointB: add(middle, half), radius: size() };
    }
    case "convex-hull":
      return randomHull(random, 4 + Math.floor(random.between(0, 20)));
  }
}

export const CONVEX_KINDS = ["sphere", "box", "capsule", "cylinder", "convex-hull"] as const;

export function randomHull(random: RandomGeometry, points: number): ConvexHullShape {
  // The first four certainly span a volume.
  const corners: number[] = [0.3, 0, 0, -0.2, 0.3, 0, -0.2, -0.2, 0.3, -0.2, -0.2, -0.3];
  for (let i = 4; i < points; i++) corners.push(...add([0, 0, 0], random.direction(), random.between(0.3, 0.7)));
  return { type: "convex-hull", positions: corners };
}
