import { rmsSpeed } from "../metrics";
import { random } from "../rigid";
import { addSolidBox, maxVertexError, minDeterminant, solidParameters } from "../solids";
import type { Metric, SceneDefinition } from "../scene";

/** The cube is one meter wide, and one meter above the ground. */
const SIDE = 1;

const metrics: readonly Metric[] = [
  {
    name: "maxVertexError",
    unit: "",
    bound: 0.01,
    description:
      "distance of a vertex from where it rests, after the rigid motion that fits best, over the cube's edge",
  },
  {
    name: "inverted",
    unit: "",
    bound: 0,
    description: "1 where a tetrahedron is flat or inside out at the end, else 0",
  },
  { name: "minDeterminant", unit: "", description: "least determinant of a deformation gradient at the end" },
  { name: "rmsSpeed", unit: "m/s", description: "root mean square speed at the end" },
];

/** A cube of log-barrier neo-Hookean starts without its shape (section 5.3 of paper 1). */
function recovery(
  about: Pick<SceneDefinition, "name" | "title" | "description">,
  newtonIterations: number,
  disfigure: (rest: Float64Array) => Float64Array,
): SceneDefinition {
  return {
    ...about,
    frames: 2000,
    groundHeight: -SIDE,
    view: { target: [0, 0, 0], alpha: -1.1, beta: 1.2, radius: 3.6 },
    parameters: solidParameters({
      cells: 8,
      frameTime: 0.01,
      substeps: 1,
      iterations: 2,
      newtonIterations,
      // Color by color, elements that are inside out throw each other about; the mean calms them.
      method: "jacobi",
      model: "neo-hookean",
      poissonRatio: 0.4995,
    }),
    metrics,
    build(world, values) {
      world.gravity = [0, 0, 0];
      const { body, model } = addSolidBox(world, values, { size: [SIDE, SIDE, SIDE], center: [0, 0, 0] });
      body.writeState({
        positions: disfigure(model.positions),
        velocities: new Float64Array(model.positions.length),
      });
      return {
        props: [],
        softs: [{ body, material: "amber" }],
        async measure() {
          const { positions, velocities } = await body.readState();
          const least = minDeterminant(model, positions);
          return {
            maxVertexError: maxVertexError(model, positions) / SIDE,
            inverted: least > 0 ? 0 : 1,
            minDeterminant: least,
            rmsSpeed: rmsSpeed(velocities, model.masses),
          };
        },
      };
    },
  };
}

export const nhFlatten = recovery(
  {
    name: "nh-flatten",
    title: "From a plane",
    description: "A nearly incompressible cube, pressed into a plane, finds back to its shape.",
  },
  6,
  (rest) => rest.map((value, i) => (i % 3 === 1 ? 0 : value)),
);

export const nhRandomize = recovery(
  {
    name: "nh-randomize",
    title: "From noise",
    description: "The vertices of a nearly incompressible cube begin at random places and find back to its shape.",
  },
  8,
  (rest) => {
    const next = random(1);
    return rest.map(() => SIDE * (next() - 0.5));
  },
);
