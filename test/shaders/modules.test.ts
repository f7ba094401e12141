import { create, globals } from "webgpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shaders } from "../../src/generated/shaders";
import { type EnergyDefinition, defineEnergy } from "../../src/materials/defined-energy/define-energy";

interface Module {
  readonly code: string;
  readonly overrides: Readonly<Record<string, number | boolean | null>>;
  readonly entryPoints: Readonly<Record<string, EntryPoint>>;
}
interface EntryPoint {
  readonly workgroupSize: readonly number[];
  readonly bindings: Readonly<Record<string, Binding>>;
}
interface Binding {
  readonly group: number;
  readonly binding: number;
  readonly type: GPUBufferBindingType;
  readonly minSize: number;
}

/** WebGPU's default limits: every module must fit them. */
const MAX_STORAGE_BUFFERS = 8;
const MAX_INVOCATIONS = 256;

/** Energies whose functions the host adds to modules of defined ones. */
const energies: Readonly<Record<string, EnergyDefinition>> = {
  "gpbd/defined/membrane": { strain: "green-triangle", energy: "Euu^2 + Euv*Evv" },
  "gpbd/defined/bending": { strain: "dihedral", energy: "1 - cos(theta)" },
  "gpbd/defined/distance": { strain: "distance", energy: "exp(c) - c" },
  "gpbd/defined/hylc": { strain: "hylc", energy: "sx^2 + sa*sy + kxx^2 + kxy*kyy" },
  "solids/defined/tet": { strain: "green-tet", energy: "I1 - log(J)" },
  "solids/defined/principal-tet": { strain: "principal-stretches", energy: "lambda1 + lambda2 + lambda3 - log(J)" },
  "solids/defined/gradient-tet": { strain: "deformation-gradient", energy: "I1 - 2*log(J)" },
};
const modules = Object.entries<Module>(shaders).map(([name, module]): [string, Module] => [
  name,
  name in energies ? { ...module, code: module.code + defineEnergy(energies[name]).wgsl } : module,
]);

// Dawn itself checks modules, layouts and limits. Its null backend spends no time on driver code, which the kernels' tests cover.
Object.assign(globalThis, globals);
const gpu = create(["backend=null"]);

let device: GPUDevice;
beforeAll(async () => {
  device = await (await gpu.requestAdapter())!.requestDevice();
});
afterAll(() => device.destroy());

describe.each(modules)("shader module %s", (_name, { code, overrides, entryPoints }) => {
  let module: GPUShaderModule;

  it("compiles without a message", async () => {
    device.pushErrorScope("validation");
    module = device.createShaderModule({ code });
    const { messages } = await module.getCompilationInfo();
    expect(messages.map((message) => `${message.type} line ${message.lineNum}: ${message.message}`)).toEqual([]);
    expect(await device.popErrorScope()).toBeNull();
  });

  it.each(Object.entries(entryPoints))(
    "makes a pipeline of %s with its reflected bindings",
    async (entryPoint, entry) => {
      device.pushErrorScope("validation");
      const bindings = Object.values(entry.bindings);
      const groupCount = Math.max(-1, ...bindings.map(({ group }) => group)) + 1;
      const bindGroupLayouts = Array.from({ length: groupCount }, (_, index) => groupLayout(bindings, index));
      // Overrides without a default get 1, a valid value for any size.
      const required = Object.entries(overrides).filter(([, value]) => value === null);
      const constants = Object.fromEntries(required.map(([name]) => [name, 1]));
      const layout = device.createPipelineLayout({ bindGroupLayouts });
      await device.createComputePipelineAsync({ layout, compute: { module, entryPoint, constants } });
      expect(await device.popErrorScope()).toBeNull();
    },
  );

  function groupLayout(bindings: Binding[], group: number): GPUBindGroupLayout {
    const entries = bindings
      .filter((binding) => binding.group === group)
      .map(({ binding, type, minSize }) => ({
        binding,
        visibility: GPUShaderStage.COMPUTE,
        buffer: { type, minBindingSize: minSize },
      }));
    return device.createBindGroupLayout({ entries });
  }

  it.each(Object.entries(entryPoints))("keeps %s within the default limits", (_entryPoint, entry) => {
    const storage = Object.values(entry.bindings).filter(({ type }) => type !== "uniform");
    expect(storage.length).toBeLessThanOrEqual(MAX_STORAGE_BUFFERS);
    expect(entry.workgroupSize.reduce((product, size) => product * size, 1)).toBeLessThanOrEqual(MAX_INVOCATIONS);
  });
});
