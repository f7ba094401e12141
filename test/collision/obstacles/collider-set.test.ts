import { describe, expect, it } from "vitest";
import { packData, packPrimitives, PRIMITIVE_STRIDE } from "../../../src/collision/obstacles/collider-packing";
import { RigidProxy } from "../../../src/collision/obstacles/rigid-proxy";
import { ColliderSet } from "../../../src/collision/obstacles/collider-set";
import { interpolatePose, POSE, rotate } from "../../../src/collision/shape/pose";
import type { ColliderShape } from "../../../src/collision/shape/shape";
import { structs } from "../../../src/generated/shaders";
import type { Quat, Vec3 } from "../../../src/math/types";
import { RandomGeometry, rotationAround } from "../random";
import { HILLS, PEBBLE } from "../samples";

const BALL: ColliderShape = { type: "sphere", radius: 0.5 };
const TWO: ColliderShape = {
  type: "container",
  children: [{ shape: BALL, position: [1, 0, 0] }, { shape: { type: "box", halfExtents: [0.1, 0.2, 0.3] } }],
};

function dirtyRanges(set: ColliderSet): number[][] {
  const ranges: number[][] = [];
  set.takeDirtyRanges((first, count) => ranges.push([first, count]));
  return ranges;
}

describe("ColliderSet", () => {
  it("lays out the primitives of all colliders, and closes the gap of one that goes", () => {
    const set = new ColliderSet();
    const a = set.add(BALL);
    const b = set.add(TWO, { position: [0, 1, 0] });
    set.add(PEBBLE, { position: [0, 0, 5], friction: 0.9 });
    expect(set.primitiveCount).toBe(0);
    set.update();
    expect([set.primitiveCount, set.geometryVersion]).toEqual([4, 1]);
    expect(Array.from(set.startPoses.subarray(POSE, POSE + 3))).toEqual([1, 1, 0]);
    expect(Array.from(set.friction)).toEqual([0.5, 0.5, 0.5, 0.9]);
    set.endFrame();
    set.remove(b);
    set.update();
    expect([set.primitiveCount, set.geometryVersion]).toEqual([2, 2]);
    expect(set.startPoses[POSE + 2]).toBeCloseTo(5, 1);
    set.remove(a);
    set.update();
    expect(set.primitiveCount).toBe(1);
  });

  it("has what yields before what does not, whichever came first", () => {
    const set = new ColliderSet();
    const [ground, body] = [set.add(TWO), set.add(BALL, { proxy: new RigidProxy() })];
    set.add(BALL);
    set.update();
    expect(Array.from(set.proxyOf)).toEqual([0, -1, -1, -1]);
    set.setProxy(body, undefined);
    set.setProxy(ground, new RigidProxy());
    set.update();
    expect(Array.from(set.proxyOf)).toEqual([0, 0, -1, -1]);
  });

  it("moves from the pose of the last frame to the one set, and then rests", () => {
    const set = new ColliderSet();
    const id = set.add(BALL);
    set.update();
    expect(set.moving[0]).toBe(0);
    set.endFrame();
    set.setPose(id, [1, 0, 0]);
    set.setPose(id, [2, 0, 0]);
    set.update();
    expect([set.startPoses[0], set.endPoses[0], set.moving[0]]).toEqual([0, 2, 1]);
    set.endFrame();
    set.update();
    expect([set.startPoses[0], set.endPoses[0], set.moving[0]]).toEqual([2, 2, 0]);
    set.endFrame();
    set.teleport(id, [7, 0, 0], [0, 2, 0, 0]);
    set.update();
    expect([set.startPoses[0], set.endPoses[0], set.moving[0], set.startPoses[4]]).toEqual([7, 7, 0, 1]);
    set.endFrame();
    // Without a rotation it keeps the present one; q and -q are the same.
    set.setPose(id, [7, 0, 0]);
    set.update();
    expect([set.endPoses[4], set.moving[0]]).toEqual([1, 0]);
    set.endFrame();
    set.setPose(id, [7, 0, 0], [0, -1, 0, 0]);
    set.update();
    expect(set.moving[0]).toBe(0);
  });

  it("tells which records changed, once", () => {
    const set = new ColliderSet();
    const ids = Array.from({ length: 6 }, () => set.add(BALL));
    set.update();
    expect(dirtyRanges(set)).toEqual([[0, 6]]);
    expect(dirtyRanges(set)).toEqual([]);
    set.endFrame();
    set.setPose(ids[1], [1, 0, 0]);
    set.setFriction(ids[2], 0.1);
    set.setEnabled(ids[5], false);
    set.update();
    expect(dirtyRanges(set)).toEqual([
      [1, 2],
      [5, 1],
    ]);
    set.endFrame();
    set.update();
    // The moved collider is at rest now.
    expect(dirtyRanges(set)).toEqual([[1, 1]]);
    set.endFrame();
    set.update();
    expect(dirtyRanges(set)).toEqual([]);
    expect(set.geometryVersion).toBe(1);
  });

  it("bounds a primitive on its way, also when it turns", () => {
    const geometry = new RandomGeometry(5);
    const set = new ColliderSet();
    const box: ColliderShape = { type: "box", halfExtents: [2, 0.1, 0.3], center: [1, 0, 0] };
    const id = set.add(box);
    const pose = new Float64Array(POSE);
    const corner = new Float64Array(3);
    for (let frame = 0; frame < 50; frame++) {
      set.setPose(id, geometry.vector(2), geometry.rotation());
      set.update();
      for (let n = 0; n <= 20; n++) {
        interpolatePose(set.startPoses, set.endPoses, 0, n / 20, pose);
        expect(Math.hypot(pose[3], pose[4], pose[5], pose[6])).toBeCloseTo(1, 12);
        for (let c = 0; c < 8; c++) {
          rotate(pose, 0, c & 1 ? 2 : -2, c & 2 ? 0.1 : -0.1, c & 4 ? 0.3 : -0.3, corner, 0);
          for (let axis = 0; axis < 3; axis++) {
            expect(pose[axis] + corner[axis]).toBeGreaterThanOrEqual(set.bounds[axis]);
            expect(pose[axis] + corner[axis]).toBeLessThanOrEqual(set.bounds[3 + axis]);
          }
        }
      }
      set.endFrame();
    }
    set.setEnabled(id, false);
    set.update();
    expect(set.bounds[0]).toBeGreaterThan(set.bounds[3]);
    expect(id.enabled).toBe(false);
  });

  it("refuses what is no pose and no friction, and changes nothing then", () => {
    const set = new ColliderSet();
    const id = set.add(BALL, { name: "globe", position: [1, 2, 3] });
    const bad = expect.objectContaining({ code: "non-finite" });
    expect(() => set.setPose(id, [Number.NaN, 0, 0])).toThrow(bad);
    expect(() => set.setPose(id, [9, 0, 0], [0, 0, 0, Infinity])).toThrow(bad);
    expect(() => set.setPose(id, [9, 0, 0], [0, 0, 0, 0])).toThrow(/globe\.rotation/);
    expect(() => set.setPose(id, [9, 0] as unknown as Vec3)).toThrow(/three numbers/);
    expect(() => set.setPose(id, [9, 0, 0], [1, 0, 0] as unknown as Quat)).toThrow(/four numbers/);
    expect(() => set.setFriction(id, -1)).toThrow(/must not be negative/);
    expect(() => set.setFriction(id, Number.NaN)).toThrow(bad);
    expect(() => set.add(BALL, { friction: -1 })).toThrow(/friction/);
    expect(() => set.add({ type: "sphere", radius: -1 })).toThrow(/radius/);
    set.update();
    expect(set.primitiveCount).toBe(1);
    expect(Array.from(set.endPoses.subarray(0, 3))).toEqual([1, 2, 3]);
    expect(id.friction).toBe(0.5);
  });
});

