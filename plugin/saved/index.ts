/** Physics in `.babylon` files, for Babylon's `SceneSerializer` and its loader. @module babylon-pliant/babylon-file */

import type { Bone } from "@babylonjs/core/Bones/bone";
import type { IAssetContainer } from "@babylonjs/core/IAssetContainer";
import { AddParser } from "@babylonjs/core/Loading/Plugins/babylonFileParser.function";
import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { Logger } from "@babylonjs/core/Misc/logger";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { Scene } from "@babylonjs/core/scene";
import type { ISceneSerializableComponent } from "@babylonjs/core/sceneComponent";
import { PliantError } from "../../src/errors";
import type { BodyState } from "../../src/solvers/deformable";
import type { ClothPlugin } from "../cloth-plugin";
import type { AttachmentCarrier } from "../deformable/carrier";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";
import { pluginOf } from "../plugin-of";
import { RopeAggregate } from "../rope/rope-aggregate";
import {
  describeBody,
  describeConstraints,
  makeBody,
  makeConstraint,
  type BodyJson,
  type ConstraintJson,
} from "./bodies-json";
import { addCarriers, describe, hasState, stateJson } from "./deformable-json";
import { makeDeformable, type DeformableJson } from "./make-deformable";
import { type BabylonFile, LoadedNodes, type NodeKey, NodeList } from "./nodes-json";
import { plainOf, vectorOf, type Json } from "./plain";
import { makeShapes, ShapeList, type ShapeJson } from "./shapes-json";

const NAME = "PliantPhysics";

/** `pliantPhysics` of a `.babylon` file. */
interface PhysicsJson {
  readonly gravity: readonly number[];
  readonly timeStep: number;
  readonly nodes: readonly NodeKey[];
  readonly shapes: readonly ShapeJson[];
  readonly bodies: readonly BodyJson[];
  readonly constraints: readonly ConstraintJson[];
  /** in the order in which they were made */
  readonly deformables: readonly { readonly node: number; readonly body: DeformableJson }[];
}

/**
 * From now on `SceneSerializer` writes the physics of a scene into its `.babylon` file, and Babylon's loader makes it again in the scene:
 * rigid bodies with their shapes, materials, velocities and constraints, and cloth, balloons, soft bodies and ropes with their options, pins,
 * attachments and states. Physics has to be enabled in the scene before a file is loaded into it (`AppendSceneAsync`); bodies move from
 * then on. A body that cannot be made is reported on the console, and so are parts that cannot be written. With WebGPU, write with `SceneSerializer.SerializeAsync`. Call it once for a scene, before it is written and before it is loaded.
 *
 * @example
 * ```ts
 * import { AppendSceneAsync } from "@babylonjs/core/Loading/sceneLoader";
 * import { SceneSerializer } from "@babylonjs/core/Misc/sceneSerializer";
 * registerScenePhysics(scene);
 * const file = JSON.stringify(await SceneSerializer.SerializeAsync(scene));
 * registerScenePhysics(otherScene);
 * await AppendSceneAsync(`data:${file}`, otherScene, { pluginExtension: ".babylon" });
 * ```
 */
export function registerScenePhysics(scene: Scene): void {
  if (scene._getComponent(NAME)) return;
  scene._addComponent(new PhysicsComponent(scene));
  AddParser(NAME, (file: BabylonFile, into, container) => {
    if (!file.pliantPhysics || !into._getComponent(NAME)) return;
    try {
      makePhysics(file, file.pliantPhysics as PhysicsJson, into, container);
    } catch (error) {
      // Babylon's loader passes on no errors of parsers.
      Logger.Error(String(error));
      throw error;
    }
  });
}

/** The part of a scene that writes its physics. */
class PhysicsComponent implements ISceneSerializableComponent {
  readonly name = NAME;

  constructor(readonly scene: Scene) {}

  serialize(file: BabylonFile): void {
    file.pliantPhysics = describePhysics(file, pluginOf(NAME, this.scene), this.scene);
  }

  register(): void {}
  rebuild(): void {}
  dispose(): void {}
  addFromContainer(): void {}
  removeFromContainer(): void {}
}

