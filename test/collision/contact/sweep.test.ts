import { describe, expect, it } from "vitest";
import { ColliderSet } from "../../../src/collision/obstacles/collider-set";
import { interpolatePose, POSE, rotate, rotateBack } from "../../../src/collision/shape/pose";
import type { PrimitiveKind } from "../../../src/collision/distance/primitives";
import type { ColliderShape } from "../../../src/collision/shape/shape";
import { signedDistance } from "../../../src/collision/distance/signed-distance";
import { createSweepContact, sweepContact } from "../../../src/collision/contact/sweep";
import type { Quat, Vec3 } from "../../../src/math/types";
import { RandomGeometry, rotationAround } from "../random";
import { SHAPES } from "../samples";

const THICKNESS = 0.005;
const contact = createSweepContact();
const scratch = new Float64Array(3);

/** A set with one collider that moves from one pose to another in the frame. */
function moving(shape: ColliderShape, from: Vec3, to: Vec3, turnFrom?: Quat, turnTo?: Quat): ColliderSet {
  const set = new ColliderSet();
  const id = set.add(shape, { position: from, rotation: turnFrom });
  set.setPose(id, to, turnTo);
  set.update();
  return set;
}
const resting = (shape: ColliderShape, position: Vec3 = [0, 0, 0], rotation?: Quat): ColliderSet =>
  moving(shape, position, position, rotation, rotation);

/** The place to which contact moves a point that went from start to end, or end if it meets nothing. */
function resolve(
  set: ColliderSet,
  start: readonly number[],
  end: readonly number[],
  f0 = 0,
  f1 = 1,
  thickness = THICKNESS,
): number[] {
  if (!sweepContact(set, 0, start, end, 0, thickness, f0, f1, contact, true)) return [...end];
  expect(Math.hypot(...contact.normal)).toBeCloseTo(1, 9);
  expect(contact.push).toBeGreaterThanOrEqual(0);
  return end.map((value, axis) => value + contact.push * contact.normal[axis]);
}

/** A point in the frame of the primitive at a fraction of the frame, and its signed distance. */
function toLocal(set: ColliderSet, point: readonly number[], fraction: number): number[] {
  const pose = new Float64Array(POSE);
  interpolatePose(set.startPoses, set.endPoses, 0, fraction, pose);
  rotateBack(pose, 0, point[0] - pose[0], point[1] - pose[1], point[2] - pose[2], scratch, 0);
  return Array.from(scratch);
}
function distanceAt(set: ColliderSet, point: readonly number[], fraction: number): number {
  const p = toLocal(set, point, fraction);
  return signedDistance(set.primitives[0], p[0], p[1], p[2], scratch);
}

