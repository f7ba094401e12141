import type { AxisName, ColliderShape, RigidBody, RigidJoint, Vec3 } from "../../src/index";
import { numberOf } from "../parameters";
import { box, Cast, frictionParameter, PenetrationMeter, rigidParameters, setUp } from "../rigid";
import type { SceneDefinition } from "../scene";

/** Limbs: name, half length of the core, radius, middle, mass; capsules along Y. */
const limbs: readonly (readonly [string, number, number, Vec3, number])[] = [
  ["pelvis", 0.06, 0.13, [0, 1.0, 0], 11],
  ["chest", 0.12, 0.15, [0, 1.36, 0], 24],
  ["head", 0.04, 0.1, [0, 1.74, 0], 5],
  ["upper arm left", 0.11, 0.05, [0.24, 1.34, 0], 2.5],
  ["forearm left", 0.11, 0.04, [0.24, 1.05, 0], 1.6],
  ["upper arm right", 0.11, 0.05, [-0.24, 1.34, 0], 2.5],
  ["forearm right", 0.11, 0.04, [-0.24, 1.05, 0], 1.6],
  ["thigh left", 0.16, 0.075, [0.1, 0.72, 0], 8],
  ["shin left", 0.17, 0.05, [0.1, 0.27, 0], 4],
  ["thigh right", 0.16, 0.075, [-0.1, 0.72, 0], 8],
  ["shin right", 0.17, 0.05, [-0.1, 0.27, 0], 4],
];

/** Joints: parent, child, place, least and greatest angle about X, swing about Y and Z [rad]. */
const links: readonly (readonly [string, string, Vec3, number, number, number])[] = [
  ["pelvis", "chest", [0, 1.16, 0], -0.5, 0.7, 0.3],
  ["chest", "head", [0, 1.62, 0], -0.6, 0.6, 0.4],
  ["chest", "upper arm left", [0.24, 1.48, 0], -1.5, 1.5, 1],
  ["chest", "upper arm right", [-0.24, 1.48, 0], -1.5, 1.5, 1],
  ["upper arm left", "forearm left", [0.24, 1.2, 0], -2.2, 0.05, 0],
  ["upper arm right", "forearm right", [-0.24, 1.2, 0], -2.2, 0.05, 0],
  ["pelvis", "thigh left", [0.1, 0.93, 0], -1.6, 0.5, 0.5],
  ["pelvis", "thigh right", [-0.1, 0.93, 0], -1.6, 0.5, 0.5],
  ["thigh left", "shin left", [0.1, 0.5, 0], -0.05, 2.2, 0],
  ["thigh right", "shin right", [-0.1, 0.5, 0], -0.05, 2.2, 0],
];

/** Figures of jointed bodies fall down stairs. */
export const ragdoll: SceneDefinition = {
  name: "ragdoll",
  title: "Ragdoll",
  description: "A figure of eleven limbs falls down stairs; its joints hold and keep within their limits.",
  frames: 300,
  groundHeight: 0,
  view: { target: [1, 0.9, 0], alpha: -1.2, beta: 1.2, radius: 4.2 },
  parameters: [...rigidParameters({ substeps: 2 }), frictionParameter(0.5)],
  metrics: [
    {
      name: "jointError",
      unit: "m",
      bound: 1e-3,
      description: "largest distance of the ends that a joint holds together",
    },
    { name: "limitError", unit: "rad", bound: 0.02, description: "furthest that a joint was beyond its limits" },
    {
      name: "maxPenetration",
      unit: "m",
      bound: 5e-3,
      description: "deepest contact of the last half second that anything was awake",
    },
  ],
  build(world, values) {
    const rigid = setUp(world, values);
    // The figure is one island; only factors hold its joints exactly.
    rigid.configure({ directLimit: 400 });
    const friction = numberOf(values, "friction");
    const cast = new Cast(world);
    cast.floor({ friction });
    for (let step = 0; step < 4; step++)
      cast.add("stone", {
        name: `step ${step + 1}`,
        motion: "static",
        friction,
        shape: box(0.5, 0.22 * (4 - step), 2),
        position: [0.5 * step - 0.25, 0.11 * (4 - step), 0],
      });
    const start = 0.9;
    const bodies = new Map<string, RigidBody>();
    for (const [name, half, radius, [x, y, z], mass] of limbs) {
      const shape: ColliderShape = { type: "capsule", pointA: [0, -half, 0], pointB: [0, half, 0], radius };
      const body = cast.add(name === "head" ? "clay" : "plaster", {
        name,
        shape,
        mass,
        friction,
        // the figure faces down the stairs, along +x
        position: [z - 0.3, y + start, x],
        linearVelocity: [1.6, 0, 0.2],
        angularVelocity: [0, 0, -1],
      });
      bodies.set(name, body);
    }
    const joints: RigidJoint[] = links.map(([parent, child, [x, y, z], min, max, swing]) => {
      const [a, b] = [bodies.get(parent)!, bodies.get(child)!];
      const at: Vec3 = [z - 0.3, y + start, x];
      const local = (body: RigidBody): Vec3 => body.position.map((value, i) => at[i] - value) as unknown as Vec3;
      const side = { mode: swing > 0 ? "limited" : "locked", min: -swing, max: swing } as const;
      return world.addJoint({
        type: "ball",
        bodyA: a,
        bodyB: b,
        pivotA: local(a),
        pivotB: local(b),
        axisA: [0, 0, -1],
        axisB: [0, 0, -1],
        perpendicularA: [0, 1, 0],
        perpendicularB: [0, 1, 0],
        axes: { angularX: { mode: "limited", min, max, friction: 0.5 }, angularY: side, angularZ: side },
      });
    });
    // Limbs that meet at a joint or near one do not collide.
    const meter = new PenetrationMeter(rigid);
    let jointError = 0;
    let limitError = 0;
    return {
      props: cast.props,
      afterStep(frame) {
        for (const joint of joints) {
          jointError = Math.max(
            jointError,
            Math.hypot(joint.position("linearX"), joint.position("linearY"), joint.position("linearZ")),
          );
          for (const name of ["angularX", "angularY", "angularZ"] satisfies AxisName[]) {
            const axis = joint.axis(name);
            if (axis.mode !== "limited") continue;
            const angle = joint.position(name);
            limitError = Math.max(limitError, angle - axis.max, axis.min - angle);
          }
        }
        if (frame % 30 === 1 && rigid.contacts.count > 0) meter.deepest = 0;
        meter.update();
      },
      measure: () => Promise.resolve({ jointError, limitError, maxPenetration: meter.deepest }),
    };
  },
};
