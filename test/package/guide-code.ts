import fs from "node:fs";
import path from "node:path";

const GUIDES = path.resolve(import.meta.dirname, "../../site/guide");

/** Things that the code of guides takes from the app around it. */
const AROUND = `
import {
  AmmoJSPlugin, FreeCamera, HavokPlugin, ImportMeshAsync, NullEngine, PhysicsAggregate, PhysicsImpostor, PhysicsShapeType, RenderTargetTexture, Scene, Vector3,
} from "@babylonjs/core";
import HavokPhysics from "@babylonjs/havok";
import type { AbstractEngine, BaseTexture, Mesh, PickingInfo, TransformNode } from "@babylonjs/core";
import {
  ArticulationAggregate, AttachmentAggregate, BakedMotion, CharacterController, ClothAggregate, ClothMaps, ClothPlugin, ClothRange,
  DeformableInspector, DeformableScene, DeformableViewer, Fabric, MotionRecorder, PliantPlugin, RopeAggregate, SkeletonAggregate, SoftBodyAggregate,
  fabrics, loadMsh, readVertexMap,
} from "babylon-pliant";
import {
  BatchSimulation, SimulationStep, filesFrom, loadMjcf, optimizeTrajectory, runTask,
  type ArticulatedSimulation, type BatchOptions, type MechanismDescription,
} from "babylon-pliant/engine";
declare function ShowInspector(scene: Scene): void;
declare const engine: AbstractEngine, scene: Scene, wanted: Vector3, text: string, path: Vector3[], collar: number[];
declare const sheet: Mesh, mesh: Mesh, sphere: Mesh, ball: Mesh, cube: Mesh, box: Mesh, rope: Mesh, pole: Mesh, crate: Mesh, cape: Mesh;
declare const shirt: Mesh, vest: Mesh, jacket: Mesh, coatMesh: Mesh, figure: Mesh, otherMesh: Mesh, exportMesh: Mesh;
declare const grenade: TransformNode, texture: BaseTexture, hit: PickingInfo & { pickedPoint: Vector3 };
declare const plugin: PliantPlugin, cloth: ClothAggregate, left: ClothAggregate, right: ClothAggregate, jelly: SoftBodyAggregate;
declare const arm: ArticulationAggregate, mechanism: MechanismDescription, description: MechanismDescription, hand: TransformNode,
  see: (pixels: ArrayBufferView) => void, actuators: BatchOptions["actuators"], simulation: ArticulatedSimulation;
declare const massScale: number[], frictionScale: number[], damping: number[], armature: number[], gainScale: number[], gravity: number[], inputs: number[];
declare const byPosition: number[], byVelocity: number[];
`;

/** TypeScript in the pages of the guides, by a name of its own: a file each, for the compiler. */
export function guideCode(): Map<string, string> {
  const files = new Map<string, string>();
  for (const page of fs.readdirSync(GUIDES).filter((file) => file.endsWith(".md"))) {
    const text = fs.readFileSync(path.join(GUIDES, page), "utf8");
    const blocks = [...text.matchAll(/^```ts(?: .*)?\n([^]*?)^```/gm)];
    blocks.forEach(([, code], k) => {
      // A function has no imports, and may name what is declared around it anew.
      const body = code
        .replace(/^import (\{.*\}) from (".*");/gm, "const $1 = await import($2);")
        .replace(/^import (".*");/gm, "await import($1);");
      files.set(
        `${path.parse(page).name}-${k}`,
        `${AROUND}export async function example(): Promise<void> {\n${body}}\n`,
      );
    });
  }
  return files;
}
