import { describe, expect, it } from "vitest";
import {
  boxTetrahedra,
  type DeformableBody,
  fabrics,
  gridMesh,
  clothModel,
  ropeModel,
  solidModel,
  type Quat,
  type RigidBody,
  type Vec3,
  type World,
} from "../../../src/index";
import { momenta } from "../rigid/worlds";
import { addFloor, ballAt, contactForces, frameTime, gravity, inWorld, massOf, momentaOf, rubber, run } from "./worlds";

const boxShape = (x: number, y: number, z: number) => ({ type: "box", halfExtents: [x, y, z] }) as const;

/** A body that sleeps has no contacts to measure. */
const awake = { canSleep: false } as const;

const bodies: Readonly<Record<string, (world: World) => DeformableBody>> = {
  "a soft ball": (world) => world.addBody(ballAt([0, 0, 0]), awake),
  cloth: (world) =>
    world.addBody(
      clothModel({
        solver: "newton",
        ...gridMesh({ width: 0.4, height: 0.4, columns: 6, rows: 6 }),
        fabric: fabrics["rubber-sheet"],
      }),
      awake,
    ),
  "a rope": (world) =>
    world.addBody(
      ropeModel({
        solver: "newton",
        positions: Float64Array.from({ length: 39 }, (_, i) => (i % 3 === 0 ? (i / 3 - 6) * 0.05 : 0)),
        radius: 0.01,
        youngsModulus: 1e7,
        density: 1000,
      }),
      awake,
    ),
};

describe.each(Object.entries(bodies))("%s", (_name, add) => {
  it("and a rigid body keep their momenta when they collide", () =>
    inWorld({ gravity: [0, 0, 0], substeps: 4 }, async (world) => {
      const soft = add(world);
      const stone = world.addRigidBody({
        shape: { type: "sphere", radius: 0.08 },
        mass: 0.4,
        position: [0.04, 0.3, 0.03],
        linearVelocity: [0.1, -2, 0],
        angularVelocity: [0, 3, 1],
      });
      const before = [(await momentaOf(soft)).linear, momenta([stone]).linear];
      const spin = momenta([stone]).angular;
      run(world, 0.5);
      expect(stone.linearVelocity[1]).toBeGreaterThan(-1.9);
      const after = await momentaOf(soft);
      expect(after.linear[1]).toBeLessThan(-0.05);
      const rigid = momenta([stone]);
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(after.linear[k] + rigid.linear[k] - before[0][k] - before[1][k])).toBeLessThan(1e-6 * 0.8);
        // A step rotates about the places at its start: first order in the time step.
        expect(Math.abs(after.angular[k] + rigid.angular[k] - spin[k])).toBeLessThan(0.02 * Math.hypot(...spin));
      }
    }));

  it("is carried by the floor, by as much as it weighs", () =>
    inWorld({}, async (world) => {
      addFloor(world);
      const soft = add(world);
      const { positions } = await soft.readState();
      soft.writeState({ positions: positions.map((value, i) => value + (i % 3 === 1 ? 0.11 : 0)) });
      run(world, 1.5);
      const [force] = [...contactForces(world).values()];
      expect(Math.abs(force[1] / (massOf(soft) * gravity) - 1)).toBeLessThan(0.01);
      expect(Math.hypot(force[0], force[2])).toBeLessThan(0.01 * force[1]);
      const heights = (await soft.readPositions()).filter((_, i) => i % 3 === 1);
      expect(Math.min(...heights)).toBeGreaterThan(-1e-3);
    }));
});

