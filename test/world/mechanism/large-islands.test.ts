import { describe, expect, it } from "vitest";
import {
  type LinkDescription,
  type MechanismDescription,
  boxTetrahedra,
  mechanismModel,
  type RigidBody,
  solidModel,
  type Vec3,
  World,
} from "../../../src/index";
import { gripper } from "../../../samples/mechanisms/gripper";
import { RandomGeometry } from "../../collision/random";

const FRAME = 1 / 60;
const HALF = 0.02;
/** Height of the bed of a rake: arms of two links reach down to 3 mm above stacks of two boxes. */
const HEIGHT = 0.176;

async function onFloor(): Promise<World> {
  const world = await World.create({ backend: "cpu" });
  world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [9, 1, 9] }, position: [0, -1, 0] });
  return world;
}

/** A box, turned by an angle about the vertical. */
const addBox = (world: World, position: Vec3, mass = 0.1, angle = 0): RigidBody =>
  world.addRigidBody({
    shape: { type: "box", halfExtents: [HALF, HALF, HALF] },
    mass,
    position,
    rotation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)],
  });

/** A bed on a vertical spring, with arms that hang from it or from one another and end in paddles. */
function rake(random: RandomGeometry, arms: number): MechanismDescription {
  const inertia = [1e-3, 1e-3, 1e-3, 0, 0, 0] as const;
  const bed: LinkDescription = {
    name: "bed",
    mass: 1,
    inertia,
    joint: {
      type: "prismatic",
      axis: [0, 1, 0],
      stiffness: 4000,
      restPosition: -0.006,
      damping: 20,
      parentFrame: { position: [0, HEIGHT, 0] },
    },
    shapes: [{ shape: { type: "box", halfExtents: [0.2, 0.005, 0.2] } }],
  };
  const links = [bed];
  for (let k = 0; k < arms; k++) {
    const above = k % 2 === 1 && random.between(0, 1) < 0.7 ? `arm ${k - 1}` : "bed";
    const position: Vec3 =
      above === "bed" ? [random.between(-0.15, 0.15), -0.02, random.between(-0.15, 0.15)] : [0, -0.035, 0];
    links.push({
      name: `arm ${k}`,
      parent: above,
      mass: random.between(0.1, 0.4),
      inertia,
      joint: {
        type: k % 4 === 3 ? "universal" : "revolute",
        axis: [1, 0, 0],
        damping: 0.01,
        lower: -0.3,
        upper: 0.3,
        parentFrame: { position },
      },
      shapes: [{ shape: { type: "box", halfExtents: [0.015, 0.018, 0.015] }, position: [0, -0.02, 0] }],
    });
  }
  return { name: "rake", links };
}

/** A rake among boxes and a soft cube, with a box that hangs on its bed, and its first arm bent by an angle. */
async function raking(seed: number, arms: number, boxes: number, bend: number, options: object) {
  const random = new RandomGeometry(seed);
  const world = await onFloor();
  world.rigid.configure(options);
  const mechanism = world.addMechanism(mechanismModel(rake(random, arms)));
  mechanism.simulation.q[1] = bend;
  mechanism.place();
  const piled: RigidBody[] = [];
  const side = Math.ceil(Math.sqrt(boxes));
  for (let k = 0; k < boxes; k++) {
    const [x, z] = [k % side, Math.floor(k / side)].map(
      (i) => 0.05 * (i - (side - 1) / 2) + random.between(-4e-3, 4e-3),
    );
    const halfExtents: Vec3 = [HALF, 2 * HALF, HALF];
    world.addRigidBody({
      shape: { type: "box", halfExtents },
      mass: 10 ** random.between(-2, 0),
      position: [x, 2 * HALF, z],
    });
    // A pile on the bed
    for (let layer = 0; layer < 2; layer++)
      piled.push(
        addBox(
          world,
          [x + random.between(-0.01, 0.01), HEIGHT + 0.005 + HALF * (1 + 2 * layer), z],
          10 ** random.between(-2, 0),
          random.between(-0.2, 0.2),
        ),
      );
  }
  const hanging = addBox(world, [0.26, HEIGHT, 0], 0.2, 0.1);
  piled.push(hanging);
  world.addJoint({
    type: "ball",
    bodyA: mechanism.bodyOf("bed")!,
    bodyB: hanging,
    pivotA: [0.22, 0, 0],
    pivotB: [-0.04, 0, 0],
  });
  const { positions, tetrahedra } = boxTetrahedra({ size: [0.06, 0.06, 0.06], cells: [1, 1, 1] });
  const cube = world.addBody(
    solidModel({
      solver: "newton",
      positions: positions.map((x, i) => x + (i % 3 === 1 ? HEIGHT + 0.036 + 4 * HALF : 0)),
      tetrahedra,
      material: { model: "corotational", youngsModulus: 1e5, poissonRatio: 0.3, density: 500 },
    }),
  );
  return { world, mechanism, piled, cube };
}

