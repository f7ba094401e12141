import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { curl, hylcFabrics, pullOn, type HylcFabric } from "../../samples/hylc";
import { runScene } from "../../samples/run-scene";
import type { ParameterValue } from "../../samples/scene";
import { hylcDrape } from "../../samples/scenes/hylc-drape";
import { hylcStretch } from "../../samples/scenes/hylc-stretch";
import { flag } from "../../samples/scenes/flag";
import { trampoline } from "../../samples/scenes/trampoline";
import { clothModel, Fabric, fabrics, gridMesh, World, writeHylcTable } from "../../src/index";
import { expectRefused, expectRejected } from "../refusal";

type Parameters = Readonly<Record<string, ParameterValue>>;

/** Coarse and short: the asserted effects are much larger than the difference that this makes. */
const small = { resolution: 8, substeps: 10 };

async function stretched(parameters: Parameters, frames = 20): Promise<Record<string, number>> {
  const { metrics } = await runScene(hylcStretch, { parameters: { ...small, ...parameters }, frames, backend: "cpu" });
  return { ...metrics };
}

/** Curl of a free patch of five centimeters, in segments of five millimeters, after a fifth of a second without gravity. */
async function curlOf(fabric: HylcFabric): Promise<{ warp: number; weft: number }> {
  const columns = 10;
  const world = await World.create({ backend: "cpu" });
  world.gravity = [0, 0, 0];
  const grid = gridMesh({ width: 0.05, height: 0.05, columns, rows: columns });
  const body = world.addBody(clothModel({ ...grid, fabric }), { substeps: 20, damping: 10 });
  for (let frame = 0; frame < 12; frame++) world.step(1 / 60);
  const positions = await body.readPositions();
  world.dispose();
  return { warp: curl(positions, columns, "x"), weft: curl(positions, columns, "y") };
}

async function draped(fabric: HylcFabric, parameters: Parameters = {}, frames = 30): Promise<Record<string, number>> {
  const all = { ...small, fabric, ...parameters };
  return { ...(await runScene(hylcDrape, { parameters: all, frames, backend: "cpu" })).metrics };
}

describe("a sheet that is stretched evenly", () => {
  it("pulls with the force that was measured, times its width", () => {
    const force = (strain: number): number => 30 * strain + 200 * strain ** 3;
    const points = Array.from({ length: 30 }, (_, i): [number, number] => [0.02 * (i + 1), force(0.02 * (i + 1))]);
    const line = [[100, 1e-3]] as const;
    const curves = { areaDensity: 0.2, warp: points, weft: points, shear: points, bendWarp: line, bendWeft: line };
    const grid = gridMesh({ width: 0.2, height: 0.1, columns: 6, rows: 3 });
    const { terms, positions } = clothModel({ ...grid, fabric: Fabric.fromCurves(curves) });
    const end = new Set([...positions.keys()].filter((i) => i % 3 === 0 && positions[i] > 0.099).map((i) => i / 3));
    for (const strain of [0.05, 0.2, 0.45]) {
      const stretched = positions.map((x, i) => (i % 3 === 0 ? x * (1 + strain) : x));
      expect(end.size).toBe(4);
      expect(-pullOn(terms[0], stretched, end, [1, 0, 0]) / (0.1 * force(strain))).toBeCloseTo(1, 1);
    }
  });

  it("needs a fabric with a table", () => {
    const grid = gridMesh({ width: 1, height: 1, columns: 2, rows: 2 });
    expectRefused(() => clothModel({ ...grid, membrane: "hylc" }), "invalid-argument", /membrane: needs a fabric with/);
    expect(clothModel({ ...grid, fabric: "satin" }).terms.map(({ kind }) => kind)).toEqual(["hylc"]);
    expect(clothModel({ ...grid, fabric: "satin", membrane: "stvk" }).terms).toHaveLength(2);
  });
});

