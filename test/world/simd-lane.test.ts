import { describe, expect, it } from "vitest";
import { icosphereMesh } from "../../src/geometry/icosphere";
import { gpbdCloth } from "../../src/models/gpbd/cloth";
import type { DeformableBody } from "../../src/world/body";
import type { World } from "../../src/world/world";
import { gridCloth, largestDifference, verticesWhere } from "./cloths";
import { frameTime, inWorld, run } from "./worlds";

const sheet = gridCloth({ width: 0.8, height: 0.6, columns: 19, rows: 15, center: [0, 0.31, 0] });
const corner = verticesWhere(sheet.positions, (x, _y, z) => x < -0.39 && z < -0.29);

/** A cloth that falls on a ball and a moving box, while it is held at a corner and blown at. */
function build(world: World) {
  world.addCollider({ type: "sphere", radius: 0.3 });
  const plate = world.addCollider({ type: "box", halfExtents: [0.2, 0.05, 0.2] }, { position: [0.35, 0.1, 0] });
  const body = world.addBody(sheet, { pins: corner, substeps: 9, wind: [1, 0, 2] });
  return { body, plate, move: (frame: number) => plate.setPose([0.35, 0.1 + 0.002 * frame, 0]) };
}

async function stateOf(world: World): Promise<string> {
  const numbers: number[] = [];
  for (const body of world.bodies) {
    const { positions, velocities } = await body.readState();
    numbers.push(...positions, ...velocities);
  }
  const bytes = new DataView(new ArrayBuffer(8 * numbers.length));
  numbers.forEach((value, k) => bytes.setFloat64(8 * k, value, true));
  const digest = new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", bytes.buffer));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

describe("cloth in f32 on the CPU", () => {
  it("ends in the pinned bits, as WebAssembly is the same on every machine", () =>
    inWorld("cpu", {}, async (world) => {
      const { body, move } = build(world);
      run(world, 40, move);
      expect(body.lane).toBe("simd");
      expect(await stateOf(world)).toBe("ba9e3f51fa33868d7708d5cee7be2d69237f629e63d54f44aadaee3f621161a0");
    }));

  it("goes on from a snapshot with the same bits", () =>
    inWorld("cpu", {}, (first) =>
      inWorld("cpu", {}, async (second) => {
        const [a, b] = [build(first), build(second)];
        run(first, 12, a.move);
        const snapshot = structuredClone(await first.snapshot());
        second.restore(snapshot);
        for (const { move } of [a, b]) run(move === a.move ? first : second, 15, (frame) => move(12 + frame));
        expect(await stateOf(second)).toBe(await stateOf(first));
        expect(a.body.lane).toBe("simd");
      }),
    ));

  it("is for backend cpu alone, and goes to f64 and back where options ask for it", async () => {
    await inWorld("reference", {}, async (world) => {
      expect(world.backend).toBe("reference");
      const { body } = build(world);
      run(world, 2);
      expect(body.lane).toBe("cpu");
    });
    await inWorld("cpu", {}, async (world) => {
      const { body } = build(world);
      for (const [options, lane] of [
        [{}, "simd"],
        [{ selfCollision: true }, "simd"],
        [{ selfCollision: false }, "simd"],
        [{ method: "jacobi" }, "cpu"],
        [{ method: "hybrid", iterations: 2 }, "cpu"],
        [{ iterations: 1 }, "simd"],
      ] as const) {
        body.setOptions(options);
        run(world, 2);
        expect(body.lane, JSON.stringify(options)).toBe(lane);
      }
      body.replaceModel(
        gridCloth(
          { width: 0.8, height: 0.6, columns: 19, rows: 15, center: [0, 0.31, 0] },
          { membrane: "neo-hookean" },
        ),
      );
      run(world, 2);
      expect(body.lane).toBe("cpu");
      body.replaceModel(sheet);
      run(world, 2);
      expect(body.lane).toBe("simd");
    });
  });

  it("is held by tethers as in f64", async () => {
    const model = gridCloth({ width: 0.8, height: 0.8, columns: 32, rows: 32, plane: "xy" });
    const held = verticesWhere(model.positions, (x, y) => y > 0.39 && Math.abs(x) > 0.39);
    const hang = (backend: "cpu" | "reference", tethers: boolean) =>
      inWorld(backend, {}, async (world) => {
        const body = world.addBody(model, { pins: held, tethers, substeps: 6 });
        run(world, 30);
        return { lane: body.lane, lowest: Math.min(...(await body.readPositions()).filter((_, i) => i % 3 === 1)) };
      });
    const [fast, exact, free] = [await hang("cpu", true), await hang("reference", true), await hang("cpu", false)];
    expect([fast.lane, exact.lane, free.lane]).toEqual(["simd", "cpu", "simd"]);
    expect(Math.abs(fast.lowest - exact.lowest)).toBeLessThan(1e-3);
    expect(free.lowest).toBeLessThan(fast.lowest - 0.01);
  });

  it("pushes rigid bodies, and is pushed by them, as in f64", async () => {
    const fall = (backend: "cpu" | "reference") =>
      inWorld(backend, {}, async (world) => {
        const model = gridCloth({ width: 1, height: 1, columns: 15, rows: 15 }, { fabric: "rubber-sheet" });
        const edge = verticesWhere(model.positions, (x, _y, z) => Math.max(Math.abs(x), Math.abs(z)) > 0.49);
        const body = world.addBody(model, { pins: edge, substeps: 12 });
        const bodies = [
          world.rigid.addBody({ shape: { type: "sphere", radius: 0.12 }, mass: 0.5, position: [0.05, 0.3, 0.02] }),
          world.rigid.addBody({
            shape: { type: "box", halfExtents: [0.06, 0.05, 0.07] },
            mass: 0.2,
            position: [-0.2, 0.25, 0.1],
          }),
        ];
        const heights: number[][] = [];
        for (let frame = 0; frame < 40; frame++) {
          world.step(frameTime);
          heights.push(bodies.map(({ position }) => position[1]));
        }
        return { lane: body.lane, heights, positions: (await body.readState()).positions };
      });
    const [fast, exact] = [await fall("cpu"), await fall("reference")];
    expect([fast.lane, exact.lane]).toEqual(["simd", "cpu"]);
    expect(Math.min(...exact.heights.flat())).toBeLessThan(0.05);
    // before they touch each other; later rounding decides on which side the box lands
    expect(largestDifference(fast.heights.slice(0, 22).flat(), exact.heights.slice(0, 22).flat())).toBeLessThan(1e-3);
    expect(largestDifference(fast.heights.flat(), exact.heights.flat())).toBeLessThan(2e-2);
  });
});

describe("elements in f32 in frames that have other parts for f64", () => {
  const ball = icosphereMesh({ radius: 0.15, subdivisions: 2, center: [0, 0.16, 0] });
  const balloon = gpbdCloth({ ...ball, fabric: "rubber-sheet" });
  const ground = (world: World) => world.addCollider({ type: "box", halfExtents: [2, 1, 2] }, { position: [0, -1, 0] });
  const over = gridCloth({ width: 0.7, height: 0.7, columns: 13, rows: 13, center: [0.05, 0.318, 0.03] });
  const cases: Record<string, (world: World) => DeformableBody> = {
    "cloth that touches itself": (world) => world.addBody(sheet, { selfCollision: true, pins: corner, substeps: 8 }),
    "cloth on another one": (world) => {
      world.addBody(over, { substeps: 8 });
      return world.addBody(sheet, { pins: corner, substeps: 8 });
    },
    "a balloon": (world) => world.addBody(balloon, { pressure: 300, substeps: 20, bodyCollision: false }),
    "cloth with pins that give": (world) => {
      const body = world.addBody(sheet, { pins: corner, substeps: 8 });
      body.limitPins(corner, 0.5);
      return body;
    },
  };

  it.each(Object.entries(cases))("serve %s, within f32 of the reference in each frame", async (_name, make) => {
    await inWorld("cpu", {}, (first) =>
      inWorld("reference", {}, async (second) => {
        const [fast, exact] = [make(first), make(second)];
        for (const world of [first, second]) ground(world);
        for (let frame = 0; frame < 12; frame++) {
          for (const [k, body] of second.bodies.entries()) await copyState(body, first.bodies[k]);
          for (const world of [first, second]) world.step(frameTime);
          expect([fast.lane, exact.lane]).toEqual(["simd", "cpu"]);
          const [a, b] = [await fast.readState(), await exact.readState()];
          expect(largestDifference(a.positions, b.positions)).toBeLessThan(2e-5);
          for (const p of corner)
            if (fast.isPinned(p))
              expect(a.positions.slice(3 * p, 3 * p + 3)).toEqual(b.positions.slice(3 * p, 3 * p + 3));
        }
      }),
    );
  });
});

async function copyState(from: DeformableBody, to: DeformableBody): Promise<void> {
  to.writeState(await from.readState());
}
