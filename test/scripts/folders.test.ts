import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.join(import.meta.dirname, "../..");
const MOST_FILES = 15;
const MOST_LINES = 500;

/** Files that are longer, and the most lines that each may have until it is split. */
const long: Readonly<Record<string, number>> = {
  "plugin/deformable/deformable-aggregate.ts": 565,
  "src/solvers/gpbd/gpu/gpu-solver.ts": 700,
  "src/world/body.ts": 732,
  "src/world/rigid/rigid-core.ts": 595,
  "src/world/world.ts": 580,
};

/** Files of a folder and of all below it that are written by hand. */
function filesOf(folder: string): string[] {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|wgsl)$/.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"))
    .filter((file) => !file.startsWith("src/generated/"));
}

const files = ["src", "plugin", "shaders"].flatMap(filesOf);

it(`no folder has more than ${MOST_FILES} files`, () => {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(path.posix.dirname(file), (counts.get(path.posix.dirname(file)) ?? 0) + 1);
  expect(counts.size).toBeGreaterThan(50);
  expect([...counts].filter(([, count]) => count > MOST_FILES)).toEqual([]);
});

it(`no file has more than ${MOST_LINES} lines, but for those that are named`, () => {
  const lengths = files.map((file) => {
    const text = fs.readFileSync(path.join(root, file), "utf8");
    return [file, text.split("\n").length - 1] as const;
  });
  expect(lengths.filter(([file, length]) => length > (long[file] ?? MOST_LINES))).toEqual([]);
  const needed = lengths.filter(([, length]) => length > MOST_LINES).map(([file]) => file);
  expect(needed.sort()).toEqual(Object.keys(long));
});
