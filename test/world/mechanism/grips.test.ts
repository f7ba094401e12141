import { describe, expect, it } from "vitest";
import { type ColliderShape, mechanismModel, type RigidBody, World } from "../../../src/index";
import { FINGER, gripper } from "../../../samples/mechanisms/gripper";

const GRAVITY = 9.81;
const FINGER_MASS = 0.4;
const SIZE = 0.03;
/** Height of the hand, whose fingers reach down to a centimeter above the floor [m]. */
const ABOVE = 0.06;

/** An L: a mesh that is not convex. */
const bracket: ColliderShape = {
  type: "mesh",
  ...extruded(
    [
      [-1, -1],
      [1, -1],
      [1, 1],
      [0.4, 1],
      [0.4, -0.4],
      [-1, -0.4],
    ].map(([x, y]) => [SIZE * x, SIZE * y]),
    SIZE,
  ),
};

const things: Record<string, ColliderShape> = {
  box: { type: "box", halfExtents: [SIZE, SIZE, SIZE] },
  ball: { type: "sphere", radius: SIZE },
  capsule: { type: "capsule", pointA: [0, 0, -SIZE], pointB: [0, 0, SIZE], radius: SIZE },
  mesh: bracket,
};

/** A hand grips a body between its fingers, lifts it by 10 cm, shakes it by 1 g, and holds it. */
async function grip(shape: ColliderShape, mass: number, force: number, held: number) {
  const world = await World.create({ backend: "cpu", gravity: [0, -GRAVITY, 0] });
  world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [1, 0.5, 1] }, position: [0, -0.5, 0] });
  const thing = world.addRigidBody({ shape, mass, friction: 0.8, position: [0, SIZE, 0] });
  const hand = world.addMechanism(mechanismModel(gripper(FINGER_MASS, 2 * SIZE + 0.04)));
  const { q, qd, control } = hand.simulation;
  q[1] = ABOVE;
  hand.place();
  // load of the lift; the other drive moves the carriage, too
  const lifted = 1 + 2 * FINGER_MASS;
  const drive = (coordinate: number, target: number, load: number): void => {
    control[coordinate] = load * (400 * (target - q[coordinate]) - 30 * qd[coordinate]);
  };
  let taken: number[] = [];
  let slip = 0;
  const pulls: number[] = [];
  const offset = ({ position: [x, y, z] }: RigidBody): number[] => [x, y - q[1], z - q[0]];
  for (let frame = 0; frame < 60 * (2.5 + held); frame++) {
    const t = frame / 60;
    const load = lifted + (t > 0.5 ? mass : 0);
    // A swing of 1 cm and √(g / 1 cm) is one of 1 g; the drive follows it to within a half.
    drive(0, t > 1.5 && t < 2.5 ? 0.02 * Math.sin(Math.sqrt(GRAVITY / 0.01) * t) : 0, 1 + load);
    drive(1, ABOVE + Math.min(0.1, 0.2 * Math.max(0, t - 0.5)), load);
    control[1] += load * GRAVITY;
    control[2] = control[3] = force;
    world.step(1 / 60);
    if (frame === 30) taken = offset(thing);
    if (frame <= 30) continue;
    offset(thing).forEach((value, c) => (slip = Math.max(slip, Math.abs(value - taken[c]))));
    pulls.push(-hand.contactForceOf("left")[0], hand.contactForceOf("right")[0]);
  }
  const height = thing.position[1];
  world.dispose();
  return { slip, pulls, height };
}

describe("a hand with two fingers", () => {
  // Friction carries the load: 2 µ F > m (g + 1 g).
  const cases = Object.keys(things).flatMap((name) =>
    ([[10, 0.02] as const, [10, 0.3] as const, [60, 0.5] as const, [60, 2] as const] as const).map(
      ([force, ratio]) => [name, force, ratio] as const,
    ),
  );
  it.each(cases)(
    "grips, lifts and shakes a %s with %f N, of %f times the mass of a finger",
    async (name, force, ratio) => {
      const { slip, pulls, height } = await grip(things[name], ratio * FINGER_MASS, force, 0.5);
      expect(height).toBeGreaterThan(SIZE + 0.098);
      expect(slip).toBeLessThan(1e-3);
      for (const pull of pulls) expect(Math.abs(pull / force - 1)).toBeLessThan(0.02);
    },
  );

  it("holds for ten seconds", async () => {
    const { slip } = await grip(things.box, 2 * FINGER_MASS, 10, 10);
    expect(slip).toBeLessThan(1e-3);
  });

  it("does not lift what its friction cannot bear", async () => {
    const { height } = await grip(things.box, 4 * FINGER_MASS, 5, 0);
    expect(height).toBeLessThan(SIZE + FINGER);
  });
});

/** A prism along z over an L-shaped polygon. */
function extruded(outline: readonly (readonly number[])[], half: number) {
  const positions = [-half, half].flatMap((z) => outline.flatMap(([x, y]) => [x, y, z]));
  const n = outline.length;
  // Triangles of the L, counterclockwise.
  const faces = [0, 1, 4, 0, 4, 5, 1, 2, 3, 1, 3, 4];
  const back = faces.flatMap((_, i) => (i % 3 === 0 ? [faces[i], faces[i + 2], faces[i + 1]] : []));
  const front = faces.map((vertex) => vertex + n);
  const sides = outline.flatMap((_, i) => {
    const j = (i + 1) % n;
    return [i, j, j + n, i, j + n, i + n];
  });
  return { positions: Float64Array.from(positions), indices: Uint32Array.from([...back, ...front, ...sides]) };
}
