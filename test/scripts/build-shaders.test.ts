import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build as bundle } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildShaders } from "../../scripts/build-shaders.mjs";
import { loadWebGpu } from "../../scripts/environment/node-webgpu";
import { emit } from "../../scripts/shaders/emit.mjs";
import { minifyWgsl } from "../../scripts/shaders/minify.mjs";

interface Binding {
  group: number;
  binding: number;
  type: GPUBufferBindingType;
  minSize: number;
}
interface Generated {
  shaders: Record<
    string,
    {
      code: string;
      overrides: Record<string, unknown>;
      entryPoints: Record<string, { workgroupSize: number[]; bindings: Record<string, Binding> }>;
    }
  >;
  structs: Record<string, { size: number; align: number; fields: Record<string, { offset: number; size: number }> }>;
  constants: Record<string, number | boolean>;
}

const FIXTURE = path.join(import.meta.dirname, "fixture");

let folder: string;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-shaders-"));
});
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** Runs generated TypeScript. */
async function evaluate(file: string): Promise<Generated> {
  const { outputFiles } = await bundle({ entryPoints: [file], bundle: true, format: "esm", write: false });
  const base64 = Buffer.from(outputFiles[0].contents).toString("base64");
  return (await import(`data:text/javascript;base64,${base64}`)) as Generated;
}

async function build(shaderRoot: string): Promise<Generated> {
  const output = path.join(fs.mkdtempSync(path.join(folder, "built-")), "shaders.ts");
  await buildShaders({ shaderRoot, output });
  return evaluate(output);
}

/** Builds shaders given as text. */
function buildTexts(files: Record<string, string>): Promise<Generated> {
  const root = fs.mkdtempSync(path.join(folder, "case-"));
  for (const [name, text] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    fs.writeFileSync(path.join(root, name), text);
  }
  return build(root);
}

