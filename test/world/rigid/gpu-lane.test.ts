import { beforeAll, describe, expect, it } from "vitest";
import { loadWebGpu } from "../../../scripts/environment/node-webgpu";
import type { World } from "../../../src/world/world";
import { countObjects } from "../../gpu/counting";
import { expectRejected, expectRefused } from "../../refusal";
import { gridCloth } from "../cloths";
import { createWorld, frameTime, sharedDevice } from "../worlds";
import { spinEnergy } from "./worlds";

let gpu: GPU;
beforeAll(async () => {
  ({ gpu } = await loadWebGpu());
});

const box = { type: "box", halfExtents: [0.25, 0.25, 0.25] } as const;

async function laneWorld(ownDevice = false): Promise<World> {
  const world = await createWorld("webgpu", { rigidLane: "webgpu", ...(ownDevice && { gpu }) });
  world.addRigidBody({
    name: "floor",
    motion: "static",
    shape: { type: "box", halfExtents: [20, 1, 20] },
    position: [0, -1, 0],
  });
  return world;
}

/** Two boxes, one on the other. */
function addPair(world: World) {
  const lower = world.addRigidBody({ name: "lower", shape: box, mass: 2, position: [0, 0.25, 0], canSleep: false });
  const upper = world.addRigidBody({ name: "upper", shape: box, mass: 3, position: [0, 0.75, 0], canSleep: false });
  return { lower, upper };
}

async function run(world: World, frames: number): Promise<void> {
  for (let k = 0; k < frames; k++) {
    world.step(frameTime);
    await world.settled();
  }
}

