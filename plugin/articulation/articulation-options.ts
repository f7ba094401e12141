import type { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { optionNames } from "../../src/option-names";
import type { JointDescription, LinkShape, MechanismOptions, VisualShape } from "../../src/index";

/** Options for the simulation and display of an `ArticulationAggregate`. */
export interface ArticulationOptions extends Omit<MechanismOptions, "meets"> {
  /**
   * Node of each link, by name. The node gets the pose of the link and keeps its scaling. A link without a node gets a
   * `TransformNode`, which belongs to the aggregate. Meshes that are children of a node move along.
   */
  readonly nodes?: Readonly<Record<string, TransformNode>>;
  /**
   * Shapes to draw, those of a file for instance (`visuals` of `loadUrdf` and `loadMjcf`): each becomes a mesh below the
   * node of its link, or of the mechanism's world. The meshes belong to the aggregate. Default none.
   */
  readonly visuals?: readonly VisualShape[];
  /** The place of the mechanism's own world, which is in meters, in the scene. Default the origin. */
  readonly position?: Vector3;
  /** Rotation of that world. Default none. */
  readonly rotation?: Quaternion;
  /** Whether cloth, soft bodies and ropes collide with the links, and push them. Default true. */
  readonly collideWithCloth?: boolean;
  /** Whether rigid bodies of the scene collide with the links, and push them. Default true. */
  readonly collideWithBodies?: boolean;
}

export const articulationOptionNames = optionNames<ArticulationOptions>()(`
  ground friction frictionCone restitution bounceThreshold limits penetrationCorrection correctionSpeed selfCollision softening bounceGradients
  tiedContacts fastMotion maxTimeStep actuators visuals nodes position rotation collideWithCloth? collideWithBodies?
`);

/** Options for turning a node of a hierarchy into a link. */
export interface HierarchyLink {
  /** The joint to the nearest link above, without its frames, which follow from the hierarchy. Default a weld. */
  readonly joint?: Omit<JointDescription, "parentFrame" | "childFrame">;
  /** The place of the joint in the node's own axes (before its scaling). Default the node's origin. */
  readonly pivot?: Vector3;
  /** kg; default from the density and the boxes of the meshes */
  readonly mass?: number;
  /** kg/m³, default 1000 */
  readonly density?: number;
  /** Collision shapes in the node's axes, m; default the bounding boxes of its meshes. */
  readonly shapes?: readonly LinkShape[];
}

export const hierarchyLinkNames = optionNames<HierarchyLink>()("joint pivot mass density shapes");