/** Positions of a rake, of all that lies or hangs on it, and of a soft cube. */
async function placesIn({ mechanism, piled, cube }: Awaited<ReturnType<typeof raking>>): Promise<number[]> {
  const { positions } = await cube.readState();
  return [...positions, ...mechanism.simulation.q, ...piled.flatMap(({ position }) => [...position])];
}

/** Sparse factors in the last step of a world. */
const factorsIn = ({ rigid }: World): number => rigid.dynamics.reports!.reduce((sum, { factors }) => sum + factors, 0);

/** A row of hands on the floor; each grips a box, and boxes lie between neighbors. */
async function handsInARow(count: number): Promise<World> {
  const world = await onFloor();
  for (let k = 0; k < count; k++) {
    const x = 0.16 * k;
    world.addRigidBody({ shape: { type: "box", halfExtents: [0.03, 0.03, 0.03] }, position: [x, 0.03, 0] });
    if (k > 0) {
      addBox(world, [x - 0.08, HALF, 0]);
      const shape = { type: "box", halfExtents: [0.065, 0.01, 0.02] } as const;
      world.addRigidBody({ shape, mass: 0.1, position: [x - 0.08, 0.12, 0] });
    }
    const { name, links } = gripper(0.4, 0.1);
    const [carriage, ...others] = links;
    const joint = { ...carriage.joint, parentFrame: { position: [x, 0, 0] as const } };
    const hand = world.addMechanism(
      mechanismModel({ name: `${name} ${k}`, links: [{ ...carriage, joint }, ...others] }),
    );
    hand.simulation.q[1] = 0.06;
    hand.simulation.control.set([0, 1.8 * 9.81, 10, 10]);
    hand.place();
  }
  return world;
}

/** A bed on 24 wheels, loaded with boxes side by side. */
async function loadedCart(count: number): Promise<World> {
  const world = await onFloor();
  const links: LinkDescription[] = [
    {
      name: "bed",
      mass: 5,
      inertia: [0.1, 0.7, 0.6, 0, 0, 0],
      joint: { type: "free" },
      shapes: [{ shape: { type: "box", halfExtents: [0.6, 0.02, 0.2] } }],
    },
  ];
  for (let k = 0; k < 24; k++) {
    const side = k % 2 === 0 ? 1 : -1;
    links.push({
      name: `wheel ${k}`,
      parent: "bed",
      mass: 0.2,
      inertia: [1e-4, 1e-4, 1e-4, 0, 0, 0],
      joint: { type: "revolute", parentFrame: { position: [-0.55 + 0.1 * (k >> 1), -0.04, 0.25 * side] } },
      shapes: [{ shape: { type: "sphere", radius: 0.04 } }],
    });
  }
  const cart = world.addMechanism(mechanismModel({ name: "cart", links }));
  cart.simulation.q[4] = 0.0805;
  cart.place();
  for (let k = 0; k < count; k++)
    addBox(world, [
      0.055 * ((k % 20) - 9.5),
      0.1215 + 0.041 * Math.floor(k / 100),
      0.06 * ((Math.floor(k / 20) % 5) - 2),
    ]);
  return world;
}

