import { gridMesh, clothModel, type World } from "../../src/index";
import { addCloth, clothInWorld, clothParameters, clothStepping, fabricOf, segmentsOf } from "../../samples/cloth";
import { maxStretchPercent, meanStretchPercent, rmsSpeed, uniqueEdges } from "../../samples/metrics";
import { numberOf } from "../../samples/parameters";
import type { ParameterValues, SceneDefinition } from "../../samples/scene";

const SIDE = 1;

/**
 * A square of one meter, held by two corners, falls from level to its hanging shape. Nothing touches it, so that a frame is the work of the
 * cloth alone. It serves the benchmark only; `flag` and `curtain` show similar scenes. With solver `local-global`, `substeps` and
 * `iterations` are those of that solver.
 */
export const hangingCloth: SceneDefinition = {
  name: "hanging-cloth",
  title: "Hanging cloth",
  description: "A square cloth that two of its corners hold swings down and hangs.",
  frames: 150,
  groundHeight: -1.2,
  view: { target: [0, -0.5, 0], alpha: 1.1, beta: 1.25, radius: 2.5 },
  parameters: [
    ...clothStepping({ resolution: 32, substeps: 26, iterations: 1 }),
    ...clothParameters({ resolution: 32, fabric: "cotton" }),
    {
      name: "solver",
      default: "gpbd",
      unit: "",
      choices: ["gpbd", "local-global"],
      description: "what the cloth is stepped with",
    },
    { name: "damping", default: 6, unit: "1/s", range: [0, 20], description: "rate at which velocities fade" },
  ],
  metrics: [
    { name: "maxStretchPercent", unit: "%", description: "largest elongation of an edge at the end" },
    {
      name: "meanStretchPercent",
      unit: "%",
      description: "mean elongation of the edges, those that are shorter as none",
    },
    {
      name: "sagPercent",
      unit: "%",
      description: "how much lower the middle of the lower edge is than that of a cloth that cannot stretch",
    },
    { name: "rmsSpeed", unit: "m/s", description: "root mean square speed at the end" },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -9.81, 0];
    const [columns, rows] = segmentsOf(values, SIDE, SIDE);
    const mesh = gridMesh({ width: SIDE, height: SIDE, columns, rows });
    const corners = [0, columns];
    const lowest = rows * (columns + 1) + Math.floor(columns / 2);
    const damping = numberOf(values, "damping");
    const options = { damping, airDensity: 0 };
    const body =
      values.solver === "local-global"
        ? localGlobalBody(world, values, mesh, { ...options, pins: corners })
        : addCloth(makeCloth, values, { name: "cloth", mesh, size: [SIDE, SIDE], pins: corners, options }).body;
    const { positions: rest, masses, faces } = body.model;
    const edges = uniqueEdges(faces);
    return {
      props: [],
      async measure() {
        const { positions, velocities } = await body.readState();
        return {
          maxStretchPercent: maxStretchPercent(positions, rest, edges),
          meanStretchPercent: meanStretchPercent(positions, rest, edges),
          sagPercent: 100 * (-positions[3 * lowest + 1] / SIDE - 1),
          rmsSpeed: rmsSpeed(velocities, masses),
        };
      },
    };
  },
};

function localGlobalBody(
  world: World,
  values: ParameterValues,
  { positions, indices, uvs }: ReturnType<typeof gridMesh>,
  options: { damping: number; airDensity: number; pins: number[] },
) {
  const model = clothModel({
    solver: "local-global",
    positions,
    indices,
    uvs,
    fabric: fabricOf(values),
    name: "cloth",
  });
  return world.addBody(model, {
    substeps: numberOf(values, "substeps"),
    iterations: numberOf(values, "iterations"),
    ...options,
  });
}
