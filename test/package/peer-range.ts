/**
 * npm run peers: the package with the oldest and the newest Babylon that its `peerDependencies` allow. Each is installed in a blank project; a scene runs in
 * Node, and the examples, showcases, code of guides and examples of classes are type-checked. Needs the network, and `npm run build` before.
 */
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { exampleNames } from "../../scripts/build-site.mjs";
import { inOneFile } from "../../scripts/one-file.mjs";
import { showcases } from "../../samples/showcases/index";
import { installFrom, makeProject, ROOT, runNode, temporaryFolder, typeCheck } from "./blank-project";
import { docExamples, exampleFile } from "./doc-examples";
import { guideCode } from "./guide-code";

/** Cloth on a ball beside a crate on a hinge: the lowest vertex, and the crate's height. */
const SCENE = `
import { NullEngine } from "@babylonjs/core/Engines/nullEngine.js";
import { Vector3 } from "@babylonjs/core/Maths/math.vector.js";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder.js";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder.js";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder.js";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate.js";
import { HingeConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint.js";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js";
import { Scene } from "@babylonjs/core/scene.js";
import { ClothAggregate, PliantPlugin } from "babylon-pliant";
const engine = new NullEngine();
const scene = new Scene(engine);
const plugin = await PliantPlugin.CreateAsync(engine, { backend: "cpu" });
scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
const ball = new PhysicsAggregate(CreateSphere("ball", { diameter: 0.6 }, scene), PhysicsShapeType.SPHERE, { mass: 0, friction: 0.5 }, scene);
const crate = CreateBox("crate", { size: 0.2 }, scene);
crate.position.set(1.5, 0, 0);
const hung = new PhysicsAggregate(crate, PhysicsShapeType.BOX, { mass: 1 }, scene);
const axis = new Vector3(0, 0, 1);
ball.body.addConstraint(hung.body, new HingeConstraint(Vector3.Zero(), new Vector3(-1.5, 0, 0), axis, axis, scene));
const sheet = CreateGround("sheet", { width: 1, height: 1, subdivisions: 16, updatable: true }, scene);
sheet.position.y = 0.4;
const cloth = new ClothAggregate(sheet, { fabric: "cotton" }, scene);
await plugin.whenReadyAsync();
for (let frame = 0; frame < 60; frame++) scene._advancePhysicsEngineStep(1000 / 60);
const heights = (await cloth.readPositions()).filter((_, i) => i % 3 === 1);
console.log(JSON.stringify([Math.min(...heights), Math.max(...heights), crate.absolutePosition.y]));
`;

/** Complaints about the package with a version of Babylon's core, and with its other packages of a version or a range. */
function faultsWith(version: string, others: string): string[] {
  const folder = temporaryFolder();
  const { folder: project } = makeProject(folder, "app");
  const packages = ["loaders", "serializers"].map((name) => `@babylonjs/${name}@${others}`);
  installFrom(project, `@babylonjs/core@${version}`, ...packages);
  installFrom(project, "@babylonjs/havok");
  fs.writeFileSync(path.join(project, "scene.mjs"), SCENE);
  const [lowest, highest, crate] = JSON.parse(runNode(project, "scene.mjs")) as number[];
  const faults: string[] = [];
  // Beside the ball the sheet hangs down, on it it lies; the crate has swung down around the ball.
  if (!(lowest < 0.1 && highest > 0.29 && highest < 0.32)) faults.push(`cloth from ${lowest} to ${highest} m`);
  if (!(crate < -0.5)) faults.push(`the crate is at ${crate} m`);
  const files = [
    ...exampleNames().map((name: string) => [name, inOneFile(path.join(ROOT, `site/examples/${name}.ts`))]),
    ...Object.keys(showcases).map((name) => [name, inOneFile(path.join(ROOT, `samples/showcases/${name}.ts`))]),
    ...[...docExamples()].map(([name, example]) => [name, exampleFile(example)]),
    ...guideCode(),
  ].map(([name, code], k) => {
    fs.writeFileSync(path.join(project, `${k}-${name}.ts`), code);
    return `${k}-${name}.ts`;
  });
  const language = { module: "ESNext", moduleResolution: "bundler", lib: ["ES2023", "DOM"], skipLibCheck: true };
  const complaints = typeCheck(project, files, language);
  fs.rmSync(folder, { recursive: true, force: true });
  return complaints === "" ? faults : [...faults, complaints];
}

const { peerDependencies } = JSON.parse(fs.readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  peerDependencies: Record<string, string>;
};
const range = peerDependencies["@babylonjs/core"];
const listed = execFileSync("npm", ["view", `@babylonjs/core@${range}`, "version", "--json"], { encoding: "utf8" });
const versions = JSON.parse(listed) as string[];
const [oldest, newest] = [versions[0], versions[versions.length - 1]];
for (const [version, others] of [
  [oldest, oldest],
  [newest, range],
]) {
  const faults = faultsWith(version, others);
  console.log(`Babylon ${version}: ${faults.length === 0 ? "well" : faults.join("\n")}`);
  if (faults.length > 0) process.exitCode = 1;
}