describe("a soft block", () => {
  const block = (center: Vec3, friction: number) =>
    solidModel({
      solver: "newton",
      ...boxTetrahedra({ size: [0.2, 0.1, 0.2], cells: [2, 1, 2], center }),
      name: "block",
      material: { ...rubber, youngsModulus: 1e5, friction },
    });

  it("carries a plate, and the floor carries both", () =>
    inWorld({ substeps: 2 }, async (world) => {
      addFloor(world);
      const soft = world.addBody(block([0, 0.051, 0], 0.5), awake);
      const plate = world.addRigidBody({ shape: boxShape(0.15, 0.02, 0.15), mass: 3, position: [0, 0.123, 0] });
      run(world, 1.5);
      const forces = contactForces(world);
      const at = (body: RigidBody): number => forces.get(world.rigid.bodies.indexOf(body))![1];
      expect(Math.abs(-at(plate) / (3 * gravity) - 1)).toBeLessThan(0.01);
      expect(Math.abs(at(world.rigid.bodies[0]) / ((massOf(soft) + 3) * gravity) - 1)).toBeLessThan(0.01);
      expect(plate.position[1]).toBeGreaterThan(0.1);
      expect(Math.hypot(...plate.linearVelocity)).toBeLessThan(1e-3);
    }));

  it.each([15, 30])("on a slope of %s° sticks above its tangent, and slides with g (sin − µ cos) below", (degrees) =>
    inWorld({}, async (world) => {
      const angle = (degrees * Math.PI) / 180;
      const turn: Quat = [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];
      const [down, up]: Vec3[] = [
        [-Math.cos(angle), -Math.sin(angle), 0],
        [-Math.sin(angle), Math.cos(angle), 0],
      ];
      world.addRigidBody({
        motion: "static",
        shape: boxShape(5, 1, 5),
        position: [-up[0], -up[1], 0],
        rotation: turn,
        friction: 1,
      });
      const lay = (friction: number, z: number): DeformableBody => {
        const model = block([0, 0.05, 0], friction * friction);
        const x = model.positions;
        for (let i = 0; i < x.length; i += 3) {
          const [a, b] = [x[i], x[i + 1]];
          x.set([-a * down[0] + b * up[0], -a * down[1] + b * up[1], x[i + 2] + z], i);
        }
        return world.addBody(model);
      };
      const [sticking, sliding] = [lay(Math.tan(angle) * 1.05, -1), lay(0.5 * Math.tan(angle), 1)];
      const speed = async (body: DeformableBody): Promise<number> => {
        const { linear } = await momentaOf(body);
        return (linear[0] * down[0] + linear[1] * down[1]) / massOf(body);
      };
      run(world, 0.5);
      const first = await speed(sliding);
      expect(Math.abs(await speed(sticking))).toBeLessThan(1e-4);
      run(world, 0.5);
      expect(Math.abs(await speed(sticking))).toBeLessThan(1e-5);
      const expected = 0.5 * gravity * Math.sin(angle);
      expect(Math.abs(((await speed(sliding)) - first) / (0.5 * expected) - 1)).toBeLessThan(0.02);
    }),
  );

  it("goes along with a plate that is led, by friction", () =>
    inWorld({}, async (world) => {
      const plate = world.addRigidBody({ motion: "kinematic", shape: boxShape(0.5, 0.05, 0.5), friction: 0.8 });
      const soft = world.addBody(block([0, 0.1, 0], 0.8));
      for (let frame = 1; frame <= 60; frame++) {
        plate.moveTo([0.5 * 0.5 * (frame * frameTime) ** 2, 0, 0]);
        world.step(frameTime);
      }
      const { linear } = await momentaOf(soft);
      expect(Math.abs(linear[0] / massOf(soft) - 0.5)).toBeLessThan(0.01);
    }));

  it("that is swollen from inside is larger by the stress over the bulk modulus", () =>
    inWorld({ gravity: [0, 0, 0] }, async (world) => {
      const model = block([0, 0, 0], 0.5);
      const soft = world.addBody(model, { damping: 5 });
      const strain = 0.01;
      model.activation.fill((strain * 1e5) / (1 - 2 * rubber.poissonRatio));
      run(world, 1);
      const x = (await soft.readPositions()).filter((_, i) => i % 3 === 0);
      expect((Math.max(...x) - Math.min(...x)) / 0.2 - 1).toBeCloseTo(strain, 3);
    }));
});

describe("a rope over a drum", () => {
  const [radius, drum, spacing, mu] = [0.01, 0.1, 0.02, 0.2];
  const around = drum + radius;
  const short = 0.3;
  /**
   * Balance just before the longer end wins: dT = µ N ds with the weight of the rope on the drum (Euler,
   * Eytelwein).
   */
  const growth = Math.exp(mu * Math.PI);
  const critical = growth * short + (2 * mu * around * (1 + growth)) / (1 + mu * mu);

  const slideOf = async (world: World, long: number): Promise<number> => {
    const shape = { type: "cylinder", pointA: [0, 0, -1], pointB: [0, 0, 1], radius: drum } as const;
    world.addRigidBody({ motion: "static", shape, friction: mu });
    const arc = Math.PI * around;
    const positions: number[] = [];
    for (let s = 0; s <= short + arc + long + 1e-9; s += spacing)
      if (s < short) positions.push(-around, s - short, 0);
      else if (s > short + arc) positions.push(around, short + arc - s, 0);
      else positions.push(-around * Math.cos((s - short) / around), around * Math.sin((s - short) / around), 0);
    const model = ropeModel({ solver: "newton", positions, radius, youngsModulus: 1e8, density: 1000, friction: mu });
    const rope = world.addBody(model);
    run(world, 0.25);
    const start = (await rope.readPositions())[1];
    run(world, 0.5);
    return (await rope.readPositions())[1] - start;
  };

  it("holds up to the ratio of its ends that friction can hold, and not beyond", async () => {
    await inWorld({ substeps: 2 }, async (world) => {
      expect(Math.abs(await slideOf(world, 0.93 * critical))).toBeLessThan(1e-3);
    });
    await inWorld({ substeps: 2 }, async (world) => {
      expect(await slideOf(world, 1.07 * critical)).toBeGreaterThan(0.01);
    });
  });
});

describe("snapshots", () => {
  it("go on with the same bits, also while friction holds", () =>
    inWorld({ substeps: 2 }, async (world) => {
      addFloor(world);
      const ball = world.addBody(ballAt([0, 0.11, 0]));
      world.addRigidBody({ shape: boxShape(0.05, 0.05, 0.05), mass: 1, position: [0.02, 0.27, 0.01] });
      run(world, 0.5);
      const snapshot = await world.snapshot();
      run(world, 0.3);
      const first = await ball.readState();
      const pose = world.rigid.poses.slice();
      run(world, 0.2);
      world.restore(snapshot);
      run(world, 0.3);
      const second = await ball.readState();
      expect(second.positions).toEqual(first.positions);
      expect(second.velocities).toEqual(first.velocities);
      expect(world.rigid.poses).toEqual(pose);
    }));
});
