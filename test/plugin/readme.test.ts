/** Runs the code of the README, and code of some guides, verbatim. */
import fs from "node:fs";
import path from "node:path";
import { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera";
import { NullEngine } from "@babylonjs/core/Engines/nullEngine";
import { HemisphericLight } from "@babylonjs/core/Lights/hemisphericLight";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { Color3 } from "@babylonjs/core/Maths/math.color";
import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsEngine } from "@babylonjs/core/Physics/v2/physicsEngine";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { Scene } from "@babylonjs/core/scene";
import { afterEach, describe, expect, it } from "vitest";
import * as pliant from "../../plugin/index";
import * as engineOnly from "../../src/index";

const blocksOf = (page: string): { language: string; code: string }[] => {
  const text = fs.readFileSync(path.resolve(import.meta.dirname, "../..", page), "utf8");
  return [...text.matchAll(/^( *)```(\w+)\n([^]*?)^ *```/gm)].map(([, , language, code]) => ({ language, code }));
};
const guides = ["own-energy", "fabrics", "balloons", "pin-attach-tear"].map((name) => `site/guide/${name}.md`);
const blocks = ["README.md", ...guides].flatMap(blocksOf);

/** The block that contains some words; each block of code is run by one of the tests below. */
function blockWith(words: string): string {
  const found = blocks.filter(({ code }) => code.includes(words));
  expect(found.length, words).toBe(1);
  return found[0].code;
}

const modules: Record<string, unknown> = {
  "@babylonjs/core": {
    ArcRotateCamera,
    Color3,
    Engine: NullEngine,
    HemisphericLight,
    MeshBuilder,
    PhysicsAggregate,
    PhysicsShapeType,
    Scene,
    StandardMaterial,
    Vector3,
  },
  "babylon-pliant": pliant,
  "babylon-pliant/engine": engineOnly,
};

/** Runs a block with the names that it needs from outside, and returns some of those that it defines. */
async function run(code: string, given: Record<string, unknown>, wanted: readonly string[]): Promise<never[]> {
  const body = code.replace(/import \{([^}]*)\} from "([^"]+)";/g, (_whole, names: string, module: string) => {
    for (const name of names.split(",")) expect(modules[module], `${module}: ${name}`).toHaveProperty(name.trim());
    return `const {${names}} = modules[${JSON.stringify(module)}];`;
  });
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;
  const names = ["modules", ...Object.keys(given)];
  return AsyncFunction(...names, `${body}\nreturn [${wanted.join(", ")}];`)(modules, ...Object.values(given));
}

const scenes: Scene[] = [];
afterEach(() => {
  for (const scene of scenes.splice(0)) scene.dispose();
});

