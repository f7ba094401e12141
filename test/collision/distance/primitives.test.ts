import { describe, expect, it } from "vitest";
import { ColliderSet } from "../../../src/collision/obstacles/collider-set";
import { compileShape, PrimitiveKind } from "../../../src/collision/distance/primitives";
import type { ColliderShape } from "../../../src/collision/shape/shape";
import { signedDistance } from "../../../src/collision/distance/signed-distance";
import type { Quat, Vec3 } from "../../../src/math/types";
import { RandomGeometry, rotationAround } from "../random";
import { ballMesh, HILLS } from "../samples";

const scratch = new Float64Array(3);

/** Turns by a quaternion, written out independently of the sources: the vector part of q v q*. */
function turned([x, y, z, w]: Quat, v: readonly number[]): number[] {
  const dot = x * v[0] + y * v[1] + z * v[2];
  const cross = [y * v[2] - z * v[1], z * v[0] - x * v[2], x * v[1] - y * v[0]];
  const square = w * w - (x * x + y * y + z * z);
  return [x, y, z].map((q, i) => 2 * dot * q + square * v[i] + 2 * w * cross[i]);
}

/** Smallest signed distance of a shape's primitives at a point in the frame of the collider. */
function distance(shape: ColliderShape, point: readonly number[]): number {
  const all = compileShape(shape).map((primitive) => {
    const [x, y, z, w] = primitive.rotation;
    const p = turned(
      [-x, -y, -z, w],
      point.map((value, i) => value - primitive.position[i]),
    );
    return signedDistance(primitive, p[0], p[1], p[2], scratch);
  });
  return Math.min(...all);
}

const kindsOf = (shape: ColliderShape): number[] => compileShape(shape).map(({ kind }) => kind);
const scaled = (shape: ColliderShape, scale: Vec3, rotation?: Quat, position?: Vec3): ColliderShape => ({
  type: "container",
  children: [{ shape, scale, rotation, position }],
});

