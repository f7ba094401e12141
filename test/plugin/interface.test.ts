import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import ts from "typescript";
import { expect, it } from "vitest";
import { PliantPlugin } from "../../plugin/index";

const physics = dirname(createRequire(import.meta.url).resolve("@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js"));
const babylon = join(physics, "../..");

/** Names of what an interface or a class of Babylon has for everybody. */
function membersOf(file: string, name: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(join(physics, file), "utf8"), ts.ScriptTarget.Latest);
  const members: string[] = [];
  source.forEachChild((node) => {
    if (!(ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) || node.name?.text !== name) return;
    for (const member of node.members) {
      const isHidden = ts.canHaveModifiers(member) && (ts.getModifiers(member) ?? []).some(isHiding);
      if (member.name && ts.isIdentifier(member.name) && !isHidden && !member.name.text.startsWith("_"))
        members.push(member.name.text);
    }
  });
  return members;
}

function isHiding({ kind }: ts.Modifier): boolean {
  return [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword, ts.SyntaxKind.StaticKeyword].includes(kind);
}

/** Havok's own: its module, its limits, and its answer to large worlds. */
const havoksOwn = new Set([
  "floatingOrigin",
  "floatingOriginWorldRadius",
  "disableWorldRegions",
  "getMaxQueryCollectorHits",
  "setMaxQueryCollectorHits",
  "isSupported",
]);

it("the plugin has every member of Babylon's interface, and what HavokPlugin has beyond", async () => {
  const engine = new NullEngine();
  const plugin: object = await PliantPlugin.CreateAsync(engine, { backend: "cpu" });
  const inInterface = membersOf("IPhysicsEnginePlugin.d.ts", "IPhysicsEnginePluginV2");
  expect(inInterface.length).toBeGreaterThan(80);
  expect(inInterface.filter((name) => !(name in plugin))).toEqual([]);
  const ofHavok = membersOf("Plugins/havokPlugin.d.ts", "HavokPlugin");
  expect(ofHavok).toContain("shapeCast");
  expect(ofHavok.filter((name) => !(name in plugin) && !havoksOwn.has(name))).toEqual([]);
  engine.dispose();
});

it("the plugin has whatever Babylon's own classes call", async () => {
  const engine = new NullEngine();
  const plugin: object = await PliantPlugin.CreateAsync(engine, { backend: "cpu" });
  const files = [
    ...readdirSync(physics).filter((file) => /^(physics|ragdoll).*\.js$/.test(file)),
    "../physicsHelper.js",
    "../../Debug/physicsViewer.pure.js",
  ];
  const called = new Set<string>();
  for (const file of files) {
    const text = readFileSync(join(babylon, "Physics/v2", file), "utf8");
    for (const [, name] of text.matchAll(/(?:hysicsPlugin(?:\(\))?|\bplugin|EnginePlugin)\??\.(\w+)\(/g))
      called.add(name);
  }
  // of the first version
  called.delete("syncMeshWithImpostor");
  expect(called.size).toBeGreaterThan(70);
  expect([...called].filter((name) => !(name in plugin))).toEqual([]);
  engine.dispose();
});