describe("packPrimitives", () => {
  it("writes records as the shaders read them, and only those asked for", () => {
    const set = new ColliderSet();
    set.add(TWO, { position: [1, 2, 3], friction: 0.25 });
    const moving = set.add(HILLS, { rotation: rotationAround([0, 1, 0], 0.5) });
    set.add(PEBBLE);
    set.update();
    set.endFrame();
    set.setPose(moving, [0, 1, 0]);
    set.update();
    const view = new DataView(new ArrayBuffer(PRIMITIVE_STRIDE * set.primitiveCount));
    packPrimitives(set, view, 1, 2);
    const { fields } = structs.ColliderPrimitive;
    const read = (k: number, field: keyof typeof fields, count: number): number[] =>
      Array.from({ length: count }, (_, i) =>
        view.getFloat32(k * PRIMITIVE_STRIDE + fields[field].offset + 4 * i, true),
      );
    const readInteger = (k: number, field: keyof typeof fields): number =>
      view.getUint32(k * PRIMITIVE_STRIDE + fields[field].offset, true);
    expect(new Uint8Array(view.buffer, 0, PRIMITIVE_STRIDE).every((byte) => byte === 0)).toBe(true);
    expect(new Uint8Array(view.buffer, 3 * PRIMITIVE_STRIDE).every((byte) => byte === 0)).toBe(true);
    for (const k of [1, 2]) {
      const near = (values: number[], expected: ArrayLike<number>, from: number): void =>
        values.forEach((value, i) => expect(value).toBeCloseTo(expected[from + i], 6));
      near(read(k, "startPosition", 3), set.startPoses, POSE * k);
      near(read(k, "endPosition", 3), set.endPoses, POSE * k);
      near(read(k, "startRotation", 4), set.startPoses, POSE * k + 3);
      near(read(k, "endRotation", 4), set.endPoses, POSE * k + 3);
      near(read(k, "size", 4), set.primitives[k].size, 0);
      near(read(k, "boundsMin", 3), set.bounds, 6 * k);
      near(read(k, "boundsMax", 3), set.bounds, 6 * k + 3);
      near(read(k, "friction", 1), set.friction, k);
      expect(readInteger(k, "kind")).toBe(set.primitives[k].kind);
      expect(readInteger(k, "moving")).toBe(k === 2 ? 1 : 0);
      expect(readInteger(k, "dataOffset")).toBe(set.dataOffsets[k]);
    }
    const data = packData(set);
    expect(data.length).toBe(set.dataLength);
    set.primitives.forEach((primitive, k) => {
      const own = data.subarray(set.dataOffsets[k], set.dataOffsets[k] + primitive.data.length);
      expect(own).toEqual(Float32Array.from(primitive.data));
    });
  });
});
