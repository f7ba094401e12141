/**
 * `MSFT_rigid_bodies` and `MSFT_collision_primitives`, from which the extensions of the Khronos Group grew, and of which files have two
 * forms. That of `eoineoineoin/glTF_Physics` has motions, colliders, triggers and filters as the later extension. The older one, which the
 * branch `hk_users` of Blender's exporter writes, has inverse masses, filters in the shapes, and takes a collider without a material as a trigger.
 */

import type { IGLTF, INode } from "@babylonjs/loaders/glTF/2.0/glTFLoaderInterfaces";
import { invalid } from "../../src/errors";
import {
  RIGID_BODIES,
  SHAPES,
  type Combine,
  type Filter,
  type Geometry,
  type JointUse,
  type Limit,
  type Material,
  type Motion,
  type RigidFile,
  type RigidNode,
  type Shape,
  type ShapesFile,
} from "./json";
import { nameOf, RigidBodiesLoader } from "./rigid-loader";

export const MSFT_BODIES = "MSFT_rigid_bodies";
export const MSFT_SHAPES = "MSFT_collision_primitives";

interface BodiesFile {
  readonly physicsMaterials?: readonly (Omit<Material, "frictionCombine" | "restitutionCombine"> & {
    readonly frictionCombine?: string;
    readonly restitutionCombine?: string;
  })[];
  readonly physicsJointLimits?: readonly {
    readonly limits?: readonly (Limit & { readonly springConstant?: number; readonly springDamping?: number })[];
  }[];
  readonly collisionFilters?: readonly Filter[];
}

/** A collider by its number in the list; in the older form the number alone. */
interface ColliderUse {
  readonly collider: number;
  readonly physicsMaterial?: number;
  readonly collisionFilter?: number;
}

interface BodiesNode {
  readonly motion?: Motion;
  readonly rigidBody?: Motion & {
    readonly inverseMass?: number;
    readonly inverseInertiaTensor?: readonly [number, number, number];
  };
  readonly collider?: number | ColliderUse;
  readonly physicsMaterial?: number;
  readonly trigger?: ColliderUse;
  readonly joint?: Omit<JointUse, "joint"> & { readonly jointLimits: number };
}

const KINDS = ["sphere", "box", "capsule", "cylinder", "convex", "trimesh"] as const;

interface Primitive extends Filter {
  readonly type?: string;
  readonly sphere?: Shape["sphere"];
  readonly box?: Shape["box"];
  readonly capsule?: Round;
  readonly cylinder?: Round;
  readonly convex?: { readonly mesh: number };
  readonly trimesh?: { readonly mesh: number };
}

type Round = NonNullable<Shape["capsule"]> & { readonly radius?: number };

/** Loads `MSFT_rigid_bodies` as `KHR_physics_rigid_bodies`. A file with both says the same twice, so the later one counts. */
export class MsftBodiesLoader extends RigidBodiesLoader {
  override readonly name = MSFT_BODIES;

  /** @throws PliantError as `RigidBodiesLoader`, and for a collider with a mesh that no node of the scene has */
  override onReady(): void {
    if (this.loader.isExtensionUsed(RIGID_BODIES)) return;
    convert(this.loader.gltf);
    super.onReady();
  }
}

/** Adds the later extensions to a file. */
function convert(file: IGLTF): void {
  const { nodes = [] } = file;
  const extensions = (file.extensions ??= {}) as Record<string, unknown>;
  const {
    physicsMaterials = [],
    physicsJointLimits = [],
    collisionFilters = [],
  } = (extensions[MSFT_BODIES] ?? {}) as BodiesFile;
  const { colliders = [] } = (extensions[MSFT_SHAPES] ?? {}) as { colliders?: readonly Primitive[] };
  extensions[SHAPES] = { shapes: colliders.map(shapeOf) } satisfies ShapesFile;
  extensions[RIGID_BODIES] = {
    physicsMaterials: physicsMaterials.map((material) => ({
      ...material,
      frictionCombine: material.frictionCombine?.toLowerCase() as Combine | undefined,
      restitutionCombine: material.restitutionCombine?.toLowerCase() as Combine | undefined,
    })),
    physicsJoints: physicsJointLimits.map(({ limits = [] }) => ({
      limits: limits.map(({ springConstant: stiffness, springDamping: damping, ...limit }) => ({
        ...limit,
        stiffness,
        damping,
      })),
    })),
    // Primitives of the older form are their own filters; others let all meet.
    collisionFilters: [...collisionFilters, ...colliders],
  } satisfies RigidFile;

  for (const node of nodes) {
    const form = node.extensions?.[MSFT_BODIES] as BodiesNode | undefined;
    if (!form) continue;
    const part = (use: ColliderUse | undefined) =>
      use && {
        geometry: geometryOf(nodes, node, colliders[use.collider], use.collider),
        physicsMaterial: use.physicsMaterial,
        collisionFilter: use.collisionFilter ?? collisionFilters.length + use.collider,
      };
    const { collider, physicsMaterial, joint } = form;
    const own = typeof collider === "number" ? { collider, physicsMaterial } : undefined;
    const isTrigger = own && physicsMaterial === undefined;
    node.extensions![RIGID_BODIES] = {
      motion: form.motion ?? motionOf(form.rigidBody),
      collider: part(own ? (isTrigger ? undefined : own) : (collider as ColliderUse | undefined)),
      trigger: part(isTrigger ? own : form.trigger),
      joint: joint && { ...joint, joint: joint.jointLimits },
    } satisfies RigidNode;
  }
}

/** In both extensions 0 stands for infinity, of a mass and of its inverse. */
function motionOf(body: BodiesNode["rigidBody"]): Motion | undefined {
  if (!body) return undefined;
  const { inverseMass, inverseInertiaTensor: inverse, ...same } = body;
  const inverted = (value: number): number => (value === 0 ? 0 : 1 / value);
  return {
    ...same,
    mass: inverseMass === undefined ? undefined : inverted(inverseMass),
    inertiaDiagonal: inverse && [inverted(inverse[0]), inverted(inverse[1]), inverted(inverse[2])],
  };
}

/** The older form has no types and one radius. */
function shapeOf(primitive: Primitive): Shape {
  const { type = KINDS.find((kind) => primitive[kind]) ?? "none", sphere, box, capsule, cylinder } = primitive;
  const ends = (sizes: Round | undefined): Shape["capsule"] =>
    sizes && { radiusTop: sizes.radius, radiusBottom: sizes.radius, ...sizes };
  return { type, sphere, box, capsule: ends(capsule), cylinder: ends(cylinder) };
}

/** A mesh becomes the node that has it: the collider's own, or another one. */
function geometryOf(nodes: readonly INode[], node: INode, primitive: Primitive | undefined, number: number): Geometry {
  const mesh = (primitive?.convex ?? primitive?.trimesh)?.mesh;
  if (mesh === undefined) return { shape: number };
  const has = (one: INode): boolean => one.mesh === mesh && one._primitiveBabylonMeshes !== undefined;
  const source = has(node) ? node : nodes.find(has);
  if (!source) throw invalid(`${nameOf(node)}.mesh`, mesh, "must be the mesh of a node of the scene");
  return { node: source.index, convexHull: primitive?.convex !== undefined };
}
