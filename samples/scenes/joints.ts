import { turn } from "../../src/math/quaternions";
import type { AxisName, JointOptions, RigidBody, RigidJoint, Vec3 } from "../../src/index";
import { box, Cast, rigidParameters, setUp } from "../rigid";
import { rod } from "../rods";
import type { SceneDefinition } from "../scene";
import { carried, gantry, stem } from "../stands";

const GROUND = -1.6;
/** Height of the beam from which the posts hang [m]. */
const HANGER = 1;

const linear: readonly AxisName[] = ["linearX", "linearY", "linearZ"];

/** One joint of each type, some with limits and motors. */
export const joints: SceneDefinition = {
  name: "joints",
  title: "Joints",
  description:
    "A ball, a hinge with a motor, a slider between limits, a prismatic lift, a lock, a distance, a 6-DoF spring.",
  frames: 300,
  groundHeight: GROUND,
  view: { target: [0, -0.2, 0], alpha: -1.45, beta: 1.3, radius: 7 },
  parameters: rigidParameters({ substeps: 2 }),
  metrics: [
    { name: "linearError", unit: "m", bound: 1e-4, description: "largest error of a locked translation or of a limit" },
    { name: "angularError", unit: "rad", bound: 1e-3, description: "largest error of a locked rotation" },
    { name: "motorSpeedError", unit: "rad/s", bound: 1e-3, description: "of the hinge's motor at the end" },
    { name: "motorPositionError", unit: "m", bound: 1e-3, description: "of the lift's motor at the end" },
    { name: "springError", unit: "m", bound: 1e-3, description: "of the spring's length at rest" },
  ],
  build(world, values) {
    setUp(world, values);
    const cast = new Cast(world);
    cast.props.push(...gantry(GROUND, 0.05, [-3.6, HANGER, 0], [3.6, HANGER, 0]));
    const made: RigidJoint[] = [];
    /** A block beside a post, both at this place along x. */
    const station = (
      x: number,
      offset: Vec3,
      options: Omit<JointOptions, "bodyA" | "bodyB">,
    ): [RigidBody, RigidJoint] => {
      const post = cast.add("stone", {
        name: `post ${options.type}`,
        motion: "static",
        shape: box(0.15, 0.15, 0.15),
        position: [x, 0, 0],
      });
      cast.props.push(carried(post, stem(HANGER, 0.02)));
      const block = cast.add("wood", {
        name: options.type,
        shape: box(0.3, 0.5, 0.2),
        mass: 4,
        position: [x + offset[0], offset[1], offset[2]],
        canSleep: false,
      });
      const joint = world.addJoint({
        bodyA: post,
        bodyB: block,
        pivotB: [-offset[0], -offset[1], -offset[2]],
        ...options,
      });
      made.push(joint);
      if (options.type === "ball" || options.type === "lock" || options.type === "distance") {
        const pivot = options.pivotB ?? [0, 0, 0];
        const end = (): Vec3 => sum(block.position, turn(block.rotation, pivot));
        cast.props.push(rod(() => post.position, end, 0.02, "steel"));
      }
      return [block, joint];
    };
    const [pendulum] = station(-3, [0, -0.5, 0], { type: "ball" });
    pendulum.angularVelocity = [1.5, 3, 2];
    pendulum.linearVelocity = [1, 0, -0.75];
    const speed = 3;
    const motor = { motor: "velocity", target: speed, maxForce: 60 } as const;
    const [wheel] = station(-2, [0, -0.1, 0.35], {
      type: "hinge",
      axisA: [0, 0, 1],
      axisB: [0, 0, 1],
      axes: { angularX: motor },
    });
    const limits = { mode: "limited", min: -0.6, max: 0.6 } as const;
    const [sled, slider] = station(-1, [0, 0, 0.4], {
      type: "slider",
      axisA: [0, 0.8, 0.6],
      axisB: [0, 0.8, 0.6],
      axes: { linearX: limits },
    });
    sled.linearVelocity = [0, 2, 1.5];
    const height = 0.4;
    const lift = { motor: "position", target: height, maxForce: 500 } as const;
    const [, prismatic] = station(0, [0, 0, 0.4], {
      type: "prismatic",
      axisA: [0, 1, 0],
      axisB: [0, 1, 0],
      axes: { linearX: lift },
    });
    station(1, [0.2, -0.4, 0], { type: "lock" });
    const [bob] = station(2, [0.5, -0.5, 0], { type: "distance", pivotB: [0, 0.25, 0] });
    bob.angularVelocity = [0, 4, 0];
    const spring = { mode: "limited", min: 0, max: 0, stiffness: 400, damping: 20 } as const;
    const upright = { mode: "locked" } as const;
    const [, suspended] = station(3, [0, -0.3, 0], {
      type: "six-dof",
      perpendicularA: [0, 1, 0],
      perpendicularB: [0, 1, 0],
      axes: {
        linearX: upright,
        linearY: spring,
        linearZ: upright,
        angularX: upright,
        angularY: upright,
        angularZ: upright,
      },
    });
    let linearError = 0;
    let angularError = 0;
    return {
      props: cast.props,
      afterStep() {
        for (const joint of made) {
          for (const axis of linear)
            if (joint.axis(axis).mode === "locked") linearError = Math.max(linearError, Math.abs(joint.position(axis)));
          angularError = Math.max(angularError, tilt(joint));
        }
        const slid = slider.position("linearX");
        linearError = Math.max(linearError, slid - limits.max, limits.min - slid);
        const rope = made.find((joint) => joint.type === "distance")!;
        linearError = Math.max(linearError, Math.abs(rope.position("distance") - rope.axis("distance").min));
      },
      measure() {
        return Promise.resolve({
          linearError,
          angularError,
          motorSpeedError: Math.abs(wheel.angularVelocity[2] - speed),
          motorPositionError: Math.abs(prismatic.position("linearX") - height),
          // weight over stiffness below the pivot
          springError: Math.abs(suspended.position("linearY") + (4 * 9.81) / spring.stiffness),
        });
      },
    };
  },
};

/** Error of a joint's rotation [rad]: the whole rotation for a lock, the lean of the axis for a joint that may turn about it. */
function tilt(joint: RigidJoint): number {
  const locked = (["angularX", "angularY", "angularZ"] as const).filter((axis) => joint.axis(axis).mode === "locked");
  if (locked.length < 2) return 0;
  if (locked.length === 3) return Math.max(...locked.map((axis) => Math.abs(joint.position(axis))));
  // A hinge's axes are the same on both bodies, and the post stands still.
  const [x, y, z, w] = joint.bodyB.rotation;
  const axis: Vec3 = joint.type === "hinge" ? [0, 0, 1] : [0, 0.8, 0.6];
  const t: Vec3 = [2 * (y * axis[2] - z * axis[1]), 2 * (z * axis[0] - x * axis[2]), 2 * (x * axis[1] - y * axis[0])];
  const turned = [
    axis[0] + w * t[0] + y * t[2] - z * t[1],
    axis[1] + w * t[1] + z * t[0] - x * t[2],
    axis[2] + w * t[2] + x * t[1] - y * t[0],
  ];
  return Math.hypot(turned[0] - axis[0], turned[1] - axis[1], turned[2] - axis[2]);
}

function sum(a: Vec3, b: Vec3): Vec3 {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}
