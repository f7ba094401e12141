import { describe, expect, it } from "vitest";
import { kineticEnergy, type MechanismDescription, mechanismModel, totalMomentum, World } from "../../../src/index";
import { centerOfMass } from "../../../src/articulated/dynamics/energy";
import { updateKinematics } from "../../../src/articulated/dynamics/kinematics";
import { ArticulatedScratch } from "../../../src/articulated/scratch";
import type { RigidBody } from "../../../src/index";
import { cross } from "../../../src/math/vectors";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";

/** A floating chain: a free link, then hinges in any direction. */
function chain(random: RandomGeometry, count: number): MechanismDescription {
  const links = Array.from({ length: count }, (_, i): MechanismDescription["links"][number] => {
    const mass = random.between(0.2, 2);
    return {
      name: `link ${i}`,
      ...(i > 0 && { parent: `link ${i - 1}` }),
      mass,
      centerOfMass: [0.1, 0, 0],
      inertia: [mass * 0.0013, mass * 0.0047, mass * 0.0047, 0, 0, 0],
      joint:
        i === 0
          ? { type: "free" }
          : { type: "revolute", axis: random.direction(), parentFrame: { position: [0.25, 0, 0] } },
      shapes: [{ shape: { type: "box", halfExtents: [0.1, 0.03, 0.03] }, position: [0.1, 0, 0] }],
    };
  });
  return { name: "chain", links };
}

/** State of a mechanism and cubes: momentum about the origin, angular and linear, and kinetic energy. */
function stateOf(world: World, scratch: ArticulatedScratch, cubes: readonly RigidBody[]): [number[], number] {
  const [{ simulation }] = world.mechanisms;
  updateKinematics(scratch, simulation.q, simulation.qd);
  const sum = new Float64Array(6);
  totalMomentum(scratch, sum);
  let energy = kineticEnergy(scratch);
  for (const { mass, massProperties, linearVelocity: v, angularVelocity: w, centerOfMass: x } of cubes) {
    const [inertia] = massProperties.inertia;
    const orbit = cross(x, v);
    for (let c = 0; c < 3; c++) {
      sum[c] += mass * orbit[c] + inertia * w[c];
      sum[3 + c] += mass * v[c];
      energy += 0.5 * mass * v[c] * v[c] + 0.5 * inertia * w[c] * w[c];
    }
  }
  return [[...sum], energy];
}

describe("a mechanism that floats, and is hit", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("keeps momentum, and gains no energy: seed %i", async (seed) => {
    const random = new RandomGeometry(seed);
    const world = await World.create({ backend: "cpu", gravity: [0, 0, 0] });
    // At higher speeds contacts are found so far ahead that friction acts at two points.
    const speed = random.between(0.5, 3);
    const count = 1 + (seed % 5);
    const cubes = Array.from({ length: count }, (_, k) =>
      world.addRigidBody({
        shape: { type: "box", halfExtents: [0.05, 0.05, 0.05] },
        mass: 0.02 * 1000 ** random.between(0, 1),
        restitution: seed % 2 === 0 ? 0 : 0.5,
        position: [0.1 + 0.25 * k, 0.2 + random.between(0, 0.3), 0],
        linearVelocity: [0, -speed, 0],
      }),
    );
    const mechanism = world.addMechanism(mechanismModel(chain(random, count)));
    const scratch = new ArticulatedScratch(mechanism.simulation.model);
    const [before, most] = stateOf(world, scratch, cubes);
    const size = Math.sqrt(2 * most * cubes.reduce((sum, { mass }) => sum + mass, 0));
    for (let frame = 0; frame < 60; frame++) {
      world.step(1 / 60);
      const [after, energy] = stateOf(world, scratch, cubes);
      after.forEach((value, c) => expect(Math.abs(value - before[c]) / size, `frame ${frame}`).toBeLessThan(1e-9));
      expect(energy / most, `frame ${frame}`).toBeLessThan(1 + 1e-9);
    }
    // Something was hit.
    expect(mechanism.simulation.qd.some((rate) => Math.abs(rate) > 1e-3)).toBe(true);
    world.dispose();
  });
});

