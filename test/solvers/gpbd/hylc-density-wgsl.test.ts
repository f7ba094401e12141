import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { GpuContext } from "../../../src/gpu/device";
import { StructWriter } from "../../../src/gpu/struct";
import { fabrics } from "../../../src/materials/fabric";
import { hylcDensity } from "../../../src/materials/hylc/density";
import { packed, packHylc } from "../../../src/materials/hylc/pack";
import type { HylcTable } from "../../../src/materials/hylc/table";
import { gpuHylcTable } from "../../../src/solvers/gpbd/elements/hylc-table";
import { RandomGeometry } from "../../collision/random";
import { expectWithin } from "../../figures";
import { testContext } from "../../gpu/context";
import { runKernel } from "../../gpu/run-kernel";
import { testShader } from "../../gpu/test-shader";
import { randomHylcStrain, randomTable } from "../../materials/hylc/tables";

let context: GpuContext;
beforeAll(async () => {
  context = await testContext();
});

const count = 2000;
const l = 2 ** -7;

const tables: [string, HylcTable][] = [
  ["a table with every term", randomTable(new RandomGeometry(91))],
  ...Object.entries(fabrics).flatMap(([name, { table }]): [string, HylcTable][] => (table ? [[name, table]] : [])),
];

it("has all fabrics of tables", () => {
  expect(
    tables
      .map(([name]) => name)
      .slice(1)
      .sort(),
  ).toEqual(["basket", "honeycomb", "rib", "satin", "stockinette"]);
});

describe.each(tables)("HYLC density in WGSL, %s", (_, table) => {
  it("is the reference to 1e-4, over the whole table and beyond its ends", async () => {
    const test = testShader(path.join(import.meta.dirname, "hylc-density.wgsl"));
    const m = packHylc(table, 0, l);
    const writer = new StructWriter(test.structs.HylcMaterial, 1);
    writer.set(0, "bending", m[packed.bending]);
    const random = new RandomGeometry(92);
    const strains = new Float32Array(6 * count);
    for (let i = 0; i < count; i++) {
      const s = randomHylcStrain(random, l, i % 3 === 0 ? 0.1 : 1.4);
      // bent almost alike in both directions
      if (i % 5 === 0) {
        s[5] = s[3] + 1e-3 * random.between(-1, 1) * s[3];
        s[4] *= 10 ** random.between(-7, -2);
      }
      // at a knot
      if (i % 7 === 0) for (const k of [0, 2]) s[k] = table.curves[k].knots[i % 11] * table.strainScale[k];
      if (i % 11 === 0) s.fill(0, 0, 3);
      strains.set(s, 6 * i);
    }
    const data = {
      strains,
      table: gpuHylcTable(m),
      material: new Uint8Array(writer.bytes),
      gradients: 28 * count,
      hessians: 144 * count,
    };
    const read = await runKernel(context, "hylc-density", test.module, "evaluate", data, count, [
      "gradients",
      "hessians",
    ]);
    const gradients = new Float32Array(read.gradients);
    const hessians = new Float32Array(read.hessians);
    // by scaled strains, which are of one size
    const unit = table.strainScale.slice(0, 3).concat(new Array<number>(3).fill(table.strainScale[3] * l * l));
    const [gradient, hessian] = [new Float64Array(6), new Float64Array(36)];
    const worst = { value: 0, gradient: 0 };
    const hessianErrors: number[] = [];
    for (let i = 0; i < count; i++) {
      const s = Float64Array.from(strains.subarray(6 * i, 6 * i + 6));
      hylcDensity.gradient(s, m, gradient);
      hylcDensity.hessian(s, m, hessian);
      const value = hylcDensity.value(s, m);
      worst.value = Math.max(worst.value, Math.abs(gradients[7 * i] - value) / Math.max(0.1, Math.abs(value)));
      worst.gradient = Math.max(
        worst.gradient,
        relative(gradients.subarray(7 * i + 1, 7 * i + 7), gradient, (j) => unit[j]),
      );
      // Second derivatives jump at knots, where the two may be on different sides.
      if (i % 7 === 0) continue;
      hessianErrors.push(
        relative(hessians.subarray(36 * i, 36 * i + 36), hessian, (j) => unit[Math.floor(j / 6)] * unit[j % 6]),
      );
    }
    expect(gradients.every(Number.isFinite) && hessians.every(Number.isFinite)).toBe(true);
    expectWithin("value, WGSL against reference", worst.value, 1e-4);
    expectWithin("gradient, WGSL against reference", worst.gradient, 1e-4);
    hessianErrors.sort((a, b) => a - b);
    expectWithin(
      "Hessian of 95 in 100, WGSL against reference",
      hessianErrors[Math.floor(0.95 * hessianErrors.length)],
      1e-3,
    );
  });
});

function relative(found: ArrayLike<number>, wanted: ArrayLike<number>, scale: (j: number) => number): number {
  let [difference, size] = [0, 0];
  for (let j = 0; j < wanted.length; j++) {
    difference = Math.max(difference, Math.abs(found[j] - wanted[j]) * scale(j));
    size = Math.max(size, Math.abs(wanted[j]) * scale(j));
  }
  return size > 1e-9 ? difference / size : difference;
}