describe("sweepContact", () => {
  it("is a discrete projection for a point at rest: exact, and quiet at the thickness", () => {
    const set = resting({ type: "sphere", radius: 0.3 });
    for (const height of [-0.001, 0, 0.003, THICKNESS - 1e-9]) {
      const p = [0, 0.3 + height, 0];
      const q = resolve(set, p, p);
      expect(contact.push).toBeCloseTo(THICKNESS - height, 12);
      expect(Array.from(contact.normal)).toEqual([0, 1, 0]);
      expect(q[1]).toBeCloseTo(0.3 + THICKNESS, 12);
      expect(Array.from(contact.surfaceDisplacement)).toEqual([0, 0, 0]);
    }
    const above = [0, 0.3 + THICKNESS * 1.04, 0];
    expect(sweepContact(set, 0, above, above, 0, THICKNESS, 0, 1, contact)).toBe(true);
    expect(contact.push).toBe(0);
    const clear = [0, 0.3 + THICKNESS * 1.06, 0];
    expect(sweepContact(set, 0, clear, clear, 0, THICKNESS, 0, 1, contact)).toBe(false);
  });

  it("tells how what is above a surface goes with it", () => {
    const turn = rotationAround([0.6, 0, -0.8], 0.4);
    const [from, to]: [Vec3, Vec3] = [
      [0, 0, 0],
      [0.1, -0.05, 0.2],
    ];
    const set = moving({ type: "sphere", radius: 0.3 }, from, to, [0, 0, 0, 1], turn);
    const start = [0.2, 0.25, 0.05];
    const height = Math.hypot(...start) - 0.3;
    rotate(Float64Array.of(0, 0, 0, ...turn), 0, start[0], start[1], start[2], scratch, 0);
    const end = to.map((value, axis) => value + scratch[axis]);
    expect(sweepContact(set, 0, start, end, 0, 2 * height, 0, 1, contact)).toBe(true);
    for (let c = 0; c < 3; c++)
      expect(contact.surfaceDisplacement[c] + height * contact.normalChange[c]).toBeCloseTo(end[c] - start[c], 12);
  });

  it("does not lift a point that slides on a ball off it", () => {
    const set = resting({ type: "sphere", radius: 0.3 });
    let p = [0, 0.3 + THICKNESS, 0];
    for (let n = 0; n < 200; n++) {
      const end = [p[0] + 0.004, p[1] - 0.001, p[2]];
      p = resolve(set, p, end);
      // If the ball falls away more steeply than the step, the point leaves it.
      if (p[0] < 0.06) expect(Math.hypot(...p)).toBeCloseTo(0.3 + THICKNESS, 12);
    }
  });

  it("stops a particle at 10 m/s at a plate of 1 cm, from any height within a frame", () => {
    const set = resting({ type: "box", halfExtents: [1, 0.005, 1] });
    for (let n = 0; n < 100; n++) {
      const start = [0.3, THICKNESS + 0.005 + (n / 100) * 0.16, -0.2];
      const q = resolve(set, start, [0.3, start[1] - 10 / 60, -0.2]);
      if (start[1] - 10 / 60 < 0.01) expect(q[1]).toBeCloseTo(0.01, 12);
      expect(q[0]).toBeCloseTo(0.3, 12);
    }
  });

  it("stops a point that goes down just past an edge where the ball about it meets the edge", () => {
    const [half, random] = [0.2, new RandomGeometry(5)];
    const corners = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [half * x, half * y, half * z])));
    const shapes: ColliderShape[] = [
      { type: "box", halfExtents: [half, half, half] },
      { type: "convex-hull", positions: corners.flat() },
    ];
    for (const shape of shapes)
      for (let n = 0; n < 100; n++) {
        const turn = random.rotation();
        const place = (x: number, y: number): number[] => {
          rotate(Float64Array.of(0, 0, 0, ...turn), 0, half + x, half + y, 0.01, scratch, 0);
          return Array.from(scratch);
        };
        // a hair to most of the thickness past the edge, from above it to a little or far below it
        const past = THICKNESS * Math.min(0.95, 10 ** random.between(-6, 0));
        const height = Math.sqrt(THICKNESS ** 2 - past ** 2);
        const depth = THICKNESS * 10 ** random.between(-1, 1);
        const q = resolve(resting(shape, [0, 0, 0], turn), place(past, THICKNESS * 1.01), place(past, height - depth));
        const normal = place(past - half, height - half);
        rotate(Float64Array.of(0, 0, 0, ...turn), 0, 0, 0, 0.01, scratch, 0);
        const along = normal.map((value, c) => (value - scratch[c]) / THICKNESS);
        const found = along.reduce((sum, value, c) => sum + value * contact.normal[c], 0);
        expect(found).toBeGreaterThan(0.8);
        expect(distanceAt(resting(shape, [0, 0, 0], turn), q, 1)).toBeGreaterThan(0.99 * THICKNESS);
      }
  });

  it("stops a particle that starts within the thickness, or a hair inside, on its own side", () => {
    const set = resting({ type: "box", halfExtents: [1, 0.005, 1] });
    for (const height of [0.0099, 0.0051, 0.005, 0.0049, 0.002]) {
      expect(resolve(set, [0, height, 0], [0.02, height - 0.1, 0])[1]).toBeCloseTo(0.01, 12);
      expect(resolve(set, [0, -height, 0], [0.02, -height + 0.1, 0])[1]).toBeCloseTo(-0.01, 12);
      // The contact lets the point leave.
      const away = [0.02, height + 0.1, 0];
      expect(resolve(set, [0, height, 0], away)).toEqual(away);
    }
  });

  it("is pushed by a ball of 0.2 m that comes through at 20 m/s", () => {
    const geometry = new RandomGeometry(1);
    const speed = 20 / 60;
    for (let n = 0; n < 400; n++) {
      const p = [geometry.between(-0.13, 0.13), geometry.between(-0.13, 0.13), 0];
      const z = geometry.between(-0.8, -0.21);
      const to = z + 0.41 + speed;
      const set = moving({ type: "sphere", radius: 0.2 }, [0, 0, z], [0, 0, to]);
      const q = resolve(set, p, p);
      // The place on the ball where it first meets the particle, seen from its middle.
      const normal = [p[0] / 0.2, p[1] / 0.2, Math.sqrt(0.04 - p[0] ** 2 - p[1] ** 2) / 0.2];
      if (to + 0.2 * normal[2] < 0) continue;
      const local = [q[0], q[1], q[2] - to];
      expect(distanceAt(set, q, 1)).toBeGreaterThan(THICKNESS * (1 - 1e-9));
      const ahead = local.reduce((sum, value, axis) => sum + value * normal[axis], 0);
      // It leaves by the shortest way if that is within 45° of the way in, else ahead of the ball.
      expect(ahead).toBeGreaterThan(0.7 * 0.2);
    }
  });

  it.each(Object.keys(SHAPES) as (keyof typeof PrimitiveKind)[])(
    "leaves no particle inside a %s, however fast",
    (kind) => {
      const set = resting(SHAPES[kind], [0.1, 0.2, 0.3], rotationAround([0.6, 0, 0.8], 0.7));
      const geometry = new RandomGeometry(2);
      // A hull's, heightfield's and grid's distances are bounds or interpolated, so it takes some iterations.
      const isExact = ["sphere", "box", "capsule", "cylinder"].includes(kind);
      for (let n = 0; n < 2000; n++) {
        const start = geometry.vector(1.5);
        const end = geometry.vector(1.5);
        if (distanceAt(set, start, 0) <= 0) continue;
        let q = resolve(set, start, end);
        if (!isExact) for (let iteration = 1; iteration < 4; iteration++) q = resolve(set, start, q);
        expect(distanceAt(set, q, 1)).toBeGreaterThan(isExact ? THICKNESS * (1 - 1e-9) : 0);
      }
    },
  );

  it.each(["box", "cylinder"] as const)("lets no particle through a thin %s that shifts and turns", (kind) => {
    const geometry = new RandomGeometry(3);
    const half = 0.005;
    const shape: ColliderShape =
      kind === "box"
        ? { type: "box", halfExtents: [2, half, 2] }
        : { type: "cylinder", pointA: [0, -half, 0], pointB: [0, half, 0], radius: 2 };
    let crossings = 0;
    for (let n = 0; n < 1500; n++) {
      const axis = geometry.direction();
      const from = geometry.rotation();
      const by = rotationAround(axis, geometry.between(-0.3, 0.3));
      const set = moving(shape, geometry.vector(0.2), geometry.vector(0.2), from, multiply(by, from));
      const [f0, f1] = n % 2 ? [0, 1] : [0.3, 0.4];
      const start = geometry.vector(0.5);
      const end = geometry.vector(0.5);
      const before = toLocal(set, start, f0)[1];
      if (Math.abs(before) < 1e-4) continue;
      if (Math.sign(toLocal(set, end, f1)[1]) !== Math.sign(before)) crossings++;
      const q = toLocal(set, resolve(set, start, end, f0, f1), f1);
      expect(Math.sign(q[1])).toBe(Math.sign(before));
      expect(Math.abs(q[1])).toBeGreaterThan(half + THICKNESS * 0.999);
    }
    expect(crossings).toBeGreaterThan(300);
  });

  it("lets nothing through a plate that is thinner than any step of the path", () => {
    const random = new RandomGeometry(5);
    for (let n = 0; n < 500; n++) {
      const depth = 10 ** random.between(-9, -3);
      const set = resting({ type: "box", halfExtents: [1, depth, 1] });
      const above = random.between(-1, 1) < 0 ? -1 : 1;
      const at = (height: number): number[] => [random.between(-0.5, 0.5), above * height, random.between(-0.5, 0.5)];
      const [start, end] = [at(0.5 * random.between(0, 1) + 2 * depth), at(-0.5 * random.between(0, 1) - 2 * depth)];
      const [, y] = resolve(set, start, end);
      expect(above * y, `plate of ${depth} m`).toBeGreaterThan(depth + 0.99 * THICKNESS);
    }
  });

  it("brings a particle that starts deep inside out by the shortest way", () => {
    const set = resting({ type: "box", halfExtents: [0.5, 0.4, 0.3] });
    expect(resolve(set, [0.1, 0.1, 0.2], [0.1, 0.1, 0.21])[2]).toBeCloseTo(0.305, 12);
    const ball = resting({ type: "sphere", radius: 0.5 });
    const q = resolve(ball, [0, 0.3, 0], [0.05, 0.3, 0]);
    expect(Math.hypot(...q)).toBeCloseTo(0.505, 12);
  });

  it("does not hold a particle that only passes by", () => {
    const set = resting({ type: "box", halfExtents: [0.5, 0.05, 0.5] });
    // Past the edge, down along the side.
    const end = [0.52, -0.2, 0];
    expect(resolve(set, [0.52, 0.2, 0], end)).toEqual(end);
    // Fast along the top, at the thickness.
    expect(resolve(set, [-0.4, 0.055, 0], [0.4, 0.055, 0])).toEqual([0.4, 0.055, 0]);
  });

  it("tells how the surface moves: along, and around", () => {
    const shift: Vec3 = [0.1, 0, 0.05];
    const table = moving({ type: "box", halfExtents: [5, 0.1, 5] }, [0, 0, 0], shift);
    resolve(table, [1, 0.103, 2], [1, 0.103, 2], 0.25, 0.5);
    shift.forEach((value, i) => expect(contact.surfaceDisplacement[i]).toBeCloseTo(value * 0.25, 12));

    const angle = 0.02;
    const around = rotationAround([0, 1, 0], angle);
    const turntable = moving(
      { type: "cylinder", pointA: [0, -0.1, 0], pointB: [0, 0.1, 0], radius: 3 },
      [0, 0, 0],
      [0, 0, 0],
      [0, 0, 0, 1],
      around,
    );
    const p = [2, 0.104, 1];
    resolve(turntable, p, p, 0, 1);
    const pose = new Float64Array(POSE);
    pose.set(around, 3);
    rotateBack(pose, 0, p[0], p[1], p[2], scratch, 0);
    const origin = Array.from(scratch);
    rotate(pose, 0, origin[0], origin[1], origin[2], scratch, 0);
    // The material point that is at p at the end was at `origin` at the start.
    const moved = p.map((value, i) => value - origin[i]);
    moved.forEach((value, i) => expect(contact.surfaceDisplacement[i]).toBeCloseTo(value, 9));
  });

  it("takes points that are not finite without hanging, and disabled obstacles as absent", () => {
    const set = new ColliderSet();
    const id = set.add({ type: "sphere", radius: 1 });
    set.update();
    for (const bad of [Number.NaN, Infinity, -Infinity]) {
      sweepContact(set, 0, [0, 2, 0], [bad, 0, 0], 0, THICKNESS, 0, 1, contact);
      sweepContact(set, 0, [bad, 2, bad], [0, 0, 0], 0, THICKNESS, 0, 1, contact);
    }
    set.setEnabled(id, false);
    set.update();
    expect(sweepContact(set, 0, [0, 2, 0], [0, 0, 0], 0, THICKNESS, 0, 1, contact)).toBe(false);
  });
});

/** Quaternion product: first b, then a. */
function multiply(a: Quat, b: Quat): Quat {
  const [x, y, z, w] = a;
  return [
    w * b[0] + x * b[3] + y * b[2] - z * b[1],
    w * b[1] - x * b[2] + y * b[3] + z * b[0],
    w * b[2] + x * b[1] - y * b[0] + z * b[3],
    w * b[3] - x * b[0] - y * b[1] - z * b[2],
  ];
}
