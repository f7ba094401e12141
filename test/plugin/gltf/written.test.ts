import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { PhysicsShapeBox, PhysicsShapeCapsule, PhysicsShapeContainer } from "@babylonjs/core/Physics/v2/physicsShape";
import { GLTFExporter } from "@babylonjs/serializers/glTF/2.0/glTFExporter";
import { GLTF2Export } from "@babylonjs/serializers/glTF/2.0/glTFSerializer";
import { afterEach, beforeAll, expect, it } from "vitest";
import { registerGltfPhysics, registerGltfPhysicsExport } from "../../../plugin/gltf/index";
import { poseOfMatrix } from "../../../plugin/rigid/node-pose";
import { testScene, type TestScene } from "../fixtures";
import { loaded, nodeNamed } from "./files";

const scenes: TestScene[] = [];
beforeAll(() => {
  registerGltfPhysics();
  registerGltfPhysicsExport(GLTFExporter);
});
afterEach(() => scenes.splice(0).forEach((t) => t.dispose()));

/** The scene as one text. */
async function written({ scene }: TestScene): Promise<string> {
  const { files } = await GLTF2Export.GLTFAsync(scene, "scene");
  const json = JSON.parse(files["scene.gltf"] as string) as { buffers?: { uri: string }[] };
  const binary = Buffer.from(await (files["scene.bin"] as Blob).arrayBuffer());
  for (const buffer of json.buffers ?? [])
    buffer.uri = `data:application/octet-stream;base64,${binary.toString("base64")}`;
  return JSON.stringify(json);
}

/** Bodies of many kinds in the air, turned, scaled, offset. */
async function build(isRightHanded: boolean): Promise<TestScene> {
  const t = await testScene();
  scenes.push(t);
  const { scene } = t;
  scene.useRightHandedSystem = isRightHanded;
  const box = CreateBox("crate", { width: 0.4, height: 0.6, depth: 0.8 }, scene);
  box.position.set(1, 2, 3);
  box.rotationQuaternion = Quaternion.RotationYawPitchRoll(0.3, 0.5, 0.7);
  box.scaling.set(1.5, 1, 0.5);
  const crate = new PhysicsAggregate(box, PhysicsShapeType.BOX, { mass: 3, friction: 0.3, restitution: 0.6 }, scene);
  crate.body.setLinearVelocity(new Vector3(1, 2, -3));
  crate.body.setAngularVelocity(new Vector3(0.5, -1, 2));
  const ball = CreateSphere("ball", { diameter: 0.5, segments: 6 }, scene);
  ball.position.set(-2, 1, 1);
  new PhysicsAggregate(ball, PhysicsShapeType.CONVEX_HULL, { mass: 2 }, scene);
  const hammer = new TransformNode("hammer", scene);
  hammer.position.set(-1, 3, -2);
  hammer.rotationQuaternion = Quaternion.RotationYawPitchRoll(1, 0.2, -0.4);
  const shape = new PhysicsShapeContainer(scene);
  shape.addChild(new PhysicsShapeCapsule(new Vector3(0.1, 0, 0), new Vector3(0.7, 0.2, 0.1), 0.05, scene));
  const head = new PhysicsShapeBox(Vector3.Zero(), Quaternion.RotationYawPitchRoll(0.2, 0, 0), Vector3.One(), scene);
  shape.addChild(head, new Vector3(0.8, 0.2, 0), Quaternion.Identity(), new Vector3(0.2, 0.4, 0.2));
  const body = new PhysicsBody(hammer, PhysicsMotionType.DYNAMIC, false, scene);
  body.shape = shape;
  body.setMassProperties({ mass: 1.5 });
  return t;
}

it.each([
  ["left", "left"],
  ["left", "right"],
  ["right", "left"],
  ["right", "right"],
])("a %s-handed scene moves on as it did in a %s-handed one that reads it", async (from, to) => {
  const first = await build(from === "right");
  const second = await loaded(await written(first), to === "right", new Vector3(0, -10, 0));
  scenes.push(second);
  const names = ["crate", "ball", "hammer"];
  // Babylon mirrors x between left-handed scenes and files.
  const inFile = (t: TestScene, v: Vector3): Vector3 =>
    t.scene.useRightHandedSystem ? v : new Vector3(-v.x, v.y, v.z);
  for (const frames of [0, 30]) {
    for (const t of [first, second]) t.run(frames);
    for (const name of names) {
      const seen = [first, second].map((t) => {
        const node = nodeNamed(t, name);
        const world = node.computeWorldMatrix(true);
        const { position, rotation } = poseOfMatrix(world);
        const { centerOfMass } = node.physicsBody!.getMassProperties();
        const pose = Matrix.Compose(Vector3.One(), rotation, position);
        const up = Vector3.TransformNormal(Vector3.Up(), world).normalize();
        return [inFile(t, Vector3.TransformCoordinates(centerOfMass!, pose)), inFile(t, position), inFile(t, up)];
      });
      seen[0].forEach((wanted, k) =>
        expect(Vector3.Distance(wanted, seen[1][k]), `${name} after ${frames} frames, ${k}`).toBeLessThan(2e-3),
      );
    }
    expect(nodeNamed(second, "crate").physicsBody!.getMassProperties().mass).toBeCloseTo(3, 5);
  }
});
