import { describe, expect, it } from "vitest";
import { clothModel, gridMesh } from "../../../src/index";
import { packSnapshot, unpackSnapshot } from "../../../src/world/snapshot-bytes";
import { expectWithin } from "../../figures";
import { allBackends, createWorld, frameTime, inWorld, run } from "../worlds";
import { buildScene, cubeModel, isQuiet, placesOf, sleepingScene } from "./scene";

describe("a sleeping scene", () => {
  it("stands still, wakes without a jolt, and keeps what was known of it", async () => {
    const scene = await sleepingScene("gpbd");
    const { world, cube, box, ball, rope, tie } = scene;
    expect(isQuiet(scene)).toBe(true);
    const [before, force] = [await placesOf(scene), tie.force];
    expect(force).toBeGreaterThan(0.5 * 9.81 * 0.9);
    run(world, 20);
    expect(await placesOf(scene)).toEqual(before);
    expect(tie.force).toBe(force);
    expect((await cube.readVelocities()).every((value) => value === 0)).toBe(true);
    expect([box, ball].map((body) => body.linearVelocity)).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ]);
    const { min, max } = cube.conservativeBounds();
    expect(max[1] - min[1]).toBeLessThan(0.6);
    box.wake();
    rope.wake();
    expect([cube.isAsleep, rope.isAsleep, ball.isAsleep]).toEqual([false, false, false]);
    run(world, 4);
    const after = await placesOf(scene);
    for (const name of ["cube", "box", "rope", "ball"])
      expectWithin(
        `${name} after it woke [m]`,
        Math.max(...after[name]!.map((value, i) => Math.abs(value - before[name]![i]!))),
        3e-4,
      );
    world.dispose();
  });

  it.each(["gpbd", "newton"] as const)(
    "goes on from a snapshot with the same bits, asleep and before: %s",
    async (solver) => {
      const build = async () => {
        const world = await createWorld("cpu");
        world.addCollider({ type: "box", halfExtents: [9, 1, 9] }, { position: [0, -1, 0] });
        return { world, cube: world.addBody(cubeModel(solver, 0.4, [0, 0.205, 0], 1), { damping: 9 }) };
      };
      const [first, second] = [await build(), await build()];
      for (let frame = 0; frame < 150; frame++) {
        if (frame % 10 === 9) second.world.restore(unpackSnapshot(packSnapshot(await second.world.snapshot())));
        for (const { world } of [first, second]) world.step(frameTime);
        expect(second.cube.isAsleep, `frame ${frame}`).toBe(first.cube.isAsleep);
      }
      expect(first.cube.isAsleep).toBe(true);
      for (const { cube } of [first, second]) cube.wake();
      for (const { world } of [first, second]) run(world, 2);
      expect(await second.cube.readState()).toEqual(await first.cube.readState());
      for (const { world } of [first, second]) world.dispose();
    },
  );

  it("wakes where it is restored at another place", async () => {
    const scene = await sleepingScene("newton");
    const snapshot = await scene.world.snapshot();
    scene.world.dispose();
    const world = await createWorld("cpu");
    const other = buildScene(world, "newton");
    other.shelf.dispose();
    await world.whenReadyAsync();
    world.restore(snapshot);
    expect([other.cloth.isAsleep, other.cube.isAsleep, other.box.isAsleep]).toEqual([false, true, true]);
    world.dispose();
  });
});

describe.each(allBackends.filter((backend) => backend !== "webgpu"))("on %s", (backend) => {
  const flat = () => clothModel({ ...gridMesh({ width: 1, height: 1, columns: 4, rows: 4 }), fabric: "cotton" });

  it("a body stays awake if it may not sleep, moves, or creeps", () =>
    inWorld(backend, {}, async (world) => {
      world.addCollider({ type: "box", halfExtents: [9, 1, 9] }, { position: [0, -1.01, 0] });
      const sleepless = world.addBody(flat(), { canSleep: false });
      // A fifth of a millimeter a frame: half of what it may move in half a second.
      const led = world.addBody(flat(), { pins: [0, 4] });
      led.writeState({ positions: led.model.positions.map((x, i) => (i % 3 === 0 ? x + 4 : x)) });
      run(world, 60, (frame) => {
        for (const p of [0, 4])
          led.setPinTarget(p, 4 + led.model.positions[3 * p] + 2e-4 * frame, 0, led.model.positions[3 * p + 2]);
      });
      expect([sleepless.isAsleep, led.isAsleep]).toEqual([false, false]);
      sleepless.canSleep = true;
      run(world, 40);
      expect([sleepless.isAsleep, led.isAsleep]).toEqual([true, true]);
      led.setPinTarget(0, ...led.pinTarget(0));
      led.setWind(0, 0, 0);
      run(world, 1);
      expect(led.isAsleep).toBe(true);
      led.setWind(0, 0, 1);
      run(world, 1);
      expect([led.isAsleep, sleepless.isAsleep]).toEqual([false, true]);
    }));

  it("a body without weight drifts on", () =>
    inWorld(backend, { gravity: [0, 0, 0] }, async (world) => {
      const cube = world.addBody(cubeModel("gpbd", 1, [0, 0, 0], 1));
      const { positions } = cube.model;
      cube.writeState({ positions, velocities: positions.map((_, i) => (i % 3 === 0 ? 1e-4 : 0)) });
      run(world, 60);
      expect(cube.isAsleep).toBe(false);
      expect((await cube.readState()).positions[0] - positions[0]).toBeGreaterThan(0.9e-4);
    }));
});

/** A slope of 20 degrees, which the floor reaches while gravity turns, is steeper than friction bears by a thousandth. */
it("a body does not fall asleep while gravity turns, and slides", () =>
  inWorld("cpu", {}, async (world) => {
    const friction = Math.tan(Math.PI / 9) - 1e-3;
    world.addRigidBody({
      motion: "static",
      shape: { type: "box", halfExtents: [9, 1, 9] },
      position: [0, -1, 0],
      friction,
    });
    const mesh = gridMesh({ width: 0.12, height: 0.12, columns: 4, rows: 4, center: [0, 0.004, 0] });
    const cloth = world.addBody(clothModel({ ...mesh, fabric: "denim" }), { friction, airDensity: 0 });
    const slept: number[] = [];
    run(world, 120, (frame) => {
      const angle = (Math.PI / 9) * Math.sin((Math.PI / 2) * Math.min(1, (frame + 1) / 90));
      world.gravity = [9.81 * Math.sin(angle), -9.81 * Math.cos(angle), 0];
      if (cloth.isAsleep) slept.push(frame);
    });
    expect(slept).toEqual([]);
    const [velocity] = await cloth.readVelocities();
    // Coulomb's law has 9.2 mm/s² from the moment on when the slope is steep enough.
    expectWithin("speed down the slope [m/s]", Math.abs(velocity - 0.0052), 0.001);
  }));

it("a call puts a body to sleep unless something moves at it", async () => {
  const world = await createWorld("cpu");
  world.addCollider({ type: "box", halfExtents: [9, 1, 9] }, { position: [0, -1, 0] });
  const body = world.addBody(cubeModel("gpbd", 0.4, [0, 0.205, 0], 1));
  const box = world.addRigidBody({ shape: { type: "box", halfExtents: [0.1, 0.1, 0.1] }, position: [0, 0.52, 0] });
  run(world, 2);
  body.sleep();
  expect(body.isAsleep).toBe(false);
  box.teleport([4, 3, 0]);
  body.sleep();
  expect(body.isAsleep).toBe(true);
  const { positions } = await body.readState();
  run(world, 5);
  expect((await body.readState()).positions).toEqual(positions);
  world.dispose();
});
