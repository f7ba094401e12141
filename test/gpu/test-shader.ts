import fs from "node:fs";
import path from "node:path";
import { reflectShaders } from "../../scripts/shaders/reflect.mjs";
import { importOrder, parseShader, readShaders, type ShaderFile } from "../../scripts/shaders/source.mjs";
import type { ReflectedModule } from "../../src/gpu/kernel";
import type { ReflectedStruct } from "../../src/gpu/struct";

/** A compute module of the tests, in the form that the build makes. */
export interface TestShader {
  readonly module: ReflectedModule;
  readonly structs: Readonly<Record<string, ReflectedStruct>>;
}

const shaderRoot = path.resolve(import.meta.dirname, "../../shaders");
let library: Map<string, ShaderFile> | undefined;

/**
 * Joins and reflects a WGSL file of the tests; its imports are those of `shaders/`.
 *
 * @param file path of the test's .wgsl file
 * @param instead replacements of some of its imports
 */
export function testShader(file: string, instead: Readonly<Record<string, readonly string[]>> = {}): TestShader {
  library ??= readShaders(shaderRoot);
  const name = `test/${path.basename(file)}`;
  const written = parseShader(name, fs.readFileSync(file, "utf8"));
  const parsed = { ...written, imports: written.imports.flatMap((part: string) => instead[part] ?? part) };
  const order = importOrder(new Map([...library, [name, parsed]]), name);
  const { modules, structs } = reflectShaders(new Map(order.map((part) => [part.name, part])));
  const { overrides, entryPoints } = (modules as Record<string, ReflectedModule>)[name.replace(/\.wgsl$/, "")];
  const code = [...new Set(order.flatMap((part) => part.directives)), ...order.map((part) => part.body)].join("\n");
  return { module: { code, overrides, entryPoints }, structs };
}
