/** Bodies of different solvers meet in a world on a GPU: the CPU steps them while they are near each other. */
import { describe, expect, it } from "vitest";
import {
  boxTetrahedra,
  clothModel,
  gridMesh,
  ropeModel,
  solidModel,
  type BodyModel,
  type SolverName,
} from "../../src/index";
import type { DeformableBody } from "../../src/world/body";
import { inWorld, frameTime } from "./worlds";

const size = 0.3;

function cloth(solver: SolverName, height: number): BodyModel {
  const center = [0.003, height, 0.006] as const;
  return clothModel({
    solver,
    ...gridMesh({ width: size, height: size, columns: 4, rows: 4, center }),
    fabric: "denim",
  });
}

function solid(solver: SolverName, height: number): BodyModel {
  const mesh = boxTetrahedra({ size: [size, size / 2, size], cells: [3, 2, 3], center: [0, height, 0] });
  return solidModel({ solver, ...mesh, material: { youngsModulus: 1e5, poissonRatio: 0.3, density: 500 } });
}

function rope(solver: "gpbd" | "newton", height: number): BodyModel {
  const positions = Float64Array.from({ length: 27 }, (_, i) =>
    i % 3 === 0 ? i / 60 - 0.2 : i % 3 === 1 ? height : 0,
  );
  return ropeModel({ solver, positions, radius: 0.006, youngsModulus: 1e7, density: 500 });
}
const things: Readonly<Record<string, { half: number; make: (height: number) => BodyModel }>> = {
  "gpbd cloth": { half: 0.004, make: (y) => cloth("gpbd", y) },
  "newton cloth": { half: 0.004, make: (y) => cloth("newton", y) },
  "local-global cloth": { half: 0.004, make: (y) => cloth("local-global", y) },
  "gpbd solid": { half: size / 4, make: (y) => solid("gpbd", y) },
  "newton solid": { half: size / 4, make: (y) => solid("newton", y) },
  "local-global solid": { half: size / 4, make: (y) => solid("local-global", y) },
  "newton rope": { half: 0.006, make: (y) => rope("newton", y) },
  "gpbd rope": { half: 0.006, make: (y) => rope("gpbd", y) },
};

async function meanHeight(body: DeformableBody): Promise<number> {
  const { positions } = await body.readState();
  const { masses } = body.model;
  const mass = masses.reduce((sum, m) => sum + m, 0);
  return masses.reduce((sum, m, p) => sum + m * positions[3 * p + 1], 0) / mass;
}

describe("x", () => {
  it.each([
    ["newton solid", "newton solid"],
    ["local-global solid", "gpbd cloth"],
    ["gpbd cloth", "newton solid"],
    ["newton solid", "local-global cloth"],
  ])("on %s %s", async (lower, upper) => {
    await inWorld("webgpu", {}, async (world) => {
      world.addCollider({ type: "box", halfExtents: [5, 1, 5] }, { position: [0, -1, 0] });
      const [under, over] = [things[lower], things[upper]];
      const height = under.half + 0.002;
      const below = world.addBody(under.make(height));
      const above = world.addBody(over.make(height + under.half + over.half + 0.25));
      const lanes: string[] = [];
      for (let k = 0; k < 40; k++) {
        world.step(frameTime);
        await world.settled();
        lanes.push(`${below.lane}/${above.lane}`);
      }
      console.log(lower, upper, world.frame, lanes.filter((x, k) => x !== lanes[k - 1]).join(" "), lanes.findIndex((x, k) => k > 0 && x !== lanes[k - 1]));
      const between = (await meanHeight(above)) - (await meanHeight(below));
      console.log(between, under.half + over.half);
    });
  });
});
