import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const PLUGIN = path.resolve(import.meta.dirname, "../../plugin");

/** Names that the plugin imports from Babylon as values, with the importing file. */
function importedNames(): [name: string, file: string][] {
  const found: [string, string][] = [];
  const files = fs.readdirSync(PLUGIN, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  for (const file of files) {
    const text = fs.readFileSync(path.join(PLUGIN, file), "utf8");
    for (const [, names] of text.matchAll(/^import \{([^}]*)\} from "@babylonjs\/core\/[^"]*";/gm))
      for (const name of names.split(",").map((part) => part.trim()))
        if (name !== "" && !name.startsWith("type ")) found.push([name, file]);
  }
  return found;
}

it("takes nothing from Babylon that the BABYLON global of a script tag does not have", async () => {
  const global: Record<string, unknown> = await import("@babylonjs/core");
  const names = importedNames();
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter(([name]) => !(name in global))).toEqual([]);
});
