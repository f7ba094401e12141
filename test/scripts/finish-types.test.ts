import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { finishTypes } from "../../scripts/finish-types.mjs";

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "pliant-types-"));
  fs.mkdirSync(path.join(folder, "inner"));
  fs.writeFileSync(path.join(folder, "a.d.ts"), "export {};\n");
  fs.writeFileSync(path.join(folder, "inner/index.d.ts"), "export {};\n");
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

it("completes relative and Babylon imports and leaves packages alone", () => {
  const file = path.join(folder, "b.d.ts");
  fs.writeFileSync(
    file,
    `export * from "./a";\nimport type { M } from "other";\nimport type { Scene } from "@babylonjs/core/scene";\nexport type I = import("./inner").I;\n`,
  );
  finishTypes(folder);
  expect(fs.readFileSync(file, "utf8")).toBe(
    `export * from "./a.js";\nimport type { M } from "other";\nimport type { Scene } from "@babylonjs/core/scene.js";\nexport type I = import("./inner/index.js").I;\n`,
  );
  expect(finishTypes(folder)).toBe(0);
});

it("refuses an import that leads nowhere", () => {
  fs.writeFileSync(path.join(folder, "b.d.ts"), `export * from "./lost";\n`);
  expect(() => finishTypes(folder)).toThrow('"./lost" leads to no declaration');
});
