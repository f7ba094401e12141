import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { BallAndSocketConstraint, DistanceConstraint } from "@babylonjs/core/Physics/v2/physicsConstraint";
import { PhysicsShapeBox } from "@babylonjs/core/Physics/v2/physicsShape";
import type { PluginScene } from "../both-plugins";
import { makeBody } from "../fixtures";
import type { TwinScene } from "./twin-scene";

const { STATIC, DYNAMIC } = PhysicsMotionType;

/** A cube of 0.4 m and 1 kg that meets nothing. */
function block(t: PluginScene, motionType: PhysicsMotionType, at: Vector3, turn = Quaternion.Identity()): PhysicsBody {
  const shape = new PhysicsShapeBox(Vector3.Zero(), Quaternion.Identity(), new Vector3(0.4, 0.4, 0.4), t.scene);
  shape.filterCollideMask = 0;
  const body = makeBody(t.scene, motionType, shape, at, turn);
  body.setMassProperties({ mass: 1 });
  body.setAngularDamping(0);
  return body;
}

const poseOf = ({ transformNode }: PhysicsBody): number[] => [
  ...transformNode.position.asArray(),
  ...transformNode.rotationQuaternion!.asArray(),
];

const distance: TwinScene = {
  name: "a pendulum on a distance constraint keeps its length, wherever it hangs",
  play: (t) => {
    const places = [Vector3.Zero(), new Vector3(40, 30, -20)];
    const bobs = places.map((place) => {
      const base = block(t, STATIC, place);
      const bob = block(t, DYNAMIC, place.add(new Vector3(1.2, 0, 0.9)));
      base.addConstraint(bob, new DistanceConstraint(1.5, t.scene));
      return bob;
    });
    t.run(25);
    return {
      lengths: bobs.map((bob, i) => Vector3.Distance(bob.transformNode.position, places[i])),
      ways: bobs.flatMap((bob, i) => bob.transformNode.position.subtract(places[i]).asArray()),
    };
  },
  tolerance: { lengths: 0.005, ways: 0.03 },
};

const ball: TwinScene = {
  name: "a ball and socket without axes lets a body turn, and holds its pivot",
  play: (t) => {
    const base = block(t, STATIC, Vector3.Zero());
    const bob = block(t, DYNAMIC, new Vector3(1, 0, 0));
    const none = undefined as unknown as Vector3;
    base.addConstraint(bob, new BallAndSocketConstraint(Vector3.Zero(), new Vector3(-1, 0, 0), none, none, t.scene));
    t.run(30);
    return { pose: poseOf(bob) };
  },
  tolerance: 0.05,
};

export const constraintScenes: readonly TwinScene[] = [distance, ball];
