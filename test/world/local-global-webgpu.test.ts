import type { SolidLaw } from "../../src/materials/solid-material";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { boxTetrahedra, solidModel, type Vec3 } from "../../src/index";
import { GpuLocalGlobalGroup } from "../../src/solvers/local-global/gpu/gpu-group";
import type { BodyState } from "../../src/solvers/deformable";
import { expectWithin } from "../figures";
import { ownContext } from "../gpu/context";
import { backends, frameTime, inWorld, sharedDevice, type BackendName } from "./worlds";

function block(center: Vec3, model: SolidLaw = "stable-neo-hookean", youngsModulus = 1e5) {
  const material = { youngsModulus, poissonRatio: 0.4, density: 1000, model } as const;
  return solidModel({
    solver: "local-global",
    ...boxTetrahedra({ size: [0.2, 0.2, 0.2], cells: [2, 2, 2], center }),
    material,
  });
}

/** Rotating about z and sheared, so that the solver has work. */
function stirred(positions: ArrayLike<number>): BodyState {
  const x = Float64Array.from(positions);
  const velocities = new Float64Array(x.length);
  for (let i = 0; i < x.length; i += 3) {
    velocities[i] = -4 * x[i + 1] + 1;
    velocities[i + 1] = 4 * x[i];
    x[i] = x[i] + 0.1 * x[i + 1];
  }
  return { positions: x, velocities };
}

function largest(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
}

beforeAll(async () => {
  await sharedDevice();
  // a device with no room for contact
  vi.spyOn(GpuLocalGlobalGroup.prototype, "hasRoom").mockReturnValue(false);
});
afterAll(() => void vi.restoreAllMocks());

/** Three bodies: one is removed and another added, and the pins and the time step change. */
async function comingAndGoing(backend: BackendName): Promise<readonly BodyState[]> {
  return inWorld(backend, {}, async (world) => {
    const apart = { bodyCollision: false };
    const first = world.addBody(block([0, 0, 0], "neo-hookean"), apart);
    const second = world.addBody(block([1, 0, 0], "arap", 1e6), { ...apart, damping: 1 });
    const third = world.addBody(block([2, 0, 0]), { ...apart, gravityFactor: 0 });
    third.writeState(stirred(third.model.positions));
    third.pin([0]);
    for (let frame = 0; frame < 6; frame++) world.step(frameTime);
    first.dispose();
    second.pin([0, 1, 2]);
    for (let frame = 0; frame < 3; frame++) {
      third.setPinTarget(0, 1.9 + 0.01 * frame, -0.1, -0.1);
      world.step(frameTime);
    }
    const fourth = world.addBody(block([0, 1, 0], "corotational", 1e7), apart);
    fourth.writeState(stirred(fourth.model.positions));
    third.unpin();
    for (let frame = 0; frame < 4; frame++) world.step(frameTime / 2);
    return Promise.all([second, third, fourth].map((body) => body.readState()));
  });
}

