import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { PhysicsConstraintType, PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import {
  BallAndSocketConstraint,
  DistanceConstraint,
  PhysicsConstraint,
} from "@babylonjs/core/Physics/v2/physicsConstraint";
import { block, poseOf, turnOf } from "./parts";
import type { TwinScene } from "./twin-scene";

const { STATIC, DYNAMIC } = PhysicsMotionType;

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

const lacking: TwinScene = {
  name: "a lock whose axes are lacking or of no length holds a body in the same orientation",
  play: (t) => {
    const [none, zero, across] = [undefined, Vector3.Zero(), new Vector3(-2, 1, 0.5)];
    const frames = [
      [none, none],
      [none, new Vector3(0, 0, 2)],
      [new Vector3(0, 0, 1), none],
      [new Vector3(1, 2, 3), none],
      [zero, none],
      [zero, zero],
      [none, zero],
      [zero, new Vector3(1, 0, 0)],
      [zero, new Vector3(1, 2, 3)],
      [new Vector3(0, 1, 0), zero],
      [new Vector3(1, 2, 3), zero],
      [across.cross(new Vector3(1, 2, 3)), across],
    ];
    const bobs = frames.map(([axis, perp], i) => {
      const base = block(t, STATIC, new Vector3(3 * i, 0, 0));
      const bob = block(
        t,
        DYNAMIC,
        base.transformNode.position,
        Quaternion.RotationAxis(new Vector3(0.6, 0, 0.8), 0.4),
      );
      bob.setAngularDamping(1);
      // one side as said, the other plain; and the other way round for every other one
      const [a, b] = i % 2 === 0 ? ["A", "B"] : ["B", "A"];
      const axes = {
        [`axis${a}`]: axis,
        [`perpAxis${a}`]: perp,
        [`axis${b}`]: Vector3.Right(),
        [`perpAxis${b}`]: Vector3.Up(),
      };
      base.addConstraint(bob, new PhysicsConstraint(PhysicsConstraintType.LOCK, axes as object, t.scene));
      return bob;
    });
    t.run(150);
    return { axes: bobs.flatMap(turnOf) };
  },
  tolerance: 2e-3,
};

export const constraintScenes: readonly TwinScene[] = [distance, ball, lacking];
