/** The CPU lane uses only what all JavaScript engines round alike: other roundings of `Math` change no bit of a world. */
import { describe, expect, it } from "vitest";
import {
  addCable,
  ballTetrahedra,
  boxTetrahedra,
  clothModel,
  gridMesh,
  icosphereMesh,
  mechanismModel,
  ropeModel,
  solidModel,
  type SolverName,
  type World,
} from "../../src/index";
import { gridCloth } from "./cloths";
import { inWorld, run } from "./worlds";

/** By then everything has met. */
const FRAMES = 12;

type Builder = (world: World) => void;

const inexact = [
  ...["sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh"],
  ...["exp", "expm1", "log", "log1p", "log2", "log10", "pow", "cbrt", "hypot"],
] as const;

/** Runs `work` while `Math` rounds its functions otherwise, by some units in the last place. */
async function withOtherRounding<T>(work: () => Promise<T>): Promise<T> {
  const table = Math as unknown as Record<string, (...numbers: number[]) => number>;
  const own = Object.fromEntries(inexact.map((name) => [name, table[name]]));
  for (const name of inexact) table[name] = (...numbers) => own[name](...numbers) * (1 + 2 ** -50);
  try {
    return await work();
  } finally {
    Object.assign(Math, own);
  }
}

/** A sheet, solids and a rope that fall on one another, on obstacles and rigid bodies, in wind. */
const heapOf =
  (solver: SolverName): Builder =>
  (world) => {
    world.addRigidBody({ shape: { type: "box", halfExtents: [3, 0.5, 3] }, motion: "static", position: [0, -0.5, 0] });
    world.addRigidBody({ shape: { type: "box", halfExtents: [0.2, 0.1, 0.2] }, mass: 2, position: [0.1, 0.15, 0] });
    if (solver !== "newton") world.addCollider({ type: "sphere", radius: 0.2 }, { position: [-0.3, 0.3, 0] });
    const material = {
      youngsModulus: 2e4,
      poissonRatio: 0.35,
      density: 400,
      model: solver === "newton" ? "stable-neo-hookean" : "neo-hookean",
    } as const;
    const cube = boxTetrahedra({ size: [0.3, 0.3, 0.3], cells: [2, 2, 2], center: [0.05, 0.42, 0.02] });
    const soft = world.addBody(solidModel({ ...cube, material, solver }));
    const ball = ballTetrahedra({ radius: 0.1, resolution: 2, center: [-0.3, 0.65, 0] });
    world.addBody(solidModel({ ...ball, material: { ...material, model: "stable-neo-hookean" }, solver }));
    const grid = gridMesh({ width: 0.6, height: 0.6, columns: 5, rows: 5, center: [0.02, 0.8, 0] });
    const sheet = world.addBody(
      clothModel({ ...grid, fabric: "denim", solver }),
      solver === "newton" ? {} : { wind: [1, 0, 0.3] },
    );
    sheet.pin([0], solver === "gpbd" ? {} : { compliance: 1e-3 });
    if (solver === "local-global") addCable(world, { points: [[0, 1.2, 0.1], { body: soft, vertex: 20 }] });
    else world.addBody(ropeModel({ positions: [0, 1, 0, 0.2, 1, 0, 0.4, 1.1, 0], radius: 0.02, density: 500, solver }));
  };

/** Fabrics, laws and features of `gpbd` that the heap has not. */
const closet: Builder = (world) => {
  const balloon = icosphereMesh({ radius: 0.2, subdivisions: 2 });
  world.addBody(clothModel({ ...balloon, fabric: "cotton" }), { pressure: 200 });
  const knitted = { fabric: "stockinette" } as const;
  world.addBody(gridCloth({ width: 0.1, height: 0.1, columns: 4, rows: 4, center: [1, 0, 0] }, knitted)).pin([0]);
  const stiff = { membrane: "neo-hookean", bending: "dihedral" } as const;
  const torn = gridCloth({ width: 0.4, height: 0.4, columns: 6, rows: 6, center: [2, 0, 0] }, stiff);
  world.addBody(torn, { gravityFactor: 8 }).pin([0, 6]);
  world.addRigidBody({ shape: { type: "sphere", radius: 0.1 }, mass: 1, position: [2, 0.2, 0] });
  const material = { youngsModulus: 1e4, poissonRatio: 0.4, density: 300, model: "mooney-rivlin" } as const;
  const bar = boxTetrahedra({ size: [0.1, 0.1, 0.3], cells: [1, 1, 3], center: [3, 0, 0] });
  world.addBody(solidModel({ ...bar, material, elements: "quadratic" })).pin([0, 1, 2]);
};

const machine: Builder = (world) => {
  const link = {
    mass: 1,
    inertia: [0.01, 0.02, 0.02, 0, 0, 0],
    shapes: [{ shape: { type: "capsule", pointA: [-0.2, 0, 0], pointB: [0.2, 0, 0], radius: 0.03 } }],
  } as const;
  const childFrame = { position: [-0.2, 0, 0] } as const;
  const parentFrame = { position: [0.2, 0, 0] } as const;
  const model = mechanismModel({
    name: "swing",
    links: [
      { ...link, name: "upper", joint: { name: "a", type: "revolute", axis: [0, 0, 1], damping: 0.01, childFrame } },
      { ...link, name: "lower", parent: "upper", joint: { name: "b", type: "ball", parentFrame, childFrame } },
    ],
  });
  world.addMechanism(model);
  world.addRigidBody({ shape: { type: "box", halfExtents: [0.1, 0.1, 0.1] }, mass: 1, position: [0.1, -0.15, 0] });
};

const builders: readonly (readonly [string, Builder])[] = [
  ["a heap of gpbd", heapOf("gpbd")],
  ["a heap of local-global", heapOf("local-global")],
  ["a heap of newton", heapOf("newton")],
  ["fabrics, laws and features of gpbd", closet],
  ["a mechanism that strikes a box", machine],
];

describe("worlds on the CPU do not depend on how an engine rounds its functions", () => {
  it.each([
    ...builders.map(([name, build]) => [name, "cpu", build] as const),
    ["fabrics, laws and features of gpbd", "reference", closet] as const,
  ])("%s, %s", async (_name, backend, build) => {
    const end = (): Promise<unknown> =>
      inWorld(backend, {}, async (world) => {
        build(world);
        run(world, FRAMES);
        return world.snapshot();
      });
    expect(await withOtherRounding(end)).toEqual(await end());
  });
});

it("worlds on the CPU do not depend on whether steps are awaited", async () => {
  const end = (isAwaited: boolean) =>
    inWorld("cpu", {}, async (world) => {
      heapOf("gpbd")(world);
      for (let frame = 0; frame < 2 * FRAMES; frame++) {
        run(world, 1);
        if (isAwaited) await world.settled();
      }
      const { bodies, rigid } = await world.snapshot();
      return { bodies, rigid };
    });
  expect(await end(true)).toEqual(await end(false));
});