describe("local-global bodies on the GPU", () => {
  it("come and go, are held and let go, as those on the CPU", { timeout: 60_000 }, async () => {
    const [reference, found] = [await comingAndGoing("cpu"), await comingAndGoing("webgpu")];
    reference.forEach(({ positions, velocities }, b) => {
      expectWithin("positions [m]", largest(found[b].positions, positions), 1e-5);
      expectWithin("velocities [m/s]", largest(found[b].velocities, velocities), 1e-3);
    });
  });

  it.each(backends)("hang lower by compliance times force from pins that give, which may move: %s", async (backend) => {
    await inWorld(backend, {}, async (world) => {
      const body = world.addBody(block([0, 0, 0]), { damping: 15 });
      const { positions: x, masses } = body.model;
      const top = [...masses.keys()].filter((i) => x[3 * i + 1] > 0.099);
      const compliance = 1e-3;
      body.pin(top, { compliance });
      for (let frame = 0; frame < 50; frame++) {
        if (frame === 5) for (const i of top) body.setPinTarget(i, x[3 * i] + 0.02, x[3 * i + 1], x[3 * i + 2]);
        world.step(frameTime);
      }
      const { positions } = await body.readState();
      const moved = [0, 1, 2].map(
        (c) => top.reduce((sum, i) => sum + positions[3 * i + c] - x[3 * i + c], 0) / top.length,
      );
      const force = (9.81 * masses.reduce((sum, mass) => sum + mass, 0)) / top.length;
      expectWithin("sag, part of compliance × force", Math.abs(moved[1] / (-compliance * force) - 1), 1e-3);
      expectWithin("way of the pins, part", Math.abs(moved[0] / 0.02 - 1), 2e-3);
      expect(Math.abs(moved[2])).toBeLessThan(1e-4);
      // exactly again
      body.pin(top);
      world.step(frameTime);
      const held = (await body.readState()).positions;
      for (const i of top) expect(held[3 * i + 1]).toBeCloseTo(x[3 * i + 1], 6);
    });
  });

  it(
    "go to the CPU when the device does not hold what they touch, with their stress, and back",
    { timeout: 60_000 },
    async () => {
      const states: BodyState[] = [];
      for (const backend of backends)
        await inWorld(backend, {}, async (world) => {
          const body = world.addBody(block([0, 0.4, 0], "neo-hookean", 2e4), { damping: 10 });
          const step = async (frames: number): Promise<void> => {
            for (let frame = 0; frame < frames; frame++) {
              world.step(frameTime);
              await world.settled();
            }
          };
          const { positions: x } = body.model;
          body.pin([...body.model.masses.keys()].filter((i) => x[3 * i] < -0.09));
          await step(10);
          expect(body.lane).toBe(backend);
          // far away: only the solver's device changes
          const floor = world.addCollider({ type: "box", halfExtents: [2, 0.5, 2] }, { position: [0, -5, 0] });
          await step(8);
          expect(body.lane).toBe("cpu");
          const hanging = await body.readState();
          floor.dispose();
          await step(5);
          expect(body.lane).toBe(backend);
          states.push(hanging, await body.readState());
          // or on request
          body.setOptions({ lane: "cpu" });
          await step(3);
          expect(body.lane).toBe("cpu");
        });
      // A frame or two are lost on the way to the CPU, in which the body stands still instead of moving at 0.1 m/s. Without its stress it
      // would fall.
      expectWithin("hanging [m]", largest(states[0].positions, states[2].positions), 5e-3);
      expectWithin("hanging again [m]", largest(states[1].positions, states[3].positions), 5e-3);
    },
  );

  it("are frozen when they turn non-finite, and the others go on", async () => {
    await inWorld("webgpu", {}, async (world) => {
      const broken = world.addBody(block([0, 0, 0]), { bodyCollision: false });
      const sound = world.addBody(block([1, 0, 0]), { bodyCollision: false });
      const start = broken.model.positions;
      world.step(frameTime);
      broken.writeState({ positions: start, velocities: start.map((_, i) => (i % 2 === 0 ? 3e38 : -3e38)) });
      world.step(frameTime);
      world.step(frameTime);
      const frozen = await world.frozenBodies();
      expect(frozen.size).toBe(1);
      expect(frozen.get(broken)).toBe(2);
      const { positions, velocities } = await broken.readState();
      expect(largest(positions, start)).toBeLessThan(1e-6);
      expect(Math.max(...velocities)).toBe(0);
      const fallen = await sound.readPositions();
      expect(sound.model.positions[1] - fallen[1]).toBeGreaterThan(5 * 9.81 * frameTime ** 2);
      broken.writeState({ positions: start });
      world.step(frameTime);
      expect((await world.frozenBodies()).size).toBe(0);
      expect((await broken.readPositions())[1]).toBeLessThan(start[1] - 1e-3);
    });
  });

  it("go on from their last snapshot with the same bits, and on another device", async () => {
    await inWorld("webgpu", {}, async (world) => {
      const body = world.addBody(block([0, 0, 0]));
      body.writeState(stirred(body.model.positions));
      for (let frame = 0; frame < 3; frame++) world.step(frameTime);
      const snapshot = await world.snapshot();
      world.step(frameTime);
      // with the stress of that time
      const onwards = await body.readPositions();
      world.restore(snapshot);
      world.step(frameTime);
      expect(await body.readPositions()).toEqual(onwards);
      const next = await ownContext();
      world.replaceDevice(next.device);
      expect(largest(await body.readPositions(), snapshot.bodies[0].positions)).toBe(0);
      world.step(frameTime);
      const found = await body.readPositions();
      expect(largest(found, onwards)).toBeLessThan(0.02);
      expect(largest(found, snapshot.bodies[0].positions)).toBeGreaterThan(1e-3);
      next.device.destroy();
    });
  });
});