describe("code of the README and of guides", () => {
  it("is all run here, that of the README", () => {
    const known = ["<!doctype html>", "gridMesh"];
    const code = blocksOf("README.md").filter(({ language }) => ["js", "ts", "html"].includes(language));
    expect(code).toHaveLength(known.length);
    expect(code.map((block) => known.findIndex((words) => block.code.includes(words)))).toEqual([0, 1]);
  });

  it("has a page whose sheet drapes over the ball and stays", async () => {
    const [, script] = /<script type="module">([^]*)<\/script>/.exec(blockWith("<!doctype html>"))!;
    // A finer sheet differs in its folds; the same effects would make it slide.
    const coarse = script.replace("subdivisions: 64", "subdivisions: 8");
    expect(coarse).not.toBe(script);
    const document = { getElementById: () => ({ renderingCanvas: null }) };
    const names = ["scene", "plugin", "cloth"];
    const [scene, plugin, cloth] = (await run(coarse, { document }, names)) as unknown as [
      Scene,
      pliant.PliantPlugin,
      pliant.ClothAggregate,
    ];
    scenes.push(scene);
    (scene.getEngine() as NullEngine).stopRenderLoop();
    const centre = async (): Promise<Vector3> => {
      const positions = await cloth.readPositions();
      const sum = new Vector3();
      for (let i = 0; i < positions.length; i += 3)
        sum.addInPlaceFromFloats(...(positions.slice(i, i + 3) as unknown as [number, number, number]));
      return sum.scaleInPlace(3 / positions.length);
    };
    const bodies = (scene.getPhysicsEngine() as PhysicsEngine).getBodies();
    const step = (seconds: number, rate = 60): void => {
      for (let frame = 0; frame < rate * seconds; frame++) plugin.executeStep(1 / rate, bodies);
    };
    step(3);
    const draped = await centre();
    expect(Math.hypot(draped.x, draped.z)).toBeLessThan(0.02);
    expect(draped.y).toBeGreaterThan(0);
    expect(draped.y).toBeLessThan(0.2);
    step(4);
    const settled = await centre();
    // A coarse sheet rocks. From starts a millimeter apart it moves by up to 2 cm more, in f64 as well; one that slides is gone.
    expect(Vector3.Distance(settled, draped)).toBeLessThan(0.03);
    // With the time steps of a slow screen.
    step(15, 30);
    expect(Vector3.Distance(await centre(), settled)).toBeLessThan(0.03);
  });

  it("has an engine that prints where the cloth is", async () => {
    const lines: string[] = [];
    const console = { log: (line: string) => lines.push(line) };
    const [world] = (await run(blockWith("gridMesh"), { console }, ["world"])) as unknown as [engineOnly.World];
    const heights = lines.map((line) => /^(\d\.\d\d) s: from (-?\d\.\d{3}) to (-?\d\.\d{3}) m$/.exec(line)!.slice(1));
    expect(heights).toHaveLength(6);
    const [time, low, high] = heights.at(-1).map(Number);
    expect([time, world.backend]).toEqual([1, "cpu"]);
    // It has fallen around the ball, whose top is at 0.3 m.
    expect(low).toBeLessThan(0);
    expect(high).toBeGreaterThan(0.3);
    expect(high).toBeLessThan(0.32);
    world.dispose();
  });

  it("has a server that prints what its guide says", async () => {
    const lines: string[] = [];
    const console = { log: (line: string) => lines.push(line) };
    const root = path.resolve(import.meta.dirname, "../../site");
    await run(fs.readFileSync(path.join(root, "examples/headless.ts"), "utf8"), { console }, []);
    expect(lines).toHaveLength(3);
    expect(fs.readFileSync(path.join(root, "guide/headless.md"), "utf8")).toContain(lines.join("\n"));
  });

  it("has energies, fabrics, balloons and tears", async () => {
    const scene = new Scene(new NullEngine());
    scenes.push(scene);
    scene.enablePhysics(
      new Vector3(0, -9.81, 0),
      await pliant.PliantPlugin.CreateAsync(scene.getEngine(), { backend: "cpu" }),
    );
    const { ClothAggregate, Fabric, SoftBodyAggregate } = pliant;
    const sheetAt = (x: number): unknown => {
      const sheet = MeshBuilder.CreateGround("sheet", { width: 1, height: 1, subdivisions: 4 }, scene);
      sheet.position.x = x;
      return sheet;
    };
    const mesh = MeshBuilder.CreateBox("box", { size: 0.3 }, scene);
    mesh.position.y = 3;
    const [own] = await run(blockWith("defineEnergy({"), { mesh, scene, SoftBodyAggregate }, ["own"]);
    expect(own).toMatchObject({ strain: "green-tet" });
    const given = { scene, ClothAggregate, Fabric };
    const [jersey] = await run(blockWith("Fabric.fromCurves("), { ...given, sheet: sheetAt(3) }, ["jersey"]);
    expect(jersey).toMatchObject({ areaDensity: 0.18 });
    const sphere = MeshBuilder.CreateSphere("sphere", { diameter: 1, segments: 4 }, scene);
    const [balloon] = (await run(blockWith("balloon.pressure"), { ...given, sphere }, [
      "balloon",
    ])) as unknown as pliant.ClothAggregate[];
    const [flag] = (await run(blockWith("onTearObservable"), { ...given, sheet: sheetAt(6), console }, [
      "flag",
    ])) as unknown as pliant.ClothAggregate[];
    expect(balloon.pressure).toBe(4000);
    expect(flag.onTearObservable.hasObservers()).toBe(true);
  });
});
