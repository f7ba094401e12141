/** Solids of the Newton solver that fall on each other, in the middle and beside it. */
import { describe, expect, it } from "vitest";
import { surfaceIntersections } from "../../src/collision/surface/intersections";
import { joinSurfaces } from "../../src/collision/surface/surface-mesh";
import { boxTetrahedra, solidModel } from "../../src/index";
import { frameTime, inWorld } from "./worlds";

interface Fall {
  readonly size: number;
  readonly air: number;
  readonly density: number;
  /** of the upper solid beside the lower one [m] */
  readonly beside: number;
  readonly frames: number;
}

const fall: Fall = { size: 0.3, air: 0.1, density: 500, beside: 0, frames: 12 };

describe("a solid of the Newton solver on another one", () => {
  it.each<[string, Fall]>([
    ["of four times the density", { ...fall, density: 2000 }],
    ["beside its middle", { ...fall, beside: 0.1 }],
    ["of 1 cm, more than its size a frame", { ...fall, size: 0.01, air: 0.02 }],
  ])("does not sink into it: %s", async (_, { size, air, density, beside, frames }) => {
    await inWorld("cpu", {}, async (world) => {
      world.addCollider({ type: "box", halfExtents: [5, 1, 5] }, { position: [0, -1, 0] });
      const bodies = [0, 1].map((k) => {
        const center = [beside * k, size / 4 + 0.002 + (size / 2 + air) * k, 0.5 * beside * k] as const;
        const mesh = boxTetrahedra({ size: [size, size / 2, size], cells: [3, 2, 3], center });
        const material = { youngsModulus: 1e5, poissonRatio: 0.3, density: k === 1 ? density : 500 };
        return world.addBody(solidModel({ solver: "newton", ...mesh, material }));
      });
      const surface = joinSurfaces(
        bodies.map(({ model }) => ({
          restPositions: model.positions,
          faces: model.faces,
          selfCollision: false,
          bodyCollision: true,
        })),
      );
      for (let frame = 0; frame < frames; frame++) {
        world.step(frameTime);
        const states = await Promise.all(bodies.map((body) => body.readState()));
        const places = Float64Array.from(states.flatMap(({ positions }) => [...positions]));
        expect(surfaceIntersections(surface, places), `frame ${frame}`).toHaveLength(0);
      }
    });
  });
});
