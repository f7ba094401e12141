import path from "node:path";
import { fileURLToPath } from "node:url";
import fs from "node:fs";
import { reflectShaders } from "../../scripts/shaders/reflect.mjs";
import { importOrder, parseShader, readShaders, withoutBlankLines } from "../../scripts/shaders/source.mjs";
import type { ReflectedModule } from "../../src/gpu/kernel";

const ROOT = fileURLToPath(new URL("../../shaders", import.meta.url));

/**
 * A compute module of the tests, which imports files of shaders/ but is not shipped with them.
 *
 * @param file the .wgsl file beside the test
 */
export function testModule(file: URL): ReflectedModule {
  const name = `test/${path.basename(fileURLToPath(file))}`;
  const files = readShaders(ROOT);
  files.set(name, parseShader(name, fs.readFileSync(file, "utf8")));
  const order = importOrder(files, name);
  const reflected = reflectShaders(new Map(order.map((part) => [part.name, part])));
  const modules = new Map<string, Omit<ReflectedModule, "code">>(Object.entries(reflected.modules));
  const { overrides, entryPoints } = modules.get(name.replace(/\.wgsl$/, ""))!;
  const directives = [...new Set(order.flatMap((part) => part.directives))];
  const code = [...directives, ...order.map((part) => withoutBlankLines(part.body))].join("\n");
  return { code, overrides, entryPoints };
}