/** Boxes around and between the fingers of a hand that closes. */
async function handInHeap(count: number): Promise<World> {
  const random = new RandomGeometry(7);
  const world = await onFloor();
  const side = Math.max(4, Math.round(Math.cbrt(count)));
  for (let k = 0, boxes = 0; boxes < count; k++) {
    const [x, z] = [k % side, Math.floor(k / side) % side].map((i) => 0.045 * (i - (side - 1) / 2));
    if (Math.abs(Math.abs(x) - 0.06) < 0.033 && Math.abs(z) < 0.053) continue;
    boxes++;
    const y = 0.0205 + 0.0405 * Math.floor(k / side ** 2);
    addBox(world, [x + random.between(0, 2e-3), y, z + random.between(0, 2e-3)]);
  }
  const hand = world.addMechanism(mechanismModel(gripper(0.4, 0.1)));
  hand.simulation.q[1] = 0.06;
  hand.simulation.control.set([0, 1.8 * 9.81, 10, 10]);
  hand.place();
  return world;
}

/** Unknowns of the largest island, products of a sparse factor of it, and the largest number of factors in a step. */
function costOf(world: World, frames: number): { size: number; products: number; factors: number } {
  const { dynamics } = world.rigid;
  dynamics.reports = [];
  const cost = { size: 0, products: 0, factors: 0 };
  for (let frame = 0; frame < frames; frame++) {
    world.step(FRAME);
    for (const { size, factors, products } of dynamics.reports) {
      cost.factors = Math.max(cost.factors, factors);
      if (factors === 0 || size < cost.size) continue;
      cost.size = size;
      cost.products = products / factors;
    }
  }
  world.dispose();
  return cost;
}

describe("a mechanism in a large island", () => {
  it.each([
    // Beyond the limit of the arm, which then counts in each step; at it the last digit would decide.
    [7, 3, 4, 0.5, 1],
    [8, 8, 2, -0.6, 1],
    [1, 1, 1, 0, 8],
    [2, 4, 4, 0, 8],
    [3, 5, 4, 0, 5],
    [4, 6, 3, 0, 8],
    [5, 11, 5, 0, 4],
    [6, 17, 2, 0, 8],
  ])(
    "moves as with the matrix written out: seed %i, %i arms, %i piles, bent by %f for %i frames",
    async (seed, arms, piles, bend, frames) => {
      const sparse = await raking(seed, arms, piles, bend, { directLimit: 0, linearMethod: "sparse" });
      const dense = await raking(seed, arms, piles, bend, { directLimit: 0, linearMethod: "direct" });
      for (const { world } of [sparse, dense]) world.rigid.dynamics.reports = [];
      let [factors, load] = [0, 0];
      for (let frame = 0; frame < frames; frame++) {
        // From the same state each time: whether a contact is found may depend on the last digit.
        dense.world.restore(await sparse.world.snapshot());
        for (const { world } of [sparse, dense]) world.step(FRAME);
        const [mine, theirs] = [await placesIn(sparse), await placesIn(dense)];
        expect(Math.max(...mine.map((value, i) => Math.abs(value - theirs[i])))).toBeLessThan(1e-7);
        factors += factorsIn(sparse.world);
        load = Math.max(load, -sparse.mechanism.contactForceOf("bed")[1]);
      }
      expect(factorsIn(dense.world)).toBe(0);
      expect(factors).toBeGreaterThan(0);
      if (frames > 1) expect(load).toBeGreaterThan(1);
      for (const { world } of [sparse, dense]) world.dispose();
    },
  );

  it.each([
    ["hands in a row", handsInARow, 4, 32, 2],
    ["boxes on a cart", loadedCart, 25, 200, 2],
    ["boxes around a hand", handInHeap, 24, 180, 3],
  ] as const)("costs in proportion to contacts: %s", async (_, scene, few, many, frames) => {
    const small = costOf(await scene(few), frames);
    const large = costOf(await scene(many), frames);
    expect(large.size).toBeGreaterThan(3 * small.size);
    expect(Math.log(large.products / small.products) / Math.log(large.size / small.size)).toBeLessThan(1.2);
    // 30 in each of eight iterations would be the limit.
    expect(large.factors).toBeLessThan(160);
  });
});
