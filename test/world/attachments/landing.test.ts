/** Bodies of other solvers that land on the ground with a thick rope of GPBD tied to their underside. */
import { describe, expect, it } from "vitest";
import { addAttachment, boxTetrahedra, ropeModel, solidModel, type SolverName } from "../../../src/index";
import { inWorld } from "../worlds";
import { GRAVITY } from "./hanging";

/** [m] */
const size = 0.004;
const solvers: readonly SolverName[] = ["newton", "local-global"];

describe.each(solvers)("a cube of %s with a rope under it", (solver) => {
  it("lands, and does not rise again", () =>
    inWorld("cpu", { gravity: [0, -GRAVITY, 0] }, async (world) => {
      world.addRigidBody({
        motion: "static",
        shape: { type: "box", halfExtents: [100 * size, size, 100 * size] },
        position: [0, -size, 0],
      });
      const mesh = boxTetrahedra({ size: [size, size, size], cells: [2, 2, 2], center: [0, 3 * size, 0] });
      const material = { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 };
      const cube = world.addBody(solidModel({ solver, ...mesh, material }));
      const [vertex, place] = [0, Array.from(mesh.positions.slice(0, 3))];
      const positions = Array.from({ length: 13 }, (_, i) => [place[0], place[1] - (size * i) / 6, place[2]]).flat();
      const rope = world.addBody(ropeModel({ positions, radius: 0.03 * size, density: 1000 }));
      addAttachment(world, { body: rope, vertices: [0], to: { body: cube, vertices: [vertex] } });
      await world.whenReadyAsync();
      let [lowest, rise] = [Infinity, 0];
      for (let frame = 0; frame < 30; frame++) {
        world.step(1 / 30);
        const { positions: x } = await cube.readState();
        const height = Array.from(x.filter((_, i) => i % 3 === 1)).reduce((sum, y) => sum + y, 0) / cube.particleCount;
        lowest = Math.min(lowest, height);
        rise = Math.max(rise, height - lowest);
      }
      // A cube that tips over an edge rises by a fifth of its size.
      expect(rise / size).toBeLessThan(0.3);
    }));
});
