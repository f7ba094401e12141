import fs from "node:fs";
import path from "node:path";

const ROOT = path.resolve(import.meta.dirname, "../..");

/** Code of the `@example` of classes; `undefined` where a class that the plugin exports has none. */
export function docExamples(): Map<string, { folder: string; code: string | undefined }> {
  const index = fs.readFileSync(path.join(ROOT, "plugin/index.ts"), "utf8");
  const exported = new Set(index.match(/\b[A-Z]\w+/g));
  const found = new Map<string, { folder: string; code: string | undefined }>();
  for (const folder of ["plugin", "src"])
    for (const file of fs.readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts")) continue;
      const text = fs.readFileSync(path.join(ROOT, folder, file), "utf8");
      for (const [, comment, name] of text.matchAll(/(\/\*\*(?:(?!\*\/)[^])*\*\/)\s*export class (\w+)/g)) {
        const example = /@example\n \* ```ts\n([^]*?) \* ```/.exec(comment);
        if (!example && !exported.has(name)) continue;
        found.set(name, { folder, code: example?.[1].replace(/^ \* ?/gm, "") });
      }
    }
  return found;
}

/** Things that examples take from the app around them. */
const AROUND = `
import { MeshBuilder, PhysicsAggregate, PhysicsShapeType, Vector3 } from "@babylonjs/core";
import type { AbstractEngine, ArcRotateCamera, Mesh, PhysicsBody, Scene, TransformNode } from "@babylonjs/core";
import {
  ArticulationAggregate, AttachmentAggregate, BakedMotion, CableAggregate, CharacterController, ClothAggregate, ClothDragBehavior,
  ClothMaps, ClothPlugin, ClothRange, DeformableInspector, DeformableScene, DeformableViewer, MotionRecorder, PliantPlugin, RopeAggregate, SceneWind, SkeletonAggregate, SmoothMesh, SoftBodyAggregate, loadUrdf,
  type DeformableSceneOptions,
} from "babylon-pliant";
declare const engine: AbstractEngine;
declare const scene: Scene;
declare const camera: ArcRotateCamera;
declare const node: TransformNode;
declare const mesh: Mesh, vest: Mesh, skinnedMesh: Mesh, sheet: Mesh, otherSheet: Mesh, exportedSheet: Mesh;
declare const cloth: ClothAggregate, recorder: MotionRecorder, motion: BakedMotion;
declare const left: ClothAggregate, right: ClothAggregate, soft: SoftBodyAggregate;
declare const crate: PhysicsBody, text: string, havokPlugin: DeformableSceneOptions["rigid"];
`;

/** A file for the compiler, with an example in the names of its entry point. */
export function exampleFile({ folder, code }: { folder: string; code: string | undefined }): string {
  if (folder === "src")
    return `import { World, clothModel, gridMesh, loadUrdf, mechanismModel, MotionRange, PliantError, WindField } from "babylon-pliant/engine";
export async function example(given: World, text: string): Promise<void> {
const world: World = given;
{
${code}}
}
`;
  return `${AROUND}
export async function example(): Promise<void> {
${code}}
`;
}
