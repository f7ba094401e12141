import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");

/** Files of a folder, and the files of it that each imports, including type imports. */
function importsOf(folder: string): Map<string, string[]> {
  const names = fs.readdirSync(path.join(root, folder), { recursive: true }).map(String);
  const files = names.filter((name) => name.endsWith(".ts")).map((name) => path.posix.join(folder, name));
  const targets = (file: string): string[] => {
    const text = fs.readFileSync(path.join(root, file), "utf8");
    const specifiers = [...text.matchAll(/\b(?:from|import)[\s(]*"(\.[^"]+)"/g)].map(([, specifier]) => specifier);
    return specifiers.map((specifier) => `${path.posix.join(path.posix.dirname(file), specifier)}.ts`);
  };
  return new Map(files.map((file) => [file, targets(file).filter((target) => files.includes(target))]));
}

/** The remainder after repeatedly removing files that import nothing, or that nothing imports. */
function circlesIn(imports: Map<string, string[]>): string[] {
  const left = new Set(imports.keys());
  const targetsOf = (file: string): string[] => imports.get(file)!.filter((target) => left.has(target));
  for (let before = Infinity; left.size < before;) {
    before = left.size;
    const imported = new Set([...left].flatMap(targetsOf));
    for (const file of [...left]) if (!imported.has(file) || targetsOf(file).length === 0) left.delete(file);
  }
  return [...left].map((file) => `${file} -> ${targetsOf(file).join(", ")}`);
}

/** Whether all that a file imports of another one is types. */
function isTypeOnly(file: string, target: string): boolean {
  const text = fs.readFileSync(path.join(root, file), "utf8");
  return !new RegExp(`import (?!type )[^;]*/${path.posix.basename(target, ".ts")}"`).test(text);
}

/** The plugin and the aggregates that it lists know each other's types. */
const PLUGIN = "plugin/cloth-plugin.ts";

it.each(["src", "plugin"])("no file of %s imports itself by way of others, not even types", (folder) => {
  const imports = importsOf(folder);
  for (const [file, targets] of imports)
    if (isTypeOnly(file, PLUGIN))
      imports.set(
        file,
        targets.filter((target) => target !== PLUGIN),
      );
  expect(imports.size).toBeGreaterThan(100);
  expect([...imports.values()].flat().length).toBeGreaterThan(imports.size);
  expect(circlesIn(imports)).toEqual([]);
});

it("finds circles", () => {
  const imports = new Map([
    ["a", ["b"]],
    ["b", ["c"]],
    ["c", ["b", "d"]],
    ["d", []],
  ]);
  expect(circlesIn(imports)).toEqual(["b -> c", "c -> b"]);
});
