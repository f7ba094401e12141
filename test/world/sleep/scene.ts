import {
  addAttachment,
  boxTetrahedra,
  clothModel,
  gridMesh,
  ropeModel,
  solidModel,
  type SolverName,
} from "../../../src/index";
import type { World } from "../../../src/world/world";
import { createWorld, frameTime } from "../worlds";

const material = { youngsModulus: 1e5, poissonRatio: 0.4, density: 1000 };
const damping = 3;

/** A soft cube of so many meters. */
export const cubeModel = (solver: SolverName, size: number, center: [number, number, number], cells = 2) =>
  solidModel({
    solver,
    ...boxTetrahedra({ size: [size, size, size], cells: [cells, cells, cells], center }),
    material,
  });

/**
 * A cube on the ground with a rigid box on it, cloth on a shelf that is an obstacle, a rope with a rigid ball at its
 * end, and a hand that is led. The three are meters apart.
 */
export function buildScene(world: World, solver: SolverName) {
  const ground = world.addRigidBody({
    motion: "static",
    shape: { type: "box", halfExtents: [5, 0.5, 5] },
    position: [0, -0.5, 0],
  });
  const shelf = world.addCollider({ type: "box", halfExtents: [0.3, 0.05, 0.3] }, { position: [2, 1, 0] });
  const cube = world.addBody(cubeModel(solver, 0.4, [0, 0.205, 0]), { damping });
  const box = world.addRigidBody({
    shape: { type: "box", halfExtents: [0.15, 0.1, 0.15] },
    mass: 5,
    position: [0, 0.52, 0],
  });
  const sheet = gridMesh({ width: 0.4, height: 0.4, columns: 4, rows: 4, center: [2, 1.06, 0] });
  const cloth = world.addBody(clothModel({ solver, ...sheet, fabric: "cotton" }), { damping });
  const line = Array.from({ length: 9 }, (_, i) => [-2, 1.5 - 0.05 * i, 0]).flat();
  const ropes = solver === "newton" ? solver : "gpbd";
  const rope = world.addBody(ropeModel({ solver: ropes, positions: line, radius: 0.01, density: 1000 }), {
    pins: [0],
    damping,
  });
  const ball = world.addRigidBody({
    shape: { type: "sphere", radius: 0.05 },
    mass: 0.5,
    position: [-2, 1.04, 0],
    linearDamping: 5,
    angularDamping: 5,
  });
  const tie = addAttachment(world, {
    body: rope,
    vertices: [8],
    to: { rigid: ball, points: [[0, 0.06, 0]] },
    breakingForce: 1e4,
  });
  const hand = world.addRigidBody({
    motion: "kinematic",
    shape: { type: "sphere", radius: 0.1 },
    position: [0.4, 0.2, 0],
  });
  return { world, ground, shelf, cube, box, cloth, rope, ball, tie, hand };
}

export type Scene = ReturnType<typeof buildScene>;
export const softNames = ["cube", "cloth", "rope"] as const;
export type SoftName = (typeof softNames)[number];

/** A world with the scene, in which nothing has happened yet. */
export async function newScene(solver: SolverName): Promise<Scene> {
  const scene = buildScene(await createWorld("cpu"), solver);
  await scene.world.whenReadyAsync();
  return scene;
}

/** The same, with everything asleep. */
export async function sleepingScene(solver: SolverName, mostFrames = 240): Promise<Scene> {
  const scene = await newScene(solver);
  for (let frame = 0; frame < mostFrames && !isQuiet(scene); frame++) scene.world.step(frameTime);
  return scene;
}

export function isQuiet(scene: Scene): boolean {
  return softNames.every((name) => scene[name].isAsleep);
}

/** Places of all that moves, three numbers each [m]. */
export async function placesOf(scene: Scene): Promise<Record<string, readonly number[]>> {
  const { box, ball } = scene;
  const places: Record<string, readonly number[]> = {};
  for (const name of softNames)
    if (!scene[name].isDisposed) places[name] = [...(await scene[name].readState()).positions];
  if (!box.isDisposed) places.box = box.position;
  if (!ball.isDisposed) places.ball = ball.position;
  return places;
}
