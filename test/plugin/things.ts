import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import "@babylonjs/core/Meshes/thinInstanceMesh";
import { PhysicsConstraintAxis, PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { Physics6DoFConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import { PhysicsShapeBox, PhysicsShapeContainer, PhysicsShapeSphere } from "@babylonjs/core/Physics/v2/physicsShape";
import { makeBody, testScene, type TestScene } from "./fixtures";

const { STATIC, DYNAMIC } = PhysicsMotionType;
const zero = Vector3.Zero();

/** Objects of every kind on which calls are made. */
export interface Things extends TestScene {
  readonly ball: PhysicsBody;
  readonly many: PhysicsBody;
  readonly hung: PhysicsBody;
  readonly joint: Physics6DoFConstraint;
  readonly sphere: PhysicsShapeSphere;
  readonly container: PhysicsShapeContainer;
}

/** A ball that falls on a floor, a hanging body, and instances, after two frames. */
export async function things(): Promise<Things> {
  const t = await testScene();
  const { scene } = t;
  const floor = new PhysicsShapeBox(zero, Quaternion.Identity(), new Vector3(20, 1, 20), scene);
  const base = makeBody(scene, STATIC, floor, new Vector3(0, -0.5, 0));
  const sphere = new PhysicsShapeSphere(zero, 0.5, scene);
  const ball = makeBody(scene, DYNAMIC, sphere, new Vector3(0, 0.7, 0));
  const container = new PhysicsShapeContainer(scene);
  container.addChild(new PhysicsShapeSphere(zero, 0.3, scene), Vector3.Right());
  const hung = makeBody(scene, DYNAMIC, container, new Vector3(5, 2, 0));
  const joint = new Physics6DoFConstraint(
    { pivotA: new Vector3(5, 2.5, 0), pivotB: zero, collision: false },
    [{ axis: PhysicsConstraintAxis.LINEAR_DISTANCE, minLimit: 0, maxLimit: 0.2 }],
    scene,
  );
  base.addConstraint(hung, joint);
  const mesh = CreateBox("many", { size: 0.5 }, scene);
  mesh.thinInstanceAdd([Matrix.Translation(-4, 1, 0), Matrix.Translation(-6, 2, 0)]);
  const many = new PhysicsBody(mesh, DYNAMIC, false, scene);
  many.shape = new PhysicsShapeBox(zero, Quaternion.Identity(), new Vector3(0.5, 0.5, 0.5), scene);
  t.run(2);
  return { ...t, ball, many, hung, joint, sphere, container };
}
