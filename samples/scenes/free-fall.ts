import { distance, norm } from "../../src/math/vectors";
import { gridMesh, type Vec3 } from "../../src/index";
import { addCloth, clothInWorld, clothParameters, clothStepping, segmentsOf } from "../cloth";
import { angularMomentum, centerOfMass, linearMomentum, totalMass } from "../metrics";
import { numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";

const SIDE = 0.6;

/** A cloth flies freely: its center of mass follows the integrator's closed form, and its momenta are conserved. */
export const freeFall: SceneDefinition = {
  name: "free-fall",
  title: "Free fall",
  description: "A thrown, slowly spinning cloth touches nothing. Momentum changes by gravity only.",
  frames: 30,
  groundHeight: -2,
  view: { target: [0.2, -0.5, 0], alpha: -1.1, beta: 1.25, radius: 2.6 },
  parameters: [
    ...clothStepping({ resolution: 16, substeps: 20, iterations: 1 }),
    ...clothParameters({ resolution: 16, highest: 128, fabric: "cotton" }),
    { name: "gravity", default: 9.81, unit: "m/s²", range: [0, 30], description: "gravitational acceleration" },
    { name: "speed", default: 1, unit: "m/s", range: [0.1, 20], description: "initial horizontal speed" },
    {
      name: "spin",
      default: 0.3,
      unit: "rad/s",
      range: [0.05, 20],
      description: "initial rotation; backward Euler itself slows it by the fraction spin² h t",
    },
  ],
  metrics: [
    {
      name: "centerOfMassError",
      unit: "",
      bound: 1e-4,
      description: "center of mass against x₀ + v₀ t + g h² n (n + 1) / 2, as a fraction of the way",
    },
    {
      name: "linearMomentumDrift",
      unit: "",
      bound: 1e-4,
      description: "change of the linear momentum that gravity does not explain, as a fraction",
    },
    {
      name: "angularMomentumDrift",
      unit: "",
      bound: 1e-4,
      description: "change of the angular momentum about the center of mass, as a fraction",
    },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    const gravity = numberOf(values, "gravity");
    world.gravity = [0, -gravity, 0];
    const [columns, rows] = segmentsOf(values, SIDE, SIDE);
    const cloth = addCloth(makeCloth, values, {
      name: "cloth",
      mesh: gridMesh({ width: SIDE, height: SIDE, columns, rows }),
      size: [SIDE, SIDE],
      options: { airDensity: 0, damping: 0 },
    });
    const mass = totalMass(cloth.masses);
    const velocity: Vec3 = [numberOf(values, "speed"), 0, 0];
    const velocities = spinning(cloth.restPositions, velocity, numberOf(values, "spin"));
    cloth.body.writeState({ positions: cloth.restPositions, velocities });
    const startTime = world.time;
    const start = centerOfMass(cloth.restPositions, cloth.masses);
    const startSpin = angularMomentum(cloth.restPositions, velocities, cloth.masses);
    return {
      props: [],
      async measure() {
        const { positions, velocities: current } = await cloth.body.readState();
        const momentum = linearMomentum(current, cloth.masses);
        const spin = angularMomentum(positions, current, cloth.masses);
        const h = numberOf(values, "frameTime") / numberOf(values, "substeps");
        const n = Math.round((world.time - startTime) / h);
        const centre: Vec3 = [start[0] + velocity[0] * n * h, start[1] - (gravity * h * h * n * (n + 1)) / 2, start[2]];
        const expected: Vec3 = [mass * velocity[0], -mass * gravity * n * h, 0];
        const way = distance(centre, start);
        return {
          centerOfMassError: distance(centerOfMass(positions, cloth.masses), centre) / way,
          linearMomentumDrift: distance(momentum, expected) / norm(expected),
          angularMomentumDrift: distance(spin, startSpin) / norm(startSpin),
        };
      },
    };
  },
};

/** Velocities of a rigid motion: `velocity`, and `spin` rad/s about the vertical axis through the origin. */
function spinning(positions: ArrayLike<number>, velocity: Vec3, spin: number): Float64Array {
  const velocities = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    velocities[i] = velocity[0] + spin * positions[i + 2];
    velocities[i + 1] = velocity[1];
    velocities[i + 2] = velocity[2] - spin * positions[i];
  }
  return velocities;
}
