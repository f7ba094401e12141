import type { RigidJoint, Vec3 } from "../../src/index";
import { numberOf } from "../parameters";
import { aboutZ, box, Cast, frictionParameter, rigidParameters, setUp } from "../rigid";
import type { SceneDefinition } from "../scene";

const WHEEL = 0.35;
const STIFFNESS = 30_000;
const DAMPING = 3000;
const MASS = 900;
const GRAVITY = 9.81;

/** A car on four sprung wheels with motors in their hinges. */
export const vehicle: SceneDefinition = {
  name: "vehicle",
  title: "Vehicle",
  description: "Four wheels on springs, driven by the motors of their hinges, over a ramp and on.",
  frames: 240,
  groundHeight: 0,
  view: { target: [7, 0.6, 0], alpha: -1.9, beta: 1.25, radius: 17 },
  parameters: [
    ...rigidParameters({ substeps: 2 }),
    { name: "speed", default: 5, unit: "m/s", range: [0, 20], description: "that the motors go for" },
    frictionParameter(1),
  ],
  metrics: [
    { name: "speedError", unit: "m/s", bound: 0.1, description: "difference of the speed at the end from the motors'" },
    {
      name: "sagError",
      unit: "m",
      bound: 2e-3,
      description: "how far the springs' length at the end is off the weight's",
    },
    { name: "axleError", unit: "m", bound: 1e-3, description: "largest sideways error of a wheel's joint" },
    { name: "sideways", unit: "m", bound: 0.05, description: "how far it has left its straight course" },
  ],
  build(world, values) {
    setUp(world, values, GRAVITY).configure({ directLimit: 400 });
    const friction = numberOf(values, "friction");
    const speed = numberOf(values, "speed");
    const cast = new Cast(world);
    cast.floor({ friction });
    cast.add("wood", {
      name: "ramp",
      motion: "static",
      friction,
      shape: box(4, 0.1, 4),
      position: [7, 0.1, 0],
      rotation: aboutZ(0.08),
    });
    const hull = box(2.6, 0.5, 1.2);
    const looks = [
      ["rubber", hull, [0, 0, 0]],
      ["glass", box(1.3, 0.4, 1.05), [-0.15, 0.45, 0]],
    ] as const;
    const body = cast.addOf(looks, {
      name: "body",
      shape: hull,
      mass: MASS,
      friction,
      position: [0, WHEEL + 0.45, 0],
      canSleep: false,
    });
    const wheelMass = 25;
    const wheels: RigidJoint[] = [];
    for (const x of [-0.95, 0.95])
      for (const z of [-0.85, 0.85]) {
        const at: Vec3 = [x, WHEEL, z];
        const wheel = cast.add("rubber", {
          name: "wheel",
          shape: { type: "cylinder", pointA: [0, 0, -0.12], pointB: [0, 0, 0.12], radius: WHEEL },
          mass: wheelMass,
          friction,
          position: at,
          maxAngularSpeed: 500,
          canSleep: false,
        });
        // X of the joint is the axle, Y points up along the spring.
        wheels.push(
          world.addJoint({
            type: "six-dof",
            bodyA: body,
            bodyB: wheel,
            pivotA: [x, at[1] - body.position[1], z],
            axisA: [0, 0, 1],
            axisB: [0, 0, 1],
            perpendicularA: [0, 1, 0],
            perpendicularB: [0, 1, 0],
            axes: {
              linearX: { mode: "locked" },
              linearY: { mode: "limited", min: 0, max: 0, stiffness: STIFFNESS, damping: DAMPING },
              linearZ: { mode: "locked" },
              angularY: { mode: "locked" },
              angularZ: { mode: "locked" },
              angularX: { motor: "velocity", target: -speed / WHEEL, maxForce: 300 },
            },
          }),
        );
      }
    let axleError = 0;
    return {
      props: cast.props,
      afterStep() {
        for (const wheel of wheels)
          axleError = Math.max(axleError, Math.abs(wheel.position("linearX")), Math.abs(wheel.position("linearZ")));
      },
      measure() {
        const expected = (MASS * GRAVITY) / 4 / STIFFNESS;
        const sag = wheels.reduce((sum, wheel) => sum + wheel.position("linearY"), 0) / 4;
        return Promise.resolve({
          speedError: Math.abs(body.linearVelocity[0] - speed),
          sagError: Math.abs(sag - expected),
          axleError,
          sideways: Math.abs(body.position[2]),
        });
      },
    };
  },
};
