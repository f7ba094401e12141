import { describe, expect, it } from "vitest";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import { RigidWorld } from "../../../src/world/rigid/rigid-world";

const G = 9.81;
type Scene = (s: number, dt: number) => number[];

function floorOf(world: RigidWorld, s: number, tilt = 0): void {
  world.addBody({
    motion: "static",
    shape: { type: "box", halfExtents: [50 * s, s, 50 * s] },
    position: [s * Math.sin(tilt), -s * Math.cos(tilt), 0],
    rotation: [0, 0, Math.sin(tilt / 2), Math.cos(tilt / 2)],
    friction: 0.3,
  });
}

const frames = 60;

/** Places at the end, in units of the scene. The greatest angular speed is an option in rad/s, which small links would exceed. */
const scenes: Record<string, Scene> = {
  stack: (s, dt) => {
    const world = new RigidWorld();
    floorOf(world, s);
    const half = 0.25 * s;
    const boxes = [0, 1, 2].map((i) =>
      world.addBody({
        mass: 1,
        shape: { type: "box", halfExtents: [half, half, half] },
        position: [0.02 * i * s, (0.25 + 0.5 * i) * s, 0],
      }),
    );
    for (let k = 0; k < frames; k++) world.step(dt);
    return boxes.flatMap((box) => box.position.map((x) => x / s));
  },
  slope: (s, dt) => {
    const world = new RigidWorld();
    floorOf(world, s, 0.5);
    const half = 0.2 * s;
    const box = world.addBody({
      mass: 1,
      shape: { type: "box", halfExtents: [half, half, half] },
      position: [-Math.sin(0.5) * half, Math.cos(0.5) * half, 0],
      rotation: [0, 0, Math.sin(0.25), Math.cos(0.25)],
      friction: 0.3,
    });
    for (let k = 0; k < frames; k++) world.step(dt);
    return box.position.map((x) => x / s);
  },
  pendulum: (s, dt) => {
    const world = new RigidWorld();
    const links = [world.addBody({ motion: "static", position: [0, 5 * s, 0] })];
    for (let i = 1; i <= 4; i++) {
      const shape = { type: "box", halfExtents: [0.25 * s, 0.05 * s, 0.05 * s] } as const;
      const link = world.addBody({
        mass: 1,
        shape,
        position: [(0.5 * i - 0.25) * s, 5 * s, 0],
        collideWith: 0,
        maxAngularSpeed: 1e4,
      });
      const pivotA: [number, number, number] = [i === 1 ? 0 : 0.25 * s, 0, 0];
      world.addJoint({ type: "ball", bodyA: links[i - 1], bodyB: link, pivotA, pivotB: [-0.25 * s, 0, 0] });
      links.push(link);
    }
    for (let k = 0; k < frames; k++) world.step(dt);
    return links.flatMap((link) => link.position.map((x) => x / s));
  },
  mechanism: (s, dt) => {
    const inertia = [0.01 * s * s, 0.02 * s * s, 0.03 * s * s, 0, 0, 0] as const;
    const simulation = new ArticulatedSimulation(
      {
        name: "arm",
        links: [
          { name: "upper", mass: 1, inertia, centerOfMass: [0.3 * s, 0, 0], joint: { type: "ball" } },
          {
            name: "lower",
            parent: "upper",
            mass: 1,
            inertia,
            centerOfMass: [0.2 * s, 0, 0],
            joint: { type: "revolute", parentFrame: { position: [0.6 * s, 0, 0] } },
          },
        ],
      },
      { timeStep: dt / 4, gravity: [0, -G, 0] },
    );
    for (let k = 0; k < frames * 4; k++) simulation.step();
    return [...simulation.q];
  },
};

describe("scenes of things of millimetres, metres and kilometres in the same gravity", () => {
  it.each(Object.keys(scenes))("%s moves alike, times by the root of lengths", (name) => {
    const metres = scenes[name](1, 1 / 60);
    for (const s of [1e-3, 1e3]) {
      const other = scenes[name](s, Math.sqrt(s) / 60);
      other.forEach((x, i) => expect(Math.abs(x - metres[i]), `${s}: ${i}`).toBeLessThan(1e-6));
    }
  });
});