describe("compileShape", () => {
  it("puts capsules and cylinders along any axis", () => {
    const geometry = new RandomGeometry(1);
    for (let n = 0; n < 50; n++) {
      const a = geometry.vector(1);
      const b: Vec3 = n === 0 ? [a[0], a[1] - 1, a[2]] : geometry.vector(1);
      const t = geometry.between(0.1, 0.9);
      const middle = a.map((value, i) => value + t * (b[i] - value));
      const length = Math.hypot(...a.map((value, i) => b[i] - value));
      expect(distance({ type: "capsule", pointA: a, pointB: b, radius: 0.2 }, middle)).toBeCloseTo(-0.2, 12);
      const inCylinder = -Math.min(0.2, t * length, (1 - t) * length);
      expect(distance({ type: "cylinder", pointA: a, pointB: b, radius: 0.2 }, middle)).toBeCloseTo(inCylinder, 12);
      const beyond = b.map((value, i) => value + (value - a[i]) * (0.5 / length));
      expect(distance({ type: "capsule", pointA: a, pointB: b, radius: 0.2 }, beyond)).toBeCloseTo(0.3, 12);
      expect(distance({ type: "cylinder", pointA: a, pointB: b, radius: 0.2 }, beyond)).toBeCloseTo(0.5, 12);
    }
  });

  it("flattens nested containers: position, rotation and scale of each child, outermost last", () => {
    const q1 = rotationAround([0, 1, 0], 0.7);
    const q2 = rotationAround([1, 0, 0], -0.4);
    const box: ColliderShape = { type: "box", halfExtents: [0.1, 0.2, 0.3], center: [0.5, 0, 0] };
    const inner: ColliderShape = { type: "container", children: [{ shape: box, position: [0, 1, 0], rotation: q2 }] };
    const outer: ColliderShape = {
      type: "container",
      children: [
        { shape: inner, position: [3, 0, 0], rotation: q1, scale: [2, 2, 2] },
        { shape: { type: "sphere", radius: 1 } },
      ],
    };
    const [first, second] = compileShape(outer);
    const afterInner = turned(q2, [0.5, 0, 0]).map((value, i) => value + [0, 1, 0][i]);
    const center = turned(
      q1,
      afterInner.map((value) => 2 * value),
    ).map((value, i) => value + [3, 0, 0][i]);
    first.position.forEach((value, i) => expect(value).toBeCloseTo(center[i], 12));
    [0.2, 0.4, 0.6].forEach((half, i) => expect(first.size[i]).toBeCloseTo(half, 12));
    const axis = turned(first.rotation, [0, 0, 1]);
    turned(q1, turned(q2, [0, 0, 1])).forEach((value, i) => expect(axis[i]).toBeCloseTo(value, 12));
    expect(second.size[0]).toBe(1);
  });

  it("keeps shapes in their family where the scale allows it, mirrors too", () => {
    const quarter = rotationAround([1, 0, 0], Math.PI / 2);
    expect(kindsOf(scaled({ type: "sphere", radius: 1 }, [-2, 2, 2]))).toEqual([PrimitiveKind.sphere]);
    expect(kindsOf(scaled({ type: "box", halfExtents: [1, 1, 1] }, [1, -2, 3], quarter))).toEqual([PrimitiveKind.box]);
    const cylinder: ColliderShape = { type: "cylinder", pointA: [0, 0, -1], pointB: [0, 0, 1], radius: 0.5 };
    expect(kindsOf(scaled(cylinder, [2, 2, 5]))).toEqual([PrimitiveKind.cylinder]);
    expect(distance(scaled(cylinder, [2, 2, 5]), [0, 0, 0])).toBeCloseTo(-1, 12);
    expect(distance(scaled(cylinder, [2, 2, 5]), [0, 0, 5.5])).toBeCloseTo(0.5, 12);
    expect(kindsOf(scaled(HILLS, [1, 2, 3]))).toEqual([PrimitiveKind.heightfield]);
  });

  it("stands in with a hull where it does not", () => {
    const slanted = scaled(
      scaled({ type: "box", halfExtents: [1, 1, 1] }, [1, 1, 1], rotationAround([0, 0, 1], 0.6)),
      [3, 1, 1],
    );
    expect(kindsOf(slanted)).toEqual([PrimitiveKind.hull]);
    // A corner of the box, turned, then stretched.
    const corner = turned(rotationAround([0, 0, 1], 0.6), [1, 1, 1]).map((value, i) => value * [3, 1, 1][i]);
    expect(distance(slanted, corner)).toBeCloseTo(0, 9);
    const egg = scaled({ type: "sphere", radius: 0.5 }, [1, 3, 1]);
    expect(kindsOf(egg)).toEqual([PrimitiveKind.hull]);
    expect(distance(egg, [0, 1.5, 0])).toBeCloseTo(0, 6);
    expect(distance(egg, [0.5, 0, 0])).toBeCloseTo(0, 2);
    const pill: ColliderShape = { type: "capsule", pointA: [0, -1, 0], pointB: [0, 1, 0], radius: 0.5 };
    expect(distance(scaled(pill, [2, 1, 1]), [0, 1.5, 0])).toBeCloseTo(0, 9);
    const drum: ColliderShape = { type: "cylinder", pointA: [0, -1, 0], pointB: [0, 1, 0], radius: 0.5 };
    expect(distance(scaled(drum, [2, 1, 1]), [1, 1, 0])).toBeCloseTo(0, 9);
    expect(kindsOf(scaled(HILLS, [1, -1, 1]))).toEqual([PrimitiveKind.grid]);
  });

  it("scales and mirrors meshes, which stay solid", () => {
    const mesh: ColliderShape = { type: "mesh", ...ballMesh(0.5, 3), resolution: 16 };
    for (const scale of [
      [2, 2, 2],
      [-2, 2, 2],
    ] as const) {
      const shape = scaled(mesh, scale, rotationAround([0, 0, 1], 0.3), [1, 0, 0]);
      expect(distance(shape, [1, 0, 0])).toBeCloseTo(-0.97, 1);
      expect(distance(shape, [1, 1.2, 0])).toBeCloseTo(0.22, 1);
      expect(distance(shape, [1, 3, 0])).toBeGreaterThan(1);
      expect(distance(shape, [1, 3, 0])).toBeLessThanOrEqual(2.02);
    }
  });

  it("gives each primitive a box that holds it", () => {
    const geometry = new RandomGeometry(3);
    const shapes: ColliderShape[] = [
      { type: "capsule", pointA: [1, 0, 0], pointB: [0, 1, 0.5], radius: 0.2 },
      { type: "cylinder", pointA: [1, 0, 0], pointB: [0, 1, 0.5], radius: 0.2 },
      { type: "mesh", ...ballMesh(0.5, 2), resolution: 12 },
      HILLS,
    ];
    for (const shape of shapes) {
      const [{ boundsMin, boundsMax, ...primitive }] = compileShape(shape);
      for (let n = 0; n < 2000; n++) {
        const p = geometry.vector(2);
        if (signedDistance({ ...primitive, boundsMin, boundsMax }, p[0], p[1], p[2], scratch) > 0) continue;
        p.forEach((value, axis) => {
          expect(value).toBeGreaterThanOrEqual(boundsMin[axis] - 0.02);
          expect(value).toBeLessThanOrEqual(boundsMax[axis] + 0.02);
        });
      }
    }
  });

  it("is reached through the set with the pose of the collider", () => {
    const set = new ColliderSet();
    set.add(
      { type: "sphere", radius: 0.5, center: [1, 0, 0] },
      { position: [0, 2, 0], rotation: rotationAround([0, 1, 0], Math.PI / 2) },
    );
    set.update();
    [0, 2, -1].forEach((value, i) => expect(set.startPoses[i]).toBeCloseTo(value, 12));
  });
});
