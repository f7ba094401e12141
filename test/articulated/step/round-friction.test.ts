import { describe, expect, it } from "vitest";
import type { LinkShape, MechanismDescription } from "../../../src/articulated/description";
import { ArticulatedSimulation } from "../../../src/articulated/step/simulation";
import type { SimulationOptions } from "../../../src/articulated/step/options";
import { stackJacobians, stepDifferences, blockError } from "./differences";

const floor: readonly LinkShape[] = [{ shape: { type: "box", halfExtents: [50, 5, 50] }, position: [0, -5, 0] }];
const MU = 0.4;
const G = 9.81;

/** A puck that does not turn, or a free box, of a size, on the floor. */
function slider(size: number, kind: "puck" | "box"): MechanismDescription {
  const mass = 800 * size ** 3;
  const moment = (mass * (2 * size) ** 2) / 6;
  const inertia = [moment, moment, moment, 0, 0, 0] as const;
  if (kind === "box")
    return {
      name: kind,
      links: [
        {
          name: kind,
          mass,
          inertia,
          joint: { type: "free", initialPosition: [0, 0, 0, 0, size, 0] },
          shapes: [{ shape: { type: "box", halfExtents: [size, size, size] }, friction: MU }],
        },
      ],
    };
  const axis = (name: string, direction: readonly [number, number, number], parent?: string) => ({
    name,
    ...(parent === undefined ? {} : { parent }),
    mass: name === "z" ? mass : 1e-6 * mass,
    inertia,
    joint: { type: "prismatic" as const, axis: direction, initialPosition: name === "y" ? size : 0 },
    ...(name === "z" ? { shapes: [{ shape: { type: "sphere" as const, radius: size } }] } : {}),
  });
  return { name: kind, links: [axis("x", [1, 0, 0]), axis("y", [0, 1, 0], "x"), axis("z", [0, 0, 1], "y")] };
}

/** Slides at an angle until it rests; the way along the first direction and aside, as parts of v² / (2 µ g). */
function slide(size: number, kind: "puck" | "box", angle: number, options: SimulationOptions): [number, number] {
  const speed = Math.sqrt(10 * size * MU * G);
  const timeStep = speed / (MU * G) / 200;
  const simulation = new ArticulatedSimulation(slider(size, kind), {
    timeStep,
    ground: floor,
    friction: MU,
    fastMotion: "whole",
    ...options,
  });
  const { q, qd } = simulation;
  const [x, z] = kind === "box" ? [3, 5] : [0, 2];
  qd[x] = speed * Math.cos(angle);
  qd[z] = speed * Math.sin(angle);
  for (let i = 0; i < 220; i++) simulation.step();
  expect(Math.max(...qd.map(Math.abs))).toBeLessThan(1e-9 * speed);
  const most = speed ** 2 / (2 * MU * G);
  return [
    (q[x] * Math.cos(angle) + q[z] * Math.sin(angle)) / most,
    (q[z] * Math.cos(angle) - q[x] * Math.sin(angle)) / most,
  ];
}

describe("round friction", () => {
  it.each([
    [0.05, "puck"],
    [0.5, "puck"],
    [5, "puck"],
    [0.05, "box"],
    [0.5, "box"],
  ] as const)("a thing of %d m (%s) slides as far in every direction, and straight", (size, kind) => {
    for (const angle of [0.3, Math.PI / 4, -2.5]) {
      const [along, aside] = slide(size, kind, angle, { frictionCone: "round" });
      // The step in which it stops.
      expect(Math.abs(along - 1)).toBeLessThan(0.011);
      expect(Math.abs(aside)).toBeLessThan(1e-6);
    }
  });

  it("is needed: pyramids stop things early at 45°, and turn them at 22°", () => {
    expect(slide(0.5, "puck", Math.PI / 4, {})[0]).toBeLessThan(0.75);
    expect(Math.abs(slide(0.5, "puck", Math.PI / 8, {})[1])).toBeGreaterThan(0.02);
  });

  it("bounds the force of what sticks in all directions alike", () => {
    // Pulled by 1.2 µ m g at 45°: outside of the cone, inside of the pyramid.
    for (const [pull, moves] of [
      [0.98, false],
      [1.2, true],
    ] as const) {
      const simulation = new ArticulatedSimulation(slider(0.5, "puck"), {
        timeStep: 0.01,
        ground: floor,
        friction: MU,
        frictionCone: "round",
      });
      const mass = 800 * 0.5 ** 3 * (1 + 2e-6);
      const force = pull * MU * mass * G * Math.SQRT1_2;
      for (let i = 0; i < 100; i++) {
        simulation.control[0] = force;
        simulation.control[2] = force;
        simulation.step();
      }
      const speed = Math.sqrt(simulation.qd[0] ** 2 + simulation.qd[2] ** 2);
      if (moves) expect(Math.abs(speed / ((pull - 1) * MU * G) - 1)).toBeLessThan(1e-4);
      else expect(speed).toBeLessThan(1e-9);
      expect(Math.abs(simulation.qd[0] - simulation.qd[2])).toBeLessThan(1e-5 * Math.max(speed, 1e-4));
    }
  });

  it.each([
    [0.1, 0.7, "ball", 1e-6],
    [3, 2.2, "ball", 1e-6],
    [0.1, 0.7, "stool", 1e-6],
    [2, -2.2, "stool", 1e-6],
    // Four corners share the load in many ways; the shortest forces depend on compliances, whose changes are left out.
    [0.5, -0.4, "box", 3e-3],
  ] as const)(
    "has derivatives where a thing of %d m turns while it slides at %d rad (%s)",
    (size, angle, kind, bound) => {
      const [link] = slider(size, "box").links;
      const s = 0.9 * size;
      const shape = {
        ball: { type: "sphere", radius: size },
        box: { type: "box", halfExtents: [size, size, size] },
        stool: { type: "convex-hull", positions: [s, -size, 0, -s, -size, s, -s, -size, -s, 0, size, 0] },
      } as const;
      const simulation = new ArticulatedSimulation(
        { name: kind, links: [{ ...link, shapes: [{ shape: shape[kind], friction: MU }] }] },
        { timeStep: 0.005, ground: floor, friction: 2 * MU, frictionCone: "round", fastMotion: "whole" },
      );
      const { q, qd, control } = simulation;
      q[4] -= 1e-4 * size;
      const speed = 2 * Math.sqrt(size);
      qd.set([0, 0.3 * (speed / size), 0, speed * Math.cos(angle), -0.1 * speed, speed * Math.sin(angle)]);
      control.set([0, 0, 0, 1, -2, 0.5]);
      simulation.setParameters([
        { kind: "friction", link: "box" },
        { kind: "mass", link: "box" },
      ]);
      const numeric = stepDifferences(simulation, 1e-4);
      expect(simulation.contacts.count).toBe({ ball: 1, stool: 3, box: 4 }[kind]);
      expect(blockError(stackJacobians(simulation.jacobians(), simulation.nv), numeric, simulation.nv)).toBeLessThan(
        bound,
      );
    },
  );
});
