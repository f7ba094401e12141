import { describe, expect, it } from "vitest";
import { resolveParameters } from "../../samples/parameters";
import type { ParameterValue } from "../../samples/scene";
import { clothOnSphere } from "../../samples/scenes/cloth-on-sphere";
import type { World } from "../../src/world/world";
import { expectWithin } from "../figures";
import { largestDifference } from "../world/cloths";
import { frameTime, inWorld } from "../world/worlds";

/*
 * The scene's cloth is one meter: differences in meters are fractions of its size.
 *
 * A flat cloth that hits a sphere buckles, and rounding decides in which way: two runs of the f64 reference
 * whose start differs by 3e-8 m are 5e-3 m apart after 10 frames and 0.1 m after 30, as is usual for thin sheets. So the
 * trajectory of 30 frames is compared with thick air and long time steps, which suppress that (1e-4 m for the two runs);
 * with the scene's own parameters the backends are compared frame by frame, over fewer.
 */

type Settings = Readonly<Record<string, ParameterValue>>;

async function withScene<T>(settings: Settings, work: (cpu: World, webgpu: World) => Promise<T>): Promise<T> {
  const values = resolveParameters(clothOnSphere, settings);
  return inWorld("reference", {}, (cpu) =>
    inWorld("webgpu", {}, async (webgpu) => {
      await clothOnSphere.build(cpu, values);
      await clothOnSphere.build(webgpu, values);
      return work(cpu, webgpu);
    }),
  );
}

/** Largest distance between a particle on one backend and on the other after some frames [m]. */
function apartAfter(frames: number, settings: Settings): Promise<number> {
  return withScene(settings, async (cpu, webgpu) => {
    for (let frame = 0; frame < frames; frame++) {
      cpu.step(frameTime);
      webgpu.step(frameTime);
    }
    const [a, b] = [await cpu.bodies[0].readPositions(), await webgpu.bodies[0].readPositions()];
    // by then it is draped
    expect(Math.max(...b.filter((_, i) => i % 3 === 1)) - Math.min(...b.filter((_, i) => i % 3 === 1))).toBeGreaterThan(
      0.1,
    );
    return largestDifference(a, b);
  });
}

/** Largest distance between the backends after one frame from the same state [m]. */
function apartPerFrame(frames: number, settings: Settings): Promise<number> {
  return withScene(settings, async (cpu, webgpu) => {
    let worst = 0;
    for (let frame = 0; frame < frames; frame++) {
      cpu.bodies[0].writeState(await webgpu.bodies[0].readState());
      cpu.step(frameTime);
      webgpu.step(frameTime);
      const [a, b] = [await cpu.bodies[0].readPositions(), await webgpu.bodies[0].readPositions()];
      worst = Math.max(worst, largestDifference(a, b));
    }
    return worst;
  });
}

const slow = { fabric: "denim", damping: 20, substeps: 8 };

describe("cloth-on-sphere at 24 × 24 on the CPU and on WebGPU", () => {
  it.each(["gauss-seidel", "jacobi"])(
    "is the same after 30 frames, to a thousandth of the cloth: %s",
    async (method) => {
      expectWithin("30 frames apart [m]", await apartAfter(30, { resolution: 24, method, ...slow }), 1e-3);
    },
  );

  it("is stepped alike in each of 12 frames with the scene's own parameters", async () => {
    expectWithin("one frame apart [m]", await apartPerFrame(12, { resolution: 24 }), 2e-4);
  });
});

describe("cloth-on-sphere of every kind on the CPU and on WebGPU", () => {
  it.each([
    { method: "gauss-seidel", membrane: "stvk", bending: "dihedral" },
    { method: "gauss-seidel", membrane: "neo-hookean", bending: "isometric" },
    { method: "gauss-seidel", membrane: "springs", bending: "dihedral" },
    { method: "jacobi", membrane: "stvk", bending: "isometric" },
    { method: "jacobi", membrane: "neo-hookean", bending: "dihedral" },
    { method: "jacobi", membrane: "springs", bending: "isometric" },
    { method: "hybrid", membrane: "stvk", bending: "dihedral" },
    { method: "hybrid", membrane: "neo-hookean", bending: "isometric" },
  ])("is the same: $method, $membrane, $bending", async (kind) => {
    const settings = { resolution: 14, ...kind };
    const apart = await apartAfter(30, { ...settings, ...slow, substeps: 5, iterations: 2 });
    expectWithin("30 frames apart [m]", apart, 1e-3);
    expectWithin("one frame apart [m]", await apartPerFrame(4, settings), 1e-3);
  });
});
