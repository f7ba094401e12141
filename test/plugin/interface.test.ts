import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { expect, it } from "vitest";
import { PliantPlugin } from "../../plugin/index";
import { babylonPhysics, havokMembers, interfaceMembers } from "./babylon-members";

/** Havok's own answer to large worlds. */
const havoksOwn = new Set(["floatingOrigin", "floatingOriginWorldRadius", "disableWorldRegions"]);

it("the plugin has every member of Babylon's interface, and what HavokPlugin has beyond", async () => {
  const engine = new NullEngine();
  const plugin: object = await PliantPlugin.CreateAsync(engine, { backend: "cpu" });
  const inInterface = interfaceMembers();
  expect(inInterface.length).toBeGreaterThan(80);
  expect(inInterface.filter((name) => !(name in plugin))).toEqual([]);
  const ofHavok = havokMembers();
  expect(ofHavok).toContain("shapeCast");
  expect(ofHavok.filter((name) => !(name in plugin) && !havoksOwn.has(name))).toEqual([]);
  engine.dispose();
});

it("the plugin has whatever Babylon's own classes call", async () => {
  const engine = new NullEngine();
  const plugin: object = await PliantPlugin.CreateAsync(engine, { backend: "cpu" });
  const files = [
    ...readdirSync(babylonPhysics).filter((file) => /^(physics|ragdoll).*\.js$/.test(file)),
    "../physicsHelper.js",
    "../../Debug/physicsViewer.pure.js",
  ];
  const called = new Set<string>();
  for (const file of files) {
    const text = readFileSync(join(babylonPhysics, file), "utf8");
    for (const [, name] of text.matchAll(/(?:hysicsPlugin(?:\(\))?|\bplugin|EnginePlugin)\??\.(\w+)\(/g))
      called.add(name);
  }
  // members of the first version
  called.delete("syncMeshWithImpostor");
  expect(called.size).toBeGreaterThan(70);
  expect([...called].filter((name) => !(name in plugin))).toEqual([]);
  engine.dispose();
});