describe("a mechanism that floats and turns", () => {
  it.each([
    [2, 1],
    [2, 4],
    [8, 2],
    [20, 2],
  ])("gains no energy when it hits what is about it: %i rad/s, seed %i", async (speed, seed) => {
    const random = new RandomGeometry(seed);
    const world = await World.create({ backend: "cpu", gravity: [0, 0, 0] });
    const count = 2 + seed;
    const mechanism = world.addMechanism(mechanismModel(chain(random, count)));
    const { simulation } = mechanism;
    simulation.qd.forEach((_, k) => (simulation.qd[k] = random.between(-speed, speed)));
    simulation.qd.fill(0, 3, 6);
    mechanism.place();
    const cubes = Array.from({ length: 12 }, (_, k) =>
      world.addRigidBody({
        shape: { type: "box", halfExtents: [0.05, 0.05, 0.05] },
        mass: 0.1 * 10 ** random.between(-1, 1),
        position: [0.4 * Math.cos(k), 0.4 * Math.sin(k), 0.8 + 0.3 * k],
        linearVelocity: [0, 0, -5],
      }),
    );
    const scratch = new ArticulatedScratch(simulation.model);
    const [before, most] = stateOf(world, scratch, cubes);
    const size = Math.sqrt(2 * most * cubes.reduce((sum, { mass }) => sum + mass, 0));
    let partly = 0;
    for (let frame = 0; frame < 60; frame++) {
      world.step(1 / 60);
      partly += simulation.partCount;
      const [after, energy] = stateOf(world, scratch, cubes);
      after.forEach((value, c) => expect(Math.abs(value - before[c]) / size, `frame ${frame}`).toBeLessThan(1e-5));
      // Steps with contact are of first order.
      expect(energy / most, `frame ${frame}`).toBeLessThan(1.005);
    }
    expect(partly).toBeGreaterThan(0);
    expect(cubes.some(({ linearVelocity }) => Math.abs(linearVelocity[2] + 5) > 0.1)).toBe(true);
    world.dispose();
  });

  it.each([0, 5, 50])("keeps angular momentum and energy while it falls: %i rad/s", async (speed) => {
    const random = new RandomGeometry(9);
    const world = await World.create({ backend: "cpu" });
    const mechanism = world.addMechanism(mechanismModel(chain(random, 4)));
    const { simulation } = mechanism;
    simulation.qd.forEach((_, k) => (simulation.qd[k] = random.between(-speed, speed)));
    simulation.qd.set([20, 5, 0], 3);
    mechanism.place();
    const scratch = new ArticulatedScratch(simulation.model);
    const mass = simulation.model.mass.reduce((sum, m) => sum + m, 0);
    // about the center of mass, and without its motion
    const spin = (): [number[], number] => {
      const [[a, b, c, ...linear], energy] = stateOf(world, scratch, []);
      const centre = new Float64Array(3);
      centerOfMass(scratch, centre);
      const orbit = cross([centre[0], centre[1], centre[2]], linear as [number, number, number]);
      return [
        [a - orbit[0], b - orbit[1], c - orbit[2]],
        energy - (0.5 * linear.reduce((sum, x) => sum + x * x, 0)) / mass,
      ];
    };
    const [before, energy] = spin();
    for (let frame = 0; frame < 600; frame++) world.step(1 / 60);
    const [after, left] = spin();
    const size = Math.hypot(...before) || 1;
    after.forEach((value, c) => expect(Math.abs(value - before[c]) / size).toBeLessThan(1e-4));
    expect(Math.abs(left - energy)).toBeLessThan(0.01 * energy + 1e-6);
    world.dispose();
  });
});

/** A ball of a kilogram, or of what a size makes of it, that something keeps in its place. */
const holds: readonly (readonly [
  string,
  (size: number, weight: number) => [object, object, object, (set: Float64Array[]) => void],
])[] = [
  ["carried weight", () => [{ gravityCompensation: 1 }, {}, {}, () => {}]],
  ["a force on the link", (_, weight) => [{}, {}, {}, ([wrenches]) => (wrenches[4] = weight)]],
  ["a control", (_, weight) => [{}, {}, {}, ([, control]) => (control[4] = weight)]],
  [
    "a loop to the world",
    (size) => [{}, { closures: [{ linkA: "ball", pointA: [0, size, 0], pointB: [0, size, 0] }] }, {}, () => {}],
  ],
  ["dry friction", (_, weight) => [{ joint: { type: "free", frictionLoss: 2 * weight } }, {}, {}, () => {}]],
  [
    "ground of its own",
    (size) => [
      {},
      {},
      { ground: [{ shape: { type: "box", halfExtents: [size, size, size] }, position: [0, -1.1 * size, 0] }] },
      () => {},
    ],
  ],
  ["a rope", (size, weight) => [{}, {}, { actuators: [rope(size, weight)] }, () => {}]],
];

