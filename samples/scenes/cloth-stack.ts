import { surfaceIntersections } from "../../src/collision/surface/intersections";
import { joinSurfaces } from "../../src/collision/surface/surface-mesh";
import { gridMesh } from "../../src/index";
import { addCloth, clothInWorld, clothParameters, clothStepping, segmentsOf } from "../cloth";
import { rmsSpeed } from "../metrics";
import { Obstacle } from "../obstacles";
import { numberOf } from "../parameters";
import type { SceneDefinition } from "../scene";

const SIDE = 0.5;
const THICKNESS = 0.005;
const BOX = 0.12;
const APART = 0.04;

/** Sheets fall on a box one after another and lie on each other, all in one system. */
export const clothStack: SceneDefinition = {
  name: "cloth-stack",
  title: "Stack of cloths",
  description: "Five sheets of cloth, each turned a little against the last, fall on a box and lie on one another.",
  frames: 150,
  groundHeight: 0,
  view: { target: [0, 0.15, 0], alpha: 1.1, beta: 1.1, radius: 1.3 },
  parameters: [
    ...clothStepping({ resolution: 10, substeps: 10, iterations: 1 }),
    ...clothParameters({ resolution: 10, highest: 128, fabric: "cotton" }),
    { name: "sheets", default: 5, unit: "", range: [1, 20], integer: true, description: "how many" },
  ],
  metrics: [
    {
      name: "intersections",
      unit: "",
      bound: 0,
      description: "edges that pass through triangles, of the same sheet or of another, counted exactly at the end",
    },
    { name: "rmsSpeed", unit: "m/s", bound: 0.05, description: "root mean square speed at the end" },
    { name: "height", unit: "m", description: "of the highest sheet's middle above the box" },
  ],
  build(world, values, makeCloth = clothInWorld(world)) {
    world.gravity = [0, -9.81, 0];
    const [columns, rows] = segmentsOf(values, SIDE, SIDE);
    const box = new Obstacle(
      world,
      { type: "box", halfExtents: [0.12, BOX / 2, 0.12] },
      { name: "box", position: [0, BOX / 2, 0], friction: 0.5 },
      "wood",
    );
    world.addCollider(
      { type: "box", halfExtents: [2, 0.5, 2] },
      { name: "ground", position: [0, -0.5, 0], friction: 0.5 },
    );
    const sheets = Array.from({ length: numberOf(values, "sheets") }, (_, k) => {
      const mesh = gridMesh({ width: SIDE, height: SIDE, columns, rows, center: [0, 0, 0] });
      const turn = 0.5 * k;
      for (let i = 0; i < mesh.positions.length; i += 3) {
        const [x, z] = [mesh.positions[i], mesh.positions[i + 2]];
        mesh.positions[i] = Math.cos(turn) * x - Math.sin(turn) * z;
        mesh.positions[i + 1] = BOX + APART * (k + 1);
        mesh.positions[i + 2] = Math.sin(turn) * x + Math.cos(turn) * z;
      }
      return addCloth(makeCloth, values, {
        name: `sheet ${k}`,
        mesh,
        size: [SIDE, SIDE],
        options: { selfCollision: true, bodyCollision: true, thickness: THICKNESS, damping: 1, friction: 0.4 },
      });
    });
    const surface = joinSurfaces(
      sheets.map(({ restPositions, faces }) => ({ restPositions, faces, selfCollision: true, bodyCollision: true })),
    );
    return {
      props: [box],
      async measure() {
        const states = await Promise.all(sheets.map(({ body }) => body.readState()));
        const positions = Float64Array.from(states.flatMap((state) => [...state.positions]));
        const middle = Math.floor(sheets[0].masses.length / 2);
        return {
          intersections: surfaceIntersections(surface, positions).length,
          rmsSpeed: Math.max(...states.map((state, k) => rmsSpeed(state.velocities, sheets[k].masses))),
          height: states[states.length - 1].positions[3 * middle + 1] - BOX,
        };
      },
    };
  },
};
