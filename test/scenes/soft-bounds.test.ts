import { describe, expect, it } from "vitest";
import { restOnGround } from "../../bench/gpbd/finite-elements";
import { runScene } from "../../samples/run-scene";
import type { ParameterValue } from "../../samples/scene";
import { sceneNamed } from "../../samples/scenes/index";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import { boxTetrahedra, meshVolume } from "../../src/geometry/tetrahedra/tet-mesh";
import { expectWithin } from "../figures";

/** A run that is asserted, at a size and length for two cores. */
interface Run {
  readonly scene: string;
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  readonly frames?: number;
}

const runs: readonly Run[] = [
  { scene: "nh-flatten", parameters: { cells: 3 }, frames: 500 },
  { scene: "nh-randomize", parameters: { cells: 3 }, frames: 700 },
  { scene: "nh-twist", parameters: { cells: 3 } },
  { scene: "cube-impact", parameters: { cells: 3 }, frames: 40 },
];

describe("scenes of solids keep within their bounds", () => {
  it.each(runs)("$scene", { timeout: 300_000 }, async ({ scene, parameters, frames }) => {
    const definition = sceneNamed(scene);
    const { metrics } = await runScene(definition, { parameters, frames, backend: "cpu" });
    const bounded = definition.metrics.filter(({ bound }) => bound !== undefined);
    expect(bounded.length).toBeGreaterThan(0);
    for (const { name, bound } of bounded) expectWithin(`${scene}, ${name}`, metrics[name], bound!);
  });
});

describe.each(["cpu", "webgpu"] as const)("a cube at rest on %s", (backend) => {
  it("is the solution of finite elements on the same mesh", { timeout: 300_000 }, async () => {
    const cells = 5;
    const gpu = backend === "webgpu" ? (await loadWebGpu()).gpu : undefined;
    const { metrics } = await runScene(sceneNamed("soft-cube"), { parameters: { cells }, backend, gpu });
    const mesh = boxTetrahedra({ size: [0.5, 0.5, 0.5], cells: [cells, cells, cells], center: [0, 0.25, 0] });
    const material = { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 };
    const x = restOnGround(mesh, material, 9.81);
    const top = x.filter((_, i) => i % 3 === 1 && mesh.positions[i] > 0.4999);
    const height = top.reduce((sum, y) => sum + y, 0) / top.length;
    const lost = 1 - meshVolume(x, mesh.tetrahedra) / meshVolume(mesh.positions, mesh.tetrahedra);
    expectWithin("height loss [%]", Math.abs(metrics.heightLossPercent - 100 * (1 - height / 0.5)), 0.05);
    expectWithin("volume change [%]", Math.abs(metrics.volumeChangePercent - 100 * lost), 0.05);
    expectWithin("height loss, difference from theory [%]", metrics.heightTheoryPercent, 0.2);
    expectWithin("volume change, difference from theory [%]", metrics.volumeTheoryPercent, 0.2);
  });
});
