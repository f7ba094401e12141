import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { PhysicsShapeBox, PhysicsShapeSphere } from "@babylonjs/core/Physics/v2/physicsShape";
import type { PluginScene } from "../both-plugins";
import { makeBody } from "../fixtures";

/** Building blocks of scenes. */

export const boxShape = (t: PluginScene, x: number, y = x, z = x): PhysicsShapeBox =>
  new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(x, y, z), t.scene);

export const ballShape = (t: PluginScene, radius = 0.5): PhysicsShapeSphere =>
  new PhysicsShapeSphere(Vector3.Zero(), radius, t.scene);

/** A floor whose top is at height 0. */
export const floor = (t: PluginScene, at = Vector3.Zero()): PhysicsBody =>
  makeBody(t.scene, PhysicsMotionType.STATIC, boxShape(t, 20, 1, 20), at.add(new Vector3(0, -0.5, 0)));

/** A cube of 0.4 m and 1 kg without collisions. */
export function block(
  t: PluginScene,
  motionType: PhysicsMotionType,
  at: Vector3,
  turn = Quaternion.Identity(),
): PhysicsBody {
  const shape = boxShape(t, 0.4);
  shape.filterCollideMask = 0;
  const body = makeBody(t.scene, motionType, shape, at, turn);
  body.setMassProperties({ mass: 1 });
  body.setAngularDamping(0);
  return body;
}

export const placeOf = ({ transformNode }: PhysicsBody): number[] => [...transformNode.position.asArray()];

/** Two axes of the body: unlike a quaternion, they have one sign. */
export const turnOf = ({ transformNode }: PhysicsBody): number[] =>
  [Vector3.Right(), Vector3.Up()].flatMap((axis) => [
    ...axis.applyRotationQuaternion(transformNode.rotationQuaternion!).asArray(),
  ]);

export const poseOf = (body: PhysicsBody): number[] => [...placeOf(body), ...turnOf(body)];

export const velocityOf = (body: PhysicsBody, index?: number): number[] => [
  ...body.getLinearVelocity(index).asArray(),
  ...body.getAngularVelocity(index).asArray(),
];
