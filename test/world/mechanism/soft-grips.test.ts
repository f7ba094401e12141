import { describe, expect, it } from "vitest";
import { boxTetrahedra, mechanismModel, solidModel } from "../../../src/index";
import { gripper } from "../../../samples/mechanisms/gripper";
import { createWorld } from "../worlds";

const GRAVITY = 9.81;
const FINGER_MASS = 0.4;
const SIZE = 0.06;
/** Height of the hand [m]. */
const ABOVE = 0.06;

describe("a hand with two fingers", () => {
  it.each([
    ["gpbd", 1e5, 10, 0.3, "cpu"],
    // Impulses reach a hand frames late there: the CPU steps what it grips.
    ["gpbd", 1e5, 10, 0.3, "webgpu"],
    ["local-global", 1e5, 10, 0.3, "cpu"],
    ["newton", 1e5, 10, 0.3, "cpu"],
  ] as const)("grips and lifts a cube by %s of %f Pa with %f N, %f times a finger's mass, on %s", async (...grip) => {
    const [solver, youngsModulus, force, ratio, backend] = grip;
    const world = await createWorld(backend, { gravity: [0, -GRAVITY, 0] });
    world.addRigidBody({ motion: "static", shape: { type: "box", halfExtents: [1, 0.5, 1] }, position: [0, -0.5, 0] });
    const mass = ratio * FINGER_MASS;
    const mesh = boxTetrahedra({ size: [SIZE, SIZE, SIZE], cells: [2, 2, 2] });
    const low = Math.min(...mesh.positions.filter((_, i) => i % 3 === 1));
    const positions = mesh.positions.map((x, i) => (i % 3 === 1 ? x - low + 0.004 : x));
    const material = { model: "corotational", youngsModulus, poissonRatio: 0.3, density: mass / SIZE ** 3 } as const;
    const body = world.addBody(solidModel({ solver, positions, tetrahedra: mesh.tetrahedra, material }), {
      friction: 0.8,
    });
    const hand = world.addMechanism(mechanismModel(gripper(FINGER_MASS, SIZE + 0.02)));
    const { q, qd, control } = hand.simulation;
    q[1] = ABOVE;
    hand.place();
    const height = async (): Promise<number> => {
      const { positions: now } = await body.readState();
      let sum = 0;
      for (let i = 1; i < now.length; i += 3) sum += now[i];
      return sum / body.particleCount;
    };
    const lifted = 1 + 2 * FINGER_MASS;
    let taken = 0;
    for (let frame = 0; frame < 80; frame++) {
      const t = frame / 60;
      const load = lifted + (t > 0.4 ? mass : 0);
      const way = Math.min(0.04, 0.2 * Math.max(0, t - 0.5));
      control[0] = (1 + load) * (400 * (0 - q[0]) - 30 * qd[0]);
      control[1] = load * (GRAVITY + 400 * (ABOVE + way - q[1]) - 30 * qd[1]);
      control[2] = control[3] = force;
      world.step(1 / 60);
      await world.settled();
      if (frame === 40) taken = (await height()) - q[1];
    }
    expect(q[1]).toBeGreaterThan(ABOVE + 0.035);
    expect(Math.abs((await height()) - q[1] - taken)).toBeLessThan(2e-3);
    expect(Math.abs(hand.contactForceOf("left")[0] / force + 1)).toBeLessThan(0.03);
    expect(Math.abs(hand.contactForceOf("right")[0] / force - 1)).toBeLessThan(0.03);
    world.dispose();
  });
});
