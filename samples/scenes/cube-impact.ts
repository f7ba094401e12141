import { meshVolume } from "../../src/geometry/tetrahedra/tet-mesh";
import { linearMomentum, totalMass } from "../metrics";
import { Obstacle } from "../obstacles";
import { numberOf } from "../parameters";
import { addSolidBox, minDeterminant, solidParameters } from "../solids";
import type { SceneDefinition } from "../scene";

const SIDE = 0.5;
const GAP = 1e-3;
const START = 0.3;

/** A soft cube hits a plate at speed (table 2 of paper 1; `cells` 25 makes its 93,750 tetrahedra). */
export const cubeImpact: SceneDefinition = {
  name: "cube-impact",
  title: "Impact",
  description: "A cube of log-barrier neo-Hookean hits a plate at 8 m/s, is flattened, and bounces.",
  // At the end it is in the air again: the second impact comes after a second.
  frames: 50,
  groundHeight: -0.1,
  view: { target: [0, 0.4, 0], alpha: -1.1, beta: 1.25, radius: 2.6 },
  parameters: [
    ...solidParameters({
      cells: 8,
      // As many sweeps as table 2 has in a frame: 17 time steps of three iterations. If 93,750 tetrahedra are flattened this fast, that
      // leaves some inside out: the neighbors' next sweep undoes the repair of one sweep. A step for each sweep frees all of them.
      substeps: 51,
      iterations: 1,
      newtonIterations: 3,
      model: "neo-hookean",
      poissonRatio: 0.45,
    }),
    { name: "speed", default: 8, unit: "m/s", range: [0, 30], description: "downward, at first" },
  ],
  metrics: [
    { name: "inverted", unit: "", bound: 0, description: "1 where a tetrahedron is inside out at the end, else 0" },
    { name: "stuck", unit: "", bound: 0, description: "1 where it has not bounced, else 0" },
    {
      name: "restitution",
      unit: "",
      description: "greatest upward speed of its center of mass over that of the impact",
    },
    { name: "compression", unit: "", description: "least height of the body over that at rest" },
    { name: "minDeterminant", unit: "", description: "least determinant of a deformation gradient at the end" },
    { name: "volumeChangePercent", unit: "%", bound: 3, description: "at the end, absolute" },
  ],
  build(world, values) {
    world.gravity = [0, -9.81, 0];
    const plate = new Obstacle(
      world,
      { type: "box", halfExtents: [1, 0.05, 1] },
      { name: "plate", position: [0, -0.05, 0], friction: 0.5 },
      "steel",
    );
    const { body, model } = addSolidBox(
      world,
      values,
      { size: [SIDE, SIDE, SIDE], center: [0, START + SIDE / 2, 0] },
      { thickness: GAP },
    );
    const speed = numberOf(values, "speed");
    const rest = model.positions;
    body.writeState({ positions: rest, velocities: rest.map((_, i) => (i % 3 === 1 ? -speed : 0)) });
    const mass = totalMass(model.masses);
    let [fastest, rebound, least] = [0, 0, SIDE];
    return {
      props: [plate],
      softs: [{ body, material: "clay" }],
      async afterStep() {
        const { positions, velocities } = await body.readState();
        const upward = linearMomentum(velocities, model.masses)[1] / mass;
        fastest = Math.max(fastest, -upward);
        rebound = Math.max(rebound, upward);
        let [low, high] = [Infinity, -Infinity];
        for (let i = 1; i < positions.length; i += 3) {
          low = Math.min(low, positions[i]);
          high = Math.max(high, positions[i]);
        }
        least = Math.min(least, high - low);
      },
      async measure() {
        const { positions } = await body.readState();
        const determinant = minDeterminant(model, positions);
        const volume = meshVolume(positions, model.tetrahedra) / meshVolume(rest, model.tetrahedra);
        return {
          inverted: determinant > 0 ? 0 : 1,
          stuck: rebound > 0.2 * fastest ? 0 : 1,
          restitution: rebound / fastest,
          compression: least / SIDE,
          minDeterminant: determinant,
          volumeChangePercent: 100 * Math.abs(volume - 1),
        };
      },
    };
  },
};