function describePhysics(file: BabylonFile, plugin: ClothPlugin, scene: Scene): Json {
  const nodes = new NodeList(file);
  const shapes = new ShapeList();
  const numbers = new Map<PhysicsBody, number>();
  const bodies = [...scene.transformNodes, ...scene.meshes].flatMap(({ physicsBody: body }) => {
    const node = body ? nodes.numberOf(body.transformNode) : undefined;
    if (!body || node === undefined) return [];
    numbers.set(body, numbers.size);
    return [describeBody(body, node, shapes)];
  });
  const carrier = (owner: TransformNode | Bone, isSkin: boolean): Json | undefined => {
    if ("getSkeleton" in owner) return boneJson(owner, scene, nodes);
    const number = nodes.numberOf(owner);
    return number === undefined ? undefined : { [isSkin ? "skin" : "node"]: number };
  };
  const deformables = plugin.deformableAggregates.flatMap((aggregate) => {
    const node = nodes.numberOf(aggregate.mesh);
    if (node === undefined) return [];
    const form = { name: NAME, isMirrored: false, carrier };
    const body = describe(aggregate, form);
    addCarriers(body, aggregate, form);
    if (hasState(aggregate, NAME)) body.state = stateOf(aggregate);
    return [{ node, body }];
  });
  return {
    gravity: [...plugin.getGravity().asArray()],
    timeStep: plugin.getTimeStep(),
    constraints: describeConstraints(plugin, (body) => numbers.get(body)),
    bodies,
    deformables,
    shapes: shapes.list,
    nodes: nodes.keys,
  };
}

/** A bone by its place in the file: the number of its skeleton, and its own. */
function boneJson(bone: Bone, scene: Scene, nodes: NodeList): Json | undefined {
  const skeleton = bone.getSkeleton();
  const number = scene.skeletons.filter(({ doNotSerialize }) => !doNotSerialize).indexOf(skeleton);
  const mesh = scene.meshes.find((candidate) => candidate.skeleton === skeleton);
  const skinnedMesh = mesh && nodes.numberOf(mesh);
  if (number < 0 || skinnedMesh === undefined) return undefined;
  return { bone: [number, skeleton.bones.indexOf(bone)], skinnedMesh };
}

/** The state at once on the CPU; a promise with a GPU, for which `SerializeAsync` waits. */
function stateOf(aggregate: DeformableAggregate): Json | Promise<Json> {
  const written = (state: BodyState): Json => {
    const { frames, plastic } = plainOf({ frames: state.frames, plastic: state.plastic }) as Json;
    return { ...stateJson(aggregate, state, false), ...(frames ? { frames } : {}), ...(plastic ? { plastic } : {}) };
  };
  const { body, plugin } = aggregate;
  if (plugin.world.backend === "webgpu") {
    const state = body.readState().then(written);
    // Nothing waits for it after Serialize.
    state.catch(() => undefined);
    return state;
  }
  let json: Json | undefined;
  body.requestState((state) => (json = written(state)));
  return json!;
}

/** @throws PliantError as bodies do; it names the node */
function makePhysics(file: BabylonFile, physics: PhysicsJson, scene: Scene, container: IAssetContainer): void {
  const plugin = pluginOf(NAME, scene);
  const engine = scene.getPhysicsEngine()!;
  engine.setGravity(vectorOf(`${NAME}.gravity`, physics.gravity));
  engine.setTimeStep(physics.timeStep);
  const nodes = new LoadedNodes(`${NAME} node`, file, container, physics.nodes);
  const shapes = makeShapes(NAME, physics.shapes, scene);
  const bodies = physics.bodies.map((json) => makeBody(json, nodes.at(json.node), shapes, scene));
  for (const json of physics.constraints) makeConstraint(json, bodies, plugin, scene);
  for (const { node: number, body } of physics.deformables) {
    const node = nodes.at(number);
    const object = `${NAME} of node "${node.name}"`;
    const site = {
      object,
      scene,
      node,
      meshes: node instanceof AbstractMesh ? [node] : [],
      carrier: (one: Readonly<Record<string, unknown>>) => carrierIn(nodes, object, one),
      direction: (direction: Vector3) => direction,
    };
    const made = makeDeformable(site, body);
    if (made instanceof RopeAggregate) takePlace(made.mesh, node as AbstractMesh, container);
  }
}

/** A rope makes its mesh anew, which takes the place of that of the file. */
function takePlace(mesh: Mesh, old: AbstractMesh, { meshes }: IAssetContainer): void {
  mesh.id = old.id;
  mesh.metadata = old.metadata;
  mesh.receiveShadows = old.receiveShadows;
  const place = meshes.indexOf(old);
  if (place >= 0) meshes[place] = mesh;
  else meshes.push(mesh);
}

function carrierIn(nodes: LoadedNodes, object: string, one: Readonly<Record<string, unknown>>): AttachmentCarrier {
  if (typeof one.skin === "number") return { skin: nodes.at(one.skin) as AbstractMesh };
  if (typeof one.node === "number") return { node: nodes.at(one.node) };
  const [skeleton, number] = (one.bone ?? []) as number[];
  const bone = nodes.skeleton(skeleton)?.bones[number];
  if (!bone) throw new PliantError("invalid-argument", `${object}.attach`, one, "must name a node or a bone");
  return { bone, skinnedMesh: nodes.at(one.skinnedMesh as number) as AbstractMesh };
}
