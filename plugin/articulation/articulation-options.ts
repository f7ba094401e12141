import type { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { type NamesOf } from "../../src/option-names";
import type { JointDescription, LinkShape, MechanismOptions } from "../../src/index";

/** How an `ArticulationAggregate` is simulated and shown. */
export interface ArticulationOptions extends Omit<MechanismOptions, "meets"> {
  /**
   * Node of each link, by name; poses are written there, scaling stays. For a link without one a `TransformNode` is made,
   * which belongs to the aggregate. Meshes that are children of it move along.
   */
  readonly nodes?: Readonly<Record<string, TransformNode>>;
  /** Where the mechanism's own world, which is in metres, stands in the scene. Default the origin. */
  readonly position?: Vector3;
  /** Default no rotation. */
  readonly rotation?: Quaternion;
  /** Whether cloth, soft bodies and ropes collide with the links, and push them. Default true. */
  readonly collideWithCloth?: boolean;
  /** Whether rigid bodies of the scene collide with the links, and push them. Default true. */
  readonly collideWithBodies?: boolean;
}

export const articulationOptionNames = {
  ground: true,
  friction: true,
  restitution: true,
  bounceThreshold: true,
  limits: true,
  penetrationCorrection: true,
  selfCollision: true,
  softening: true,
  bounceGradients: true,
  tiedContacts: true,
  fastMotion: true,
  maxTimeStep: true,
  nodes: true,
  position: true,
  rotation: true,
  collideWithCloth: true,
  collideWithBodies: true,
} satisfies NamesOf<ArticulationOptions>;

/** How a node of a hierarchy becomes a link. */
export interface HierarchyLink {
  /** The joint to the nearest link above; its frames are set here. Default a weld. */
  readonly joint?: Omit<JointDescription, "parentFrame" | "childFrame">;
  /** Where the joint is, in the node's own axes (before its scaling). Default the node's origin. */
  readonly pivot?: Vector3;
  /** kg; default from the density and the boxes of the meshes */
  readonly mass?: number;
  /** kg/m³, default 1000 */
  readonly density?: number;
  /** Collision shapes in the node's axes, m; default the boxes that its meshes fit in. */
  readonly shapes?: readonly LinkShape[];
}

export const hierarchyLinkNames = {
  joint: true,
  pivot: true,
  mass: true,
  density: true,
  shapes: true,
} satisfies NamesOf<HierarchyLink>;