describe("hylc-stretch", () => {
  it.each(hylcFabrics)("%s draws in where it is stretched, along either axis", async (fabric) => {
    for (const axis of ["x", "y"]) {
      const { widthAtMiddle, tension } = await stretched({ fabric, axis });
      expect(tension).toBeGreaterThan(0.5);
      expect(widthAtMiddle).toBeLessThan(0.3);
      expect(widthAtMiddle).toBeGreaterThan(0.03);
    }
  });

  it("needs five times the force along the ribs of a rib knit than across them", async () => {
    const [across, along] = [await stretched({ axis: "x", pull: 0.03 }), await stretched({ axis: "y", pull: 0.03 })];
    expect(along.tension / across.tension).toBeGreaterThan(5);
  });

  it("takes a table from a file, and refuses one that is not there", async () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-table-"));
    try {
      const file = path.join(folder, "basket.json");
      fs.writeFileSync(file, writeHylcTable(fabrics.basket.table!));
      const pull = { fabric: "basket", pull: 0.01 };
      expect(await stretched({ ...pull, table: file }, 4)).toEqual(await stretched(pull, 4));
      fs.writeFileSync(file, "{}");
      await expectRejected(stretched({ table: file }, 1), "invalid-argument", /coeffs: must be an object/);
    } finally {
      fs.rmSync(folder, { recursive: true });
    }
    await expectRejected(
      stretched({ table: "/nowhere.json" }, 1),
      "invalid-argument",
      /must be a file that can be read/,
    );
  });
});

describe("natural curvature", () => {
  it("curls the free sides of stockinette in opposite senses, those of honeycomb in one, and leaves satin flat", async () => {
    const [knit, comb, woven] = [await curlOf("stockinette"), await curlOf("honeycomb"), await curlOf("satin")];
    expect(knit.warp).toBeLessThan(-20);
    expect(knit.weft).toBeGreaterThan(20);
    expect(comb.warp).toBeGreaterThan(5);
    expect(comb.weft).toBeGreaterThan(5);
    expect(Math.max(Math.abs(woven.warp), Math.abs(woven.weft))).toBeLessThan(1e-3);
  });
});

describe("hylc-drape", () => {
  it("comes to hang over its sphere", async () => {
    const { sag, widthAtMiddle, rmsSpeed } = await draped("honeycomb", { axis: "y" }, 60);
    expect(sag).toBeGreaterThan(0.08);
    expect(sag).toBeLessThan(0.35);
    expect(widthAtMiddle).toBeLessThan(0.3);
    expect(rmsSpeed).toBeLessThan(0.2);
  });

  it("curls the sides of stockinette in opposite senses as it hangs", async () => {
    const { curlWarp, curlWeft } = await draped("stockinette", { resolution: 12, substeps: 16 });
    expect(curlWarp).toBeLessThan(-4);
    expect(curlWeft).toBeGreaterThan(4);
  });
});

describe.each(["stockinette", "rib"])("other scenes with %s", (fabric) => {
  it("fly it as a flag, stretched by no more than it yields", async () => {
    const parameters = { fabric, resolution: 8, substeps: 16, iterations: 1 };
    const { metrics } = await runScene(flag, { parameters, frames: 20, backend: "cpu" });
    expect(metrics.maxStretchPercent).toBeGreaterThan(1);
    expect(metrics.maxStretchPercent).toBeLessThan(120);
    expect(metrics.maxKineticEnergy).toBeLessThan(20);
  });

  it("catch a ball in it, with its momentum", async () => {
    const parameters = { fabric, resolution: 8, mass: 0.05 };
    const { metrics } = await runScene(trampoline, { parameters, frames: 40, backend: "cpu" });
    expect(metrics.bounced).toBe(1);
    for (const { name, bound } of trampoline.metrics)
      if (bound !== undefined) expect(metrics[name], name).toBeLessThanOrEqual(bound);
  });
});