describe("rigid bodies on webgpu", () => {
  it("say which lane they are in, and go to the CPU while there is something deformable", async () => {
    const world = await laneWorld();
    const { upper } = addPair(world);
    expect([world.backend, world.rigidLane]).toEqual(["webgpu", "webgpu"]);
    await run(world, 2);
    upper.linearVelocity = [0.3, 0, 0];
    const cloth = world.addBody(gridCloth({ width: 0.4, height: 0.4, columns: 3, rows: 3 }));
    await run(world, 2);
    expect(world.rigidLane).toBe("cpu");
    const before = upper.position[0];
    cloth.dispose();
    await run(world, 2);
    expect(world.rigidLane).toBe("webgpu");
    // Neither change of lane lost the velocity.
    expect(upper.position[0]).toBeGreaterThan(before);
    world.dispose();
  });

  it("turn freely with their energy, also where one moment of inertia is a thousandth of the others", async () => {
    const world = await laneWorld();
    world.gravity = [0, 0, 0];
    const bars = [
      [0, 1e-4, 20],
      [4, 6, 9],
    ].map((angularVelocity, k) =>
      world.addRigidBody({
        name: `bar ${k}`,
        mass: 1,
        shape: { type: "box", halfExtents: [0.1, 0.1, 0.1] },
        inertia: [1e-3, 1, 1.0005],
        angularDamping: 0,
        position: [3 * k, 5, 0],
        angularVelocity: [angularVelocity[0], angularVelocity[1], angularVelocity[2]],
      }),
    );
    const before = bars.map(spinEnergy);
    for (let k = 0; k < 20; k++) {
      await run(world, 1);
      bars.forEach((bar, b) => expect(spinEnergy(bar) / before[b]).toBeCloseTo(1, 2));
    }
    expect(world.rigidLane).toBe("webgpu");
    world.dispose();
  });

  it("are refused where there is no device, and options where the GPU does not know them", async () => {
    await expectRejected(createWorld("cpu", { rigidLane: "webgpu" }), "no-adapter", /rigidLane/);
    const world = await laneWorld();
    const before = { ...world.rigid.dynamics.options };
    expectRefused(() => world.rigid.configure({ linearMethod: "sparse", damping: 0.5 }), "unsupported", /linearMethod/);
    expect(world.rigid.dynamics.options).toEqual(before);
    world.dispose();
  });

  it("tell the impulses of their contacts once they have settled", async () => {
    const world = await laneWorld();
    const { lower, upper } = addPair(world);
    await run(world, 10);
    const { pairs, bodies } = world.rigid;
    const impulses = Array.from({ length: pairs.count }, (_, k) => ({
      names: [bodies[pairs.bodyA[k]].name, bodies[pairs.bodyB[k]].name],
      impulse: pairs.impulse[k],
    }));
    const weight = (mass: number): number => mass * 9.81 * frameTime;
    const between = impulses.find(({ names }) => !names.includes("floor"))!;
    const onFloor = impulses.find(({ names }) => names.includes("floor"))!;
    expect(between.impulse).toBeCloseTo(weight(upper.mass), 3);
    expect(onFloor.impulse).toBeCloseTo(weight(upper.mass + lower.mass), 3);
    world.dispose();
  });

  it.each(["workgroups", "passes"])("report the residual of every Newton iteration, by %s", async (way) => {
    const world = await laneWorld();
    const lane = world.rigid.gpuLane!;
    lane.isPassesOnly = way === "passes";
    if (way === "passes") world.rigid.configure({ newtonIterations: 4, linearIterations: 8, sweeps: 4 });
    lane.reportSize = 12;
    addPair(world);
    await run(world, 1);
    const reports = await lane.readReports();
    expect(reports).toHaveLength(1);
    const [residuals] = reports;
    expect(residuals.length).toBeGreaterThan(1);
    expect(residuals.length).toBeLessThan(12);
    // From g h on the floor and between the two down to the accuracy of f32.
    expect(residuals[0]).toBeGreaterThan(0.1);
    expect(residuals.at(-1)).toBeLessThan(1e-3 * residuals[0]);
    lane.reportSize = 0;
    await run(world, 1);
    expect(await lane.readReports()).toEqual([]);
    world.dispose();
  });

  it.each(["minimum-map", "fischer-burmeister"] as const)("come to rest with the function %s", async (ncp) => {
    const world = await laneWorld();
    for (const preconditioner of ["effective-mass", "time-step", "identity"] as const)
      world.rigid.configure({ ncp, preconditioner });
    world.rigid.configure({ preconditioner: "effective-mass" });
    const { upper } = addPair(world);
    await run(world, 10);
    expect(Math.abs(upper.position[1] - 0.75)).toBeLessThan(1e-5);
    expect(Math.hypot(...upper.linearVelocity)).toBeLessThan(1e-4);
    world.dispose();
  });

  it("fall asleep and wake when they are hit", async () => {
    const world = await laneWorld();
    const sleeper = world.addRigidBody({ shape: box, mass: 2, position: [0, 0.25, 0] });
    await run(world, 45);
    expect(sleeper.isAsleep).toBe(true);
    const still = sleeper.position;
    world.addRigidBody({ shape: box, mass: 2, position: [-0.7, 0.25, 0], linearVelocity: [3, 0, 0], friction: 0 });
    await run(world, 10);
    expect(sleeper.isAsleep).toBe(false);
    expect(sleeper.position[0]).toBeGreaterThan(still[0] + 0.05);
    world.dispose();
  });

  it("are carried by a kinematic body, whose way is the CPU's", async () => {
    const world = await laneWorld();
    const belt = world.addRigidBody({
      motion: "kinematic",
      shape: { type: "box", halfExtents: [2, 0.1, 1] },
      position: [0, 0.1, 0],
      friction: 0.9,
    });
    const load = world.addRigidBody({ shape: box, mass: 4, position: [0, 0.45, 0], friction: 0.9, canSleep: false });
    belt.linearVelocity = [0.5, 0, 0];
    await run(world, 30);
    expect(belt.position[0]).toBeCloseTo(0.25, 6);
    expect(load.linearVelocity[0]).toBeCloseTo(0.5, 3);
    world.dispose();
  });
});

