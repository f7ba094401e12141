import { afterEach, describe, expect, it, vi } from "vitest";
import { clearance } from "../../../../src/collision/contact/clearance";
import { ColliderSet, type ColliderState } from "../../../../src/collision/obstacles/collider-set";
import type { ColliderShape } from "../../../../src/collision/shape/shape";
import { Waits } from "../../../../src/solvers/gpbd/cpu/waits";
import { ObstacleWays } from "../../../../src/solvers/gpbd/obstacle-ways";
import { SimdContacts } from "../../../../src/solvers/gpbd/simd/simd-contacts";
import { gridCloth } from "../../../world/cloths";
import { Subject } from "./subjects";

/** Corners and triangles of a box, counter-clockwise from outside. */
const corners = [0, 1, 2, 3, 4, 5, 6, 7].flatMap((k) => [k & 1 ? 0.12 : -0.12, k & 2 ? 0 : -0.03, k & 4 ? 0.1 : -0.1]);
const sides = [
  0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
];
const hills = Array.from({ length: 121 }, (_, k) => 0.02 * Math.sin(k % 11) * Math.cos(Math.floor(k / 11)) - 0.02);

const shapes: readonly (readonly [string, ColliderShape])[] = [
  ["mesh", { type: "mesh", positions: corners, indices: sides, resolution: 20 }],
  ["convex hull", { type: "convex-hull", positions: corners }],
  ["cylinder", { type: "cylinder", pointA: [0, -0.04, 0], pointB: [0, 0, 0], radius: 0.12 }],
  ["height field", { type: "heightfield", sizeX: 0.5, sizeZ: 0.5, samplesX: 11, samplesZ: 11, heights: hills }],
];

afterEach(() => void vi.restoreAllMocks());

describe("particles and faces that wait until they may touch", () => {
  const fall = async (shape: ColliderShape, isTurning: boolean, speed = 0.3): Promise<Float64Array[]> => {
    const cloth = gridCloth({ width: 0.4, height: 0.3, columns: 7, rows: 6 });
    const state: ColliderState = { position: [0.2, -0.03, 0.15] };
    const subjects = await Subject.pair(cloth, {
      obstacles: [[shape, state]],
      options: { substeps: 8 },
      shaken: [0, speed],
    });
    for (const subject of subjects)
      for (let frame = 1; frame <= 15; frame++) {
        const angle = isTurning ? 0.03 * frame : 0;
        const place = [0.2, -0.03 + angle / 10, 0.15] as const;
        if (isTurning) subject.colliders.setPose(subject.ids[0], place, [0, Math.sin(angle), 0, Math.cos(angle)]);
        subject.step();
      }
    return subjects.map(({ solver }) => solver.state.positions.slice());
  };

  it.each(shapes.flatMap(([name, shape]) => [false, true].map((isTurning) => ({ name, shape, isTurning }))))(
    "move as if all were tested in every substep: $name, turning $isTurning",
    async ({ name, shape, isTurning }) => {
      const tests = vi.spyOn(SimdContacts.prototype, "letWait");
      const some = await fall(shape, isTurning);
      const count = tests.mock.calls.length;
      expect(count).toBeGreaterThan(0);
      vi.spyOn(ObstacleWays.prototype, "largest").mockReturnValue(Infinity);
      tests.mockClear();
      expect(await fall(shape, isTurning)).toEqual(some);
      // The few faces that come to the mesh touch it from then on.
      expect(tests.mock.calls.length).toBeGreaterThan(name === "mesh" ? count - 1 : count);
    },
  );

  it.each([0.1, 0.2, 0.5])("do so over hollows, shaken by %f m/s", async (speed) => {
    const [, shape] = shapes.find(([name]) => name === "height field")!;
    const some = await fall(shape, false, speed);
    vi.spyOn(ObstacleWays.prototype, "largest").mockReturnValue(Infinity);
    expect(await fall(shape, false, speed)).toEqual(some);
  });

  it("wait for as long as the way that a test has found, by themselves or with an obstacle", () => {
    const colliders = new ColliderSet();
    const id = colliders.add({ type: "sphere", radius: 0.5 }, { position: [0, -0.7, 0] });
    colliders.setPose(id, [0, -0.5, 0]);
    colliders.update();
    const waits = new Waits(3, Uint32Array.of(0, 1, 2));
    const x = Float64Array.of(0, 0, 0, 5, 0, 0, 0, 0, 5);
    const moveTo = (substep: number, height: number): void => {
      const start = x.slice();
      x[1] = height;
      waits.move(colliders, x, start, substep, 1, 0.01);
    };
    waits.beginFrame(colliders, x);
    expect([waits.isWaiting(0), waits.isFaceWaiting(0)]).toEqual([false, false]);
    waits.move(colliders, x, x, 0, 0, 0.01);
    clearance.left = 0.25;
    waits.note(0, x, x);
    waits.noteFace(0, x, x);
    expect([waits.isWaiting(0), waits.isWaiting(1), waits.isFaceWaiting(0)]).toEqual([true, false, true]);
    moveTo(0, 0.04);
    expect([waits.isWaiting(0), waits.isFaceWaiting(0)]).toEqual([true, true]);
    // The sphere comes nearer by 0.2 m.
    moveTo(1, 0);
    expect([waits.isWaiting(0), waits.isFaceWaiting(0)]).toEqual([false, false]);
    const far = x.map((value) => value - 1);
    waits.note(0, x, far);
    expect(waits.isWaiting(0)).toBe(false);
  });
});