/** A rope from the ball to a hook above it, which does not get longer. */
const rope = (size: number, weight: number) => {
  const stiffness = (1e8 * weight) / size;
  return {
    name: "rope",
    joints: [],
    path: [{ weight: 1, points: [{ position: [0, 2 * size, 0] }, { link: "ball", position: [0, 0.1 * size, 0] }] }],
    gain: 0,
    bias: [1.9 * size * stiffness, -stiffness, 0],
    forceRange: [-Infinity, 0],
  };
};

describe.each(holds)("a mechanism that floats, but for %s", (_, hold) => {
  it.each([0.1, 1, 10])("rests where it is, in a size of %d", async (size) => {
    const mass = size ** 3;
    const [link, mechanism, options, set] = hold(size, 9.81 * mass);
    const moment = 0.004 * mass * size * size;
    const ball = {
      ...{ name: "ball", mass, inertia: [moment, moment, moment, 0, 0, 0], joint: { type: "free" } },
      shapes: [{ shape: { type: "sphere", radius: 0.1 * size } }],
      ...link,
    };
    const world = await World.create({ backend: "cpu" });
    const description = { name: "ball", links: [ball], ...mechanism } as unknown as MechanismDescription;
    const { simulation } = world.addMechanism(
      mechanismModel(description, options as Parameters<typeof mechanismModel>[1]),
    );
    set([simulation.wrenches, simulation.control]);
    let [way, speed] = [0, 0];
    for (let frame = 0; frame < 60; frame++) {
      world.step(1 / 60);
      way = Math.max(way, ...simulation.q.map(Math.abs));
      speed = Math.max(speed, ...simulation.qd.map(Math.abs));
    }
    expectWithin("way, of the size", way / size, 1e-4);
    expectWithin("speed [m/s]", speed, 1e-3);
    world.dispose();
  });
});

// A box falls on a tray that hangs on ropes from its corners.
it.each([
  [1, 1],
  [1, 10],
  [0.1, 0.1],
  [10, 1],
])("ropes hold a tray in a size of %d, and a box of %d times its mass that falls on it", async (size, ratio) => {
  const corners = [-0.4, 0.4].flatMap((x) => [-0.4, 0.4].map((z): readonly [number, number] => [x * size, z * size]));
  const [mass, stiffness] = [size ** 3, 1e12 * size ** 3];
  const actuators = corners.map(([x, z], i) => ({
    ...{ name: `rope ${i}`, joints: [], gain: 0, bias: [stiffness * size, -stiffness, 0] as const },
    path: [
      { weight: 1, points: [{ position: [x, size, z] as const }, { link: "tray", position: [x, 0, z] as const }] },
    ],
    forceRange: [-Infinity, 0] as const,
  }));
  const tray = { type: "box", halfExtents: [0.4 * size, 0.02 * size, 0.4 * size] } as const;
  const [long, flat] = [(mass * 0.16 * size * size) / 3, (mass * 2 * 0.16 * size * size) / 3];
  const world = await World.create({ backend: "cpu" });
  const { simulation } = world.addMechanism(
    mechanismModel(
      {
        name: "tray",
        links: [
          {
            name: "tray",
            mass,
            inertia: [long, flat, long, 0, 0, 0],
            joint: { type: "free" },
            shapes: [{ shape: tray }],
          },
        ],
      },
      { actuators },
    ),
  );
  const half = 0.1 * size;
  const box = world.addRigidBody({
    shape: { type: "box", halfExtents: [half, half, half] },
    mass: ratio * mass,
    position: [0.05 * size, 0.4 * size, 0],
  });
  let lowest = 0;
  for (let frame = 0; frame < 120; frame++) {
    world.step(1 / 60);
    lowest = Math.min(lowest, simulation.q[4]);
  }
  expectWithin("depth below the ropes' length, of the size", -lowest / size, 1e-4);
  expectWithin("height of the box, of the size", Math.abs(box.position[1] / size - 0.12), 3e-3);
  expectWithin("speed of the tray [m/s]", Math.max(...simulation.qd.map(Math.abs)), 0.05);
  world.dispose();
});