describe("poses that come a frame late", () => {
  it("are those of the last frame after `settled`, however many were on their way", async () => {
    const world = await laneWorld();
    const ball = world.addRigidBody({
      shape: { type: "sphere", radius: 0.1 },
      mass: 1,
      position: [0, 9, 0],
      linearVelocity: [1, 0, 0],
    });
    for (let k = 0; k < 12; k++) world.step(frameTime);
    expect(world.rigid.gpuLane!.lag).toBe(12);
    await world.settled();
    expect(world.rigid.gpuLane!.lag).toBe(0);
    const t = 12 * frameTime;
    expect(ball.position[0]).toBeCloseTo(t, 5);
    expect(ball.position[1]).toBeCloseTo(9 - 0.5 * 9.81 * t * t, 4);
    world.dispose();
  });

  it("lose no impulse that was given meanwhile", async () => {
    const world = await laneWorld();
    world.gravity = [0, 0, 0];
    const ball = world.addRigidBody({ shape: { type: "sphere", radius: 0.1 }, mass: 2, position: [0, 9, 0] });
    for (let k = 0; k < 6; k++) {
      ball.applyImpulse([0.2, 0, 0]);
      world.step(frameTime);
    }
    await world.settled();
    await run(world, 1);
    expect(ball.linearVelocity[0]).toBeCloseTo(0.6, 5);
    world.dispose();
  });

  it("give way to where a body was put", async () => {
    const world = await laneWorld();
    const { upper } = addPair(world);
    await run(world, 2);
    world.step(frameTime);
    upper.teleport([3, 0.25, 0], [0, 0, 0, 1]);
    await world.settled();
    expect(upper.position).toEqual([3, 0.25, 0]);
    await run(world, 3);
    expect(upper.position[0]).toBeCloseTo(3, 4);
    expect(upper.position[1]).toBeCloseTo(0.25, 4);
    world.dispose();
  });
});

describe("the device of rigid bodies", () => {
  it("makes no object in a frame once it is warm", async () => {
    const world = await laneWorld();
    const { upper } = addPair(world);
    world.addRigidBody({ shape: { type: "sphere", radius: 0.1 }, mass: 1, position: [3, 2, 0] });
    await run(world, 3);
    const { created } = countObjects(world.device!);
    for (let k = 0; k < 10; k++) {
      upper.applyImpulse([0.01, 0, 0]);
      await run(world, 1);
    }
    expect([...created]).toEqual([]);
    world.dispose();
  });

  it("leaves no buffer behind", async () => {
    const objects = countObjects(await sharedDevice());
    const world = await laneWorld();
    world.rigid.gpuLane!.isPassesOnly = true;
    world.rigid.configure({ newtonIterations: 1, linearIterations: 1, sweeps: 1 });
    const { upper } = addPair(world);
    await run(world, 1);
    upper.dispose();
    await run(world, 1);
    expect(objects.alive().length).toBeGreaterThan(5);
    world.dispose();
    expect(objects.alive()).toEqual([]);
  });

  it("may be lost: bodies go on from where they were, and nothing is lost", async () => {
    const world = await laneWorld(true);
    const { lower, upper } = addPair(world);
    const ball = world.addRigidBody({
      shape: { type: "sphere", radius: 0.1 },
      mass: 1,
      position: [3, 5, 0],
      linearVelocity: [1, 0, 0],
      angularVelocity: [0, 2, 0],
      linearDamping: 0,
      angularDamping: 0,
    });
    await run(world, 10);
    const back = new Promise((resolve) => world.onDeviceRestored.add(resolve));
    const first = world.device!;
    first.destroy();
    await back;
    expect(world.device).not.toBe(first);
    expect(world.rigidLane).toBe("webgpu");
    await run(world, 10);
    const t = 20 * frameTime;
    expect(ball.position[0]).toBeCloseTo(3 + t, 5);
    expect(ball.position[1]).toBeCloseTo(5 - 0.5 * 9.81 * t * t, 4);
    expect(ball.angularVelocity[1]).toBeCloseTo(2, 5);
    expect(Math.abs(lower.position[1] - 0.25)).toBeLessThan(1e-5);
    expect(Math.abs(upper.position[1] - 0.75)).toBeLessThan(1e-5);
    world.dispose();
  });

  it("takes a snapshot of where bodies are, and goes on from one", async () => {
    const world = await laneWorld();
    const ball = world.addRigidBody({
      shape: { type: "sphere", radius: 0.1 },
      mass: 1,
      position: [0, 6, 0],
      linearVelocity: [1, 0, 0],
    });
    for (let k = 0; k < 5; k++) world.step(frameTime);
    const snapshot = await world.snapshot();
    const at = ball.position;
    await run(world, 5);
    const after = [...ball.position, ...ball.linearVelocity];
    world.restore(snapshot);
    expect(ball.position).toEqual(at);
    await run(world, 5);
    expect([...ball.position, ...ball.linearVelocity]).toEqual(after);
    world.dispose();
  });
});
