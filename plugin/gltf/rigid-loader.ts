import { type Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { type PhysicsMassProperties, PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { PhysicsMaterialCombineMode, type PhysicsMaterial } from "@babylonjs/core/Physics/v2/physicsMaterial";
import { PhysicsShapeContainer, type PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import type { Scene } from "@babylonjs/core/scene";
import type { GLTFLoader } from "@babylonjs/loaders/glTF/2.0/glTFLoader";
import type { IGLTFLoaderExtension } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtension";
import type { INode } from "@babylonjs/loaders/glTF/2.0/glTFLoaderInterfaces";
import { invalid } from "../../src/errors";
import { worldMatrixOf } from "../rigid/node-pose";
import { implicitShape, meshShape, type Triangles } from "./collider-shape";
import { between, directions, rotationOf } from "./frames";
import { masksOf, type Masks } from "./filters";
import { makeJoint, type JointSide } from "./joint";
import {
  RIGID_BODIES,
  SHAPES,
  type Collider,
  type Combine,
  type Material,
  type Motion,
  type RigidFile,
  type RigidNode,
  type ShapesFile,
  type Trigger,
} from "./json";

const COMBINE: Readonly<Record<Combine, PhysicsMaterialCombineMode>> = {
  average: PhysicsMaterialCombineMode.ARITHMETIC_MEAN,
  minimum: PhysicsMaterialCombineMode.MINIMUM,
  maximum: PhysicsMaterialCombineMode.MAXIMUM,
  multiply: PhysicsMaterialCombineMode.MULTIPLY,
};

/** A node that moves on its own, or a static one with a collider. */
interface Owner {
  readonly node: TransformNode;
  readonly motion: Motion | undefined;
  readonly shapes: PhysicsShape[];
}

/**
 * Loads `KHR_physics_rigid_bodies`: a node with a motion gets a `PhysicsBody` with the colliders at and below it, other colliders are
 * static bodies, joints are six-degree-of-freedom constraints. The scene's physics plugin makes them, Pliant's or another.
 */
export class RigidBodiesLoader implements IGLTFLoaderExtension {
  readonly name: string = RIGID_BODIES;
  /** after the extensions of meshes */
  readonly order = 1000;
  enabled = true;
  private readonly scene: Scene = this.loader.babylonScene;

  constructor(protected readonly loader: GLTFLoader) {}

  dispose(): void {
    this.enabled = false;
  }

  /** @throws PliantError naming the node, the value and the rule, for a scene without physics, and for a file that breaks the rules */
  onReady(): void {
    if (!this.scene.getPhysicsEngine())
      throw invalid(this.name, "no physics", "needs scene.enablePhysics before it is loaded");
    const { nodes = [], extensions } = this.loader.gltf;
    const file: RigidFile = (extensions?.[RIGID_BODIES] as RigidFile | undefined) ?? {};
    const masks = masksOf(file.collisionFilters ?? []);
    const owners = new Map<TransformNode, Owner>();
    for (const node of nodes) this.collect(node, file, masks, owners);
    const bodies = new Map([...owners].map(([node, owner]) => [node, this.bodyOf(owner)]));
    for (const node of nodes) this.join(node, file, bodies);
  }

  private collect(node: INode, file: RigidFile, masks: readonly Masks[], owners: Map<TransformNode, Owner>): void {
    const { motion, collider, trigger } = rigidOf(node) ?? {};
    const place = node._babylonTransformNode;
    if (!place) return;
    if (motion) ownerAt(owners, place, motion);
    const mover = moverOf(node);
    for (const part of [collider, trigger]) {
      if (!part || (part.geometry === undefined && part.shape === undefined)) continue;
      const owner = ownerAt(owners, mover?._babylonTransformNode ?? place, mover && rigidOf(mover)!.motion);
      const shape = this.shapeOf(node, part, between(place, owner.node));
      const { physicsMaterial, collisionFilter = masks.length - 1 } = part as Collider;
      shape.isTrigger = part === trigger;
      if (physicsMaterial !== undefined)
        shape.material = materialOf(found(`${nameOf(node)}.physicsMaterial`, file.physicsMaterials, physicsMaterial));
      const { membership, collide } = found(`${nameOf(node)}.collisionFilter`, masks, collisionFilter);
      shape.filterMembershipMask = membership;
      shape.filterCollideMask = collide;
      owner.shapes.push(shape);
    }
  }

  private shapeOf(node: INode, part: Collider | Trigger, toBody: Matrix): PhysicsShape {
    const object = nameOf(node);
    const { shape: number = part.shape, node: source, convexHull = false } = part.geometry ?? {};
    if (number !== undefined) {
      const { shapes } = (this.loader.gltf.extensions?.[SHAPES] as ShapesFile | undefined) ?? {};
      return implicitShape(`${object}.shape`, found(`${object}.shape`, shapes, number), toBody, this.scene);
    }
    const triangles = trianglesOf(this.loader.gltf.nodes?.[source ?? -1]);
    if (!triangles) throw invalid(`${object}.node`, source, "must be a node with a mesh");
    return meshShape(triangles, convexHull, toBody, this.scene);
  }

  private bodyOf({ node, motion, shapes }: Owner): PhysicsBody {
    const { DYNAMIC, ANIMATED, STATIC } = PhysicsMotionType;
    const type = motion === undefined ? STATIC : motion.isKinematic ? ANIMATED : DYNAMIC;
    const body = new PhysicsBody(node, type, false, this.scene);
    if (shapes.length === 1) body.shape = shapes[0];
    else if (shapes.length > 1) {
      const container = new PhysicsShapeContainer(this.scene);
      for (const shape of shapes) container.addChild(shape);
      body.shape = container;
    }
    if (motion) this.setMotion(body, node, motion);
    return body;
  }

  private setMotion(body: PhysicsBody, node: TransformNode, motion: Motion): void {
    if (!motion.isKinematic) body.setMassProperties(massOf(body, node, motion));
    if (motion.gravityFactor !== undefined) body.setGravityFactor(motion.gravityFactor);
    const { linearVelocity, angularVelocity } = motion;
    const direction = (v: readonly number[]): Vector3 =>
      Vector3.TransformNormal(new Vector3(v[0], v[1], v[2]), directions(node));
    if (linearVelocity) body.setLinearVelocity(direction(linearVelocity));
    if (angularVelocity) {
      // A mirror turns rotations over.
      const sign = Math.sign(worldMatrixOf(node).determinant());
      body.setAngularVelocity(direction(angularVelocity).scale(sign));
    }
  }

  private join(node: INode, file: RigidFile, bodies: ReadonlyMap<TransformNode, PhysicsBody>): void {
    const use = rigidOf(node)?.joint;
    if (!use) return;
    const object = nameOf(node);
    const other = found(`${object}.joint.connectedNode`, this.loader.gltf.nodes, use.connectedNode);
    const joint = found(`${object}.joint.joint`, file.physicsJoints, use.joint);
    if (!moverOf(node) && !moverOf(other)) return;
    const isMirrored = worldMatrixOf(node._babylonTransformNode!).determinant() < 0;
    const [first, second] = [node, other].map((end) => this.sideOf(end, bodies));
    makeJoint(object, joint, first, second, use.enableCollision ?? false, isMirrored, this.scene);
  }

  /** The body above a node; one that stands still in its place where nothing above it moves. */
  private sideOf(node: INode, bodies: ReadonlyMap<TransformNode, PhysicsBody>): JointSide {
    const place = node._babylonTransformNode!;
    const mover = moverOf(node)?._babylonTransformNode;
    const body = bodies.get(mover ?? place);
    if (body && mover) return { body, toBody: between(place, mover) };
    const anchor = new TransformNode(`${place.name} anchor`, this.scene);
    return {
      body: new PhysicsBody(anchor, PhysicsMotionType.STATIC, false, this.scene),
      toBody: worldMatrixOf(place).clone(),
    };
  }
}

export const nameOf = (node: INode): string => `glTF physics of node ${node.index} "${node.name ?? ""}"`;

/** @throws PliantError for a number that the list does not have */
function found<T>(object: string, list: readonly T[] | undefined, number: number): T {
  const entry = list?.[number];
  if (entry === undefined) throw invalid(object, number, `must number one of ${list?.length ?? 0} of the file`);
  return entry;
}

function rigidOf(node: INode): RigidNode | undefined {
  return node.extensions?.[RIGID_BODIES] as RigidNode | undefined;
}

/** The node itself or the nearest above it that has a motion. */
function moverOf(node: INode | undefined): INode | undefined {
  for (let at = node; at?.index !== undefined; at = at.parent) if (rigidOf(at)?.motion) return at;
  return undefined;
}

function ownerAt(owners: Map<TransformNode, Owner>, node: TransformNode, motion: Motion | undefined): Owner {
  const there = owners.get(node);
  if (there) return there;
  const made: Owner = { node, motion, shapes: [] };
  owners.set(node, made);
  return made;
}

/** A file writes 0 for infinity, as Babylon does; Babylon's moments are those of a unit mass. */
function massOf(body: PhysicsBody, node: TransformNode, motion: Motion): PhysicsMassProperties {
  const { mass, centerOfMass, inertiaDiagonal, inertiaOrientation } = motion;
  const toBody = between(node, node);
  const properties: PhysicsMassProperties = { ...(mass === undefined ? {} : { mass }) };
  if (centerOfMass) properties.centerOfMass = Vector3.TransformCoordinates(Vector3.FromArray(centerOfMass), toBody);
  if (inertiaDiagonal) {
    const whole = mass ?? body.computeMassProperties().mass ?? 1;
    properties.inertia = Vector3.FromArray(inertiaDiagonal).scale(1 / (whole || 1));
  }
  if (inertiaDiagonal || inertiaOrientation) {
    const turn = Quaternion.FromArray(inertiaOrientation ?? [0, 0, 0, 1]);
    const axis = (x: number, y: number): Vector3 =>
      Vector3.TransformNormal(new Vector3(x, y, 0).applyRotationQuaternion(turn), toBody);
    properties.inertiaOrientation = rotationOf(axis(1, 0), axis(0, 1));
  }
  return properties;
}

function materialOf(material: Material): PhysicsMaterial {
  const { staticFriction, dynamicFriction, restitution, frictionCombine, restitutionCombine } = material;
  return {
    friction: dynamicFriction ?? 0.6,
    staticFriction: staticFriction ?? 0.6,
    restitution: restitution ?? 0,
    frictionCombine: COMBINE[frictionCombine ?? "average"],
    restitutionCombine: COMBINE[restitutionCombine ?? "average"],
  };
}

/** Triangles of all primitives of a node's mesh, in its frame. */
function trianglesOf(node: INode | undefined): Triangles | undefined {
  const [positions, indices]: [number[], number[]] = [[], []];
  for (const mesh of node?._primitiveBabylonMeshes ?? []) {
    const first = positions.length / 3;
    for (const value of mesh.getVerticesData("position") ?? []) positions.push(value);
    for (const index of mesh.getIndices() ?? []) indices.push(first + index);
  }
  return indices.length > 0 ? { positions, indices } : undefined;
}
