import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Node } from "@babylonjs/core/node";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { type PliantError, unsupported } from "../../src/errors";

/** The dynamic body that moves a node: its own, or that of the nearest ancestor with a body. Thin instances move no node. */
export function dynamicBodyOf(node: Node): PhysicsBody | undefined {
  for (let at: Node | null = node; at; at = at.parent) {
    const { physicsBody } = at as Node & { physicsBody?: PhysicsBody | null };
    if (!physicsBody || physicsBody.numInstances > 0) continue;
    return physicsBody.getMotionType() === PhysicsMotionType.DYNAMIC ? physicsBody : undefined;
  }
  return undefined;
}

/**
 * Recognizes the node of a body that is being made, and that the node does not know yet, by the vector that the body
 * got as its position.
 */
export function hasPosition(position: Vector3): (node: Node) => boolean {
  return (node) => (node as TransformNode).absolutePosition === position;
}

/** The error for a node of a dynamic body that would not feel the vertices that the node carries. */
export function unfelt(object: string, node: Node, body: PhysicsBody): PliantError {
  return unsupported(
    object,
    node.name,
    `must not be a node that the dynamic body of "${body.transformNode.name}" moves, which would not feel the pull: use an AttachmentAggregate, or an animated or static body`,
  );
}

/** @throws PliantError `unsupported` for a body that is to be dynamic while its node carries vertices */
export function refuseDynamic(node: Node, aggregate: string): never {
  throw unsupported(
    `PhysicsBody "${node.name}"`,
    "DYNAMIC",
    `must not become dynamic while ${aggregate} is attached to its node: call detach, and use an AttachmentAggregate, or an animated or static body`,
  );
}