describe("reflection", () => {
  let generated: Generated;
  beforeAll(async () => {
    generated = await build(FIXTURE);
  });

  it("lists the modules with compute entry points only", () => {
    expect(Object.keys(generated.shaders)).toEqual(["main"]);
    expect(Object.keys(generated.shaders.main.entryPoints).sort()).toEqual(["fill", "gather", "indirect"]);
  });

  it("joins each import once, without comments and blank lines, directives first", () => {
    const { code } = generated.shaders.main;
    expect(code.match(/struct Inner/g)).toHaveLength(1);
    expect(code.startsWith("diagnostic(off, derivative_uniformity);\n")).toBe(true);
    expect(code).not.toMatch(/\/\/|\/\*|\n\s*\n|#import/);
  });

  it("gives an entry point the resources that it reaches, also through functions", () => {
    const { fill, gather, indirect } = generated.shaders.main.entryPoints;
    expect(Object.keys(fill.bindings)).toEqual(["counted"]);
    expect(Object.keys(gather.bindings)).toEqual(["inner", "weights", "table"]);
    expect(indirect.bindings).toEqual({ table: { group: 1, binding: 1, type: "read-only-storage", minSize: 16 } });
    expect(gather.bindings.inner).toEqual({ group: 0, binding: 0, type: "uniform", minSize: 32 });
  });

  it("evaluates workgroup sizes, overrides and constants", () => {
    const { overrides, entryPoints } = generated.shaders.main;
    expect(entryPoints.gather.workgroupSize).toEqual([64, 2, 1]);
    expect(entryPoints.indirect.workgroupSize).toEqual([24, 1, 1]);
    expect(overrides).toEqual({ WORKGROUP_SIZE: 64, scale: -1.5, steps: 128, required: null });
    expect(generated.constants).toEqual({
      EIGHTH: 0.125,
      ENABLED: true,
      EPSILON: 1e-6,
      LANES: 12,
      NEGATIVE: -8,
      PAIRS: 24,
      ROOT: Math.sqrt(1e-6),
    });
  });

  it("leaves out structs that cannot be shared with the host", () => {
    expect(Object.keys(generated.structs)).toEqual(["Counted", "Inner", "Sample"]);
  });

  it("is deterministic and writes nothing twice", async () => {
    const output = path.join(folder, "twice.ts");
    expect(await buildShaders({ shaderRoot: FIXTURE, output })).toBe(true);
    const first = fs.readFileSync(output, "utf8");
    expect(await buildShaders({ shaderRoot: FIXTURE, output })).toBe(false);
    fs.rmSync(output);
    await buildShaders({ shaderRoot: FIXTURE, output });
    expect(fs.readFileSync(output, "utf8")).toBe(first);
  });

  it("agrees with the device about bindings and field offsets", async () => {
    const { gpu } = await loadWebGpu();
    const device = await (await gpu.requestAdapter())!.requestDevice();
    const { code, entryPoints } = generated.shaders.main;
    const module = device.createShaderModule({ code });
    device.pushErrorScope("validation");
    for (const [entryPoint, { bindings }] of Object.entries(entryPoints)) {
      const groups = [0, 1].map((group) =>
        device.createBindGroupLayout({
          entries: Object.values(bindings)
            .filter((binding) => binding.group === group)
            .map(({ binding, type, minSize }) => ({
              binding,
              visibility: GPUShaderStage.COMPUTE,
              buffer: { type, minBindingSize: minSize },
            })),
        }),
      );
      const layout = device.createPipelineLayout({ bindGroupLayouts: groups });
      const constants = { required: 1 };
      const pipeline = await device.createComputePipelineAsync({ layout, compute: { module, entryPoint, constants } });
      if (entryPoint === "fill") await checkFields(device, pipeline, groups);
    }
    expect(await device.popErrorScope()).toBeNull();
    device.destroy();
  });

  async function checkFields(device: GPUDevice, pipeline: GPUComputePipeline, groups: GPUBindGroupLayout[]) {
    const { Counted, Sample, Inner } = generated.structs;
    const size = Counted.fields.samples.offset + 2 * Sample.size;
    const buffer = device.createBuffer({ size, usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC });
    const readback = device.createBuffer({ size, usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST });
    const encoder = device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    const entries = [{ binding: 1, resource: { buffer } }];
    pass.setBindGroup(0, device.createBindGroup({ layout: groups[0], entries }));
    pass.setBindGroup(1, device.createBindGroup({ layout: groups[1], entries: [] }));
    pass.dispatchWorkgroups(1);
    pass.end();
    encoder.copyBufferToBuffer(buffer, 0, readback, 0, size);
    device.queue.submit([encoder.finish()]);
    await readback.mapAsync(GPUMapMode.READ);
    const view = new DataView(readback.getMappedRange());
    const base = Counted.fields.samples.offset + Sample.size;
    const float = (offset: number): number => view.getFloat32(base + offset, true);
    const integer = (offset: number): number => view.getInt32(base + offset, true);
    const { fields } = Sample;
    expect(view.getUint32(Counted.fields.count.offset, true)).toBe(2);
    expect(integer(fields.index.offset)).toBe(1);
    expect([0, 4, 8].map((i) => float(fields.gravity.offset + i))).toEqual([2, 3, 4]);
    const inner = fields.inner.offset;
    expect([0, 4, 8].map((i) => float(inner + Inner.fields.direction.offset + i))).toEqual([5, 6, 7]);
    expect(float(inner + Inner.fields.weight.offset)).toBe(8);
    expect([0, 4].map((i) => integer(inner + Inner.fields.cell.offset + i))).toEqual([9, 10]);
    expect([0, 16, 32].map((i) => float(fields.rotation.offset + i))).toEqual([11, 14, 17]);
    expect(float(fields.lanes.offset + 4 * 11)).toBe(31);
    expect([0, 16].map((i) => float(fields.offsets.offset + i))).toEqual([40, 43]);
    expect(float(fields.aligned.offset)).toBe(50);
    expect(integer(fields.padded.offset)).toBe(51);
    expect(float(fields.tail.offset + 4)).toBe(53);
    readback.unmap();
  }
});

describe("mistakes", () => {
  const entry = "@compute @workgroup_size(1) fn main() {}";

  it("names an import cycle", async () => {
    const files = { "a.wgsl": `#import "b.wgsl"\n${entry}`, "b.wgsl": `#import "a.wgsl"\nconst B = 1;` };
    await expect(buildTexts(files)).rejects.toThrow("import cycle: a.wgsl -> b.wgsl -> a.wgsl");
  });

  it("names a missing import", async () => {
    await expect(buildTexts({ "a.wgsl": `#import "lost.wgsl"\n${entry}` })).rejects.toThrow(
      'a.wgsl: imports "lost.wgsl"',
    );
  });

  it("refuses one name declared twice in a joined module", async () => {
    const files = { "a.wgsl": `#import "b.wgsl"\nfn f() {}\n${entry}`, "b.wgsl": "fn f() {}" };
    await expect(buildTexts(files)).rejects.toThrow('"f" is already declared in b.wgsl, line 1');
  });

  it("refuses a struct that differs between files", async () => {
    const files = { "a.wgsl": `struct P { x: f32 }\n${entry}`, "b.wgsl": `struct P { x: vec2f }\n${entry}` };
    await expect(buildTexts(files)).rejects.toThrow("struct P differs between files");
  });

  it("refuses a constant that differs between files", async () => {
    const files = { "a.wgsl": `const K = 1;\n${entry}`, "b.wgsl": `const K = 2;\n${entry}` };
    await expect(buildTexts(files)).rejects.toThrow("constant K differs between files");
  });

  it("refuses a struct of a type that is not imported", async () => {
    await expect(buildTexts({ "a.wgsl": "struct P { q: Q }" })).rejects.toThrow("neither declared nor imported");
  });

  it("refuses two buffers of an entry point at one place", async () => {
    const buffers = "@group(0) @binding(0) var<uniform> a: f32;\n@group(0) @binding(0) var<uniform> b: f32;";
    const files = { "a.wgsl": `${buffers}\n@compute @workgroup_size(1) fn main() { _ = a + b; }` };
    await expect(buildTexts(files)).rejects.toThrow("both use @group(0) @binding(0)");
  });

  it("says which file and line hold a syntax error", async () => {
    const files = {
      "a.wgsl": `#import "b.wgsl"\n\nfn f() -> f32 {\n  let x = 1.0\n  return x;\n}\n${entry}`,
      "b.wgsl": "const B = 1;\n",
    };
    await expect(buildTexts(files)).rejects.toThrow("a.wgsl: a.wgsl:5 Expected ';' after statement");
  });
});

it("escapes what a template literal would read", async () => {
  const body = "a\\n`c`${d}\\${e}";
  const files = new Map([["x.wgsl", { name: "x.wgsl", imports: [], directives: [], body, isEntry: true }]]);
  const modules = { x: { files: ["x.wgsl"], overrides: {}, entryPoints: {} } };
  const root = fs.mkdtempSync(path.join(folder, "emitted-"));
  fs.mkdirSync(path.join(root, "shaders"));
  for (const [name, text] of Object.entries(
    emit("0", files, { modules, structs: {}, constants: {}, homes: new Map() }),
  ))
    fs.writeFileSync(path.join(root, name), text);
  const { shaders } = await evaluate(path.join(root, "shaders.ts"));
  expect(shaders.x.code).toBe(minifyWgsl(body));
});

describe("minified WGSL", () => {
  it.each([
    ["fn f(a: f32) -> f32 {\n  let b = a - -1.0;\n  return b;\n}", "fn f(a:f32)->f32{let b=a- -1.0;return b;}\n"],
    ["const A = 1;\nvar<private> x: array<vec3f, 2> = y;", "const A=1;\nvar<private>x:array<vec3f,2> =y;\n"],
    ["@compute @workgroup_size(64)\nfn main() {}", "@compute@workgroup_size(64)fn main(){}\n"],
    ["if (a < b && c > d) {\n x += 1u;\n}", "if(a<b&&c>d){x+=1u;}\n"],
    [
      "fn far(from_: vec3f, way: Way) -> f32 {\n  let a = from_.from_ + b * 1e-3 + 2.0;\n  var long = way.long;\n  return long + a;\n}",
      "fn far(c:vec3f,d:Way)->f32{let a=c.from_+b*1e-3+2.0;var e=d.long;return e+a;}\n",
    ],
    [
      "@compute @workgroup_size(64)\nfn main(@builtin(local_invocation_index) lane: u32) {\n  for (var index = lane; index < distance(x, y); index++) {}\n  let distance = 1u;\n}",
      "@compute@workgroup_size(64)fn main(@builtin(local_invocation_index)a:u32){for(var b=a;b<distance(x,y);b++){}let distance=1u;}\n",
    ],
  ])("is the same program: %s", (text, expected) => {
    expect(minifyWgsl(text)).toBe(expected);
  });
});
