import { describe, expect, it } from "vitest";
import { shaders, structs } from "../../../../src/generated/shaders";
import { buildIncidence } from "../../../../src/geometry/surface/incidence";
import { StructWriter } from "../../../../src/gpu/struct";
import { type FabricName, fabrics } from "../../../../src/materials/fabric";
import { packElements } from "../../../../src/solvers/gpbd/elements/gpu-elements";
import { toVec4 } from "../../../../src/solvers/gpbd/gpu/vec4";
import { membraneOf, membraneStiffness, stiffening } from "../../../../src/solvers/gpbd/tethers/swing";
import { RandomGeometry } from "../../../collision/random";
import { testContext } from "../../../gpu/context";
import { runKernel } from "../../../gpu/run-kernel";
import { gridCloth } from "../../../world/cloths";

interface Moving {
  readonly fabric: FabricName;
  readonly size: number;
  readonly cells: number;
  /** by which the sheet is stretched, and how fast it becomes wider [1/s] */
  readonly stretch: number;
  readonly rate: number;
  readonly time: number;
}

describe("the kernel of swing damping", () => {
  it.each<Moving>([
    { fabric: "denim", size: 1, cells: 3, stretch: 0.02, rate: 0.5, time: 8e-3 },
    { fabric: "silk", size: 0.1, cells: 20, stretch: 0.1, rate: -3, time: 8e-3 },
    { fabric: "rubber-sheet", size: 10, cells: 24, stretch: 0.3, rate: 2, time: 5e-3 },
    { fabric: "cotton", size: 1, cells: 12, stretch: 1e-3, rate: 4, time: 1 },
    { fabric: "cotton", size: 1, cells: 12, stretch: 1e-3, rate: -4, time: 1 },
    { fabric: "cotton", size: 1, cells: 12, stretch: 0.01, rate: 0, time: 8e-3 },
  ])("stiffens a sheet by the factor of the CPU: %o", async ({ fabric, size, cells, stretch, rate, time }) => {
    const model = gridCloth({ width: size, height: size, columns: cells, rows: cells }, { fabric });
    const term = membraneOf(model)!;
    const random = new RandomGeometry(7);
    const noise = (scale: number): number => (rate === 0 ? 0 : random.between(-scale, scale));
    const positions = model.positions.map((x) => (1 + stretch) * x + noise((0.1 * stretch * size) / cells));
    const velocities = model.positions.map((x) => rate * x + noise((0.1 * rate * size) / cells));
    const coefficients = Float32Array.from(term.material.subarray(0, 4));
    const parameters = new StructWriter(structs.SwingParameters, 1);
    const stiffness = membraneStiffness(model.sheet!);
    parameters.put(0, { stiffness, coefficients, time, elementCount: term.elementCount });
    const incidence = buildIncidence(term.indices, model.particleCount);
    const data = {
      start: toVec4(positions),
      velocity: toVec4(velocities),
      elements: packElements(term, incidence) as Uint8Array<ArrayBuffer>,
      material: Float32Array.of(...coefficients, 0.25, 0, 0, 0),
      parameters: new Uint8Array(parameters.bytes),
    };
    const kernel = shaders["tethers/swing"];
    const read = await runKernel(await testContext(), "tethers/swing", kernel, "stiffen", data, 1, ["material"]);
    const material = new Float32Array(read.material);
    const factor = stiffening(term, fabrics[fabric], time, { positions, velocities });
    expect(rate === 0 ? factor === 1 : Math.sign(factor - 1) === Math.sign(rate)).toBe(true);
    for (let i = 0; i < 4; i++) expect(Math.abs(material[i] / coefficients[i] - factor)).toBeLessThan(1e-3);
    // The damping of elements is left alone.
    expect(material[4]).toBe(0.25);
  });
});
