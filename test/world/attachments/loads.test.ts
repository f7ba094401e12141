/** Light rigid bodies that bodies of GPBD hold bear and pull others: by contacts, and by joints. */
import { describe, expect, it } from "vitest";
import {
  addAttachment,
  type DeformableBody,
  type RigidBody,
  ropeModel,
  type Vec3,
  type World,
} from "../../../src/index";
import { expectWithin } from "../../figures";
import { type BackendName, inWorld, run } from "../worlds";
import { GRAVITY } from "./hanging";

const gravity = [0, -GRAVITY, 0] as const;
const EDGES = 10;
const RADIUS = 0.005;
const YOUNG = 1e9;

/** A plank of half a kilogram on four ropes of a meter, with its top at a height of 0; in units of `size` [m]. */
function swing(world: World, size = 1): { plank: RigidBody; ropes: readonly DeformableBody[] } {
  const half: Vec3 = [0.4 * size, 0.02 * size, 0.15 * size];
  const mass = 0.5 * size ** 3;
  const plank = world.addRigidBody({ shape: { type: "box", halfExtents: half }, mass, position: [0, -half[1], 0] });
  const ropes = [-1, 1].flatMap((x) =>
    [-1, 1].map((z) => {
      const positions = Float64Array.from({ length: 3 * (EDGES + 1) }, (_, i) =>
        i % 3 === 0 ? x * half[0] : i % 3 === 2 ? z * half[2] : size * (1 - Math.floor(i / 3) / EDGES),
      );
      const rope = ropeModel({ positions, radius: RADIUS * size, youngsModulus: YOUNG, density: 1000 });
      const body = world.addBody(rope);
      body.pin([0]);
      addAttachment(world, { body, vertices: [EDGES], to: { rigid: plank } });
      return body;
    }),
  );
  return { plank, ropes };
}

/** A crate on the plank, or above it. */
const crate = (world: World, mass: number, size = 1, above = 0): RigidBody =>
  world.addRigidBody({
    shape: { type: "box", halfExtents: [0.12 * size, 0.12 * size, 0.12 * size] },
    mass: mass * size ** 3,
    position: [0, (0.12 + above) * size, 0],
    friction: 0.8,
  });

async function lengthOf(rope: DeformableBody): Promise<number> {
  const { positions: x } = await rope.readState();
  let sum = 0;
  for (let i = 3; i < x.length; i += 3) sum += Math.hypot(x[i] - x[i - 3], x[i + 1] - x[i - 2], x[i + 2] - x[i - 1]);
  return sum;
}

/** Strain of each of the four ropes under a mass [kg]. */
const strainUnder = (mass: number): number => (mass * GRAVITY) / (4 * YOUNG * Math.PI * RADIUS ** 2);

describe("a plank on ropes", () => {
  it.each<[number, number, BackendName]>([
    [0.05, 60, "cpu"],
    [50, 30, "cpu"],
    [50, 120, "cpu"],
    [5, 60, "webgpu"],
  ])("bears %f kg, at %d frames a second, on %s", (mass, rate, backend) =>
    inWorld(backend, { gravity }, async (world) => {
      const { plank, ropes } = swing(world);
      const load = crate(world, mass);
      for (const body of [plank, load]) body.change({ linearDamping: 5 });
      for (let frame = 0; frame < 0.8 * rate; frame++) {
        world.step(1 / rate);
        await world.settled();
      }
      expectWithin("way between crate and plank [m]", Math.abs(load.position[1] - plank.position[1] - 0.14), 1e-3);
      expectWithin("drift of the plank [m]", Math.hypot(plank.position[0], plank.position[2]), 2e-3);
      expectWithin("speed [m/s]", Math.hypot(...load.linearVelocity), 0.1);
      const strain = (await lengthOf(ropes[0])) - 1;
      expectWithin("strain beyond that of the load", Math.abs(strain - strainUnder(mass + 0.5)), 1e-3);
    }),
  );

  it.each([0.1, 10])("bears a crate of ten times its mass that falls on it, with lengths times %f", (size) =>
    inWorld("cpu", { gravity }, async (world) => {
      const { plank } = swing(world, size);
      const load = crate(world, 5, size, 0.3);
      let fastest = 0;
      run(world, 90, () => {
        fastest = Math.max(fastest, ...[plank, load].map(({ linearVelocity }) => Math.hypot(...linearVelocity)));
      });
      expect(load.position[1]).toBeGreaterThan(0.05 * size);
      expectWithin("speed over that of the fall", fastest / Math.sqrt(2 * GRAVITY * 0.31 * size), 1.1);
    }),
  );

  it("holds a chain of balls of ten times its mass each", () =>
    inWorld("cpu", { gravity }, async (world) => {
      const { plank, ropes } = swing(world);
      plank.change({ linearDamping: 5 });
      let above = plank;
      const balls = Array.from({ length: 5 }, (_, k) => {
        const shape = { type: "sphere", radius: 0.08 } as const;
        const ball = world.addRigidBody({ shape, mass: 5, position: [0, -0.14 - 0.2 * k, 0], linearDamping: 5 });
        const pivotA: Vec3 = k === 0 ? [0, -0.02, 0] : [0, -0.1, 0];
        world.addJoint({ type: "ball", bodyA: above, bodyB: ball, pivotA, pivotB: [0, 0.1, 0] });
        return (above = ball);
      });
      let fastest = 0;
      run(world, 45, () => {
        for (const { linearVelocity } of [plank, ...balls]) fastest = Math.max(fastest, Math.hypot(...linearVelocity));
      });
      expectWithin("speed [m/s]", fastest, 0.3);
      const strain = (await lengthOf(ropes[0])) - 1;
      expectWithin("strain beyond that of the load", Math.abs(strain - strainUnder(25.5)), 1e-3);
    }));

  it("does not mix with another one at the far end of many bodies that touch", () =>
    inWorld("cpu", { gravity }, async (world) => {
      // More bodies in a row than an island has: those of one plank end among those of the other.
      const { plank } = swing(world);
      const row = Array.from({ length: 90 }, (_, k) =>
        world.addRigidBody({ shape: { type: "sphere", radius: 0.05 }, mass: 0.01, position: [0.45 + 0.1 * k, 0.5, 0] }),
      );
      let before = plank;
      for (const [k, ball] of row.entries()) {
        const pivotA: Vec3 = k === 0 ? [0.4, 0.52, 0] : [0.05, 0, 0];
        world.addJoint({ type: "ball", bodyA: before, bodyB: ball, pivotA, pivotB: [-0.05, 0, 0] });
        before = ball;
      }
      const positions = Float64Array.of(9.4, 1.5, 0, 9.4, 1, 0, 9.4, 0.5, 0);
      const rope = ropeModel({ positions, radius: RADIUS, density: 1000 });
      const body = world.addBody(rope);
      body.pin([0]);
      addAttachment(world, { body, vertices: [2], to: { rigid: before } });
      run(world, 5);
      expect(Math.hypot(...plank.linearVelocity)).toBeLessThan(2);
    }));

  it("goes on from a snapshot with the same bits", () =>
    inWorld("cpu", { gravity }, async (world) => {
      const { plank } = swing(world);
      crate(world, 20, 1, 0.1);
      run(world, 20);
      const snapshot = await world.snapshot();
      run(world, 20);
      const place = [...plank.position];
      await inWorld("cpu", { gravity }, async (other) => {
        const { plank: same } = swing(other);
        crate(other, 20, 1, 0.1);
        other.restore(structuredClone(snapshot));
        run(other, 20);
        expect([...same.position]).toEqual(place);
      });
    }));
});
