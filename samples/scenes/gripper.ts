import { boxTetrahedra, type ColliderShape, mechanismModel, solidModel, type Vec3 } from "../../src/index";
import { apply, identity, type Transform } from "../../src/articulated/loaders/transform";
import { looksOf } from "../articulated";
import { gripper as hand } from "../mechanisms/gripper";
import { choiceOf, frameTimeParameter, numberOf } from "../parameters";
import { Cast } from "../rigid";
import { carried, gantry, stem } from "../stands";
import type { Prop, SceneDefinition, SceneInstance, SoftSurface } from "../scene";

const GRAVITY = 9.81;
const FINGER_MASS = 0.4;
/** Half size of the gripped body [m]. */
const HALF = 0.03;
/** Height of the hand above the body on the ground: at first, and after the lift [m]. */
const LOW = 0.06;
const LIFT = 0.1;
/** Times at which the fingers have closed, the hand has lifted, has begun to shake, and has come to rest again [s]. */
const CLOSED = 0.5;
const LIFTED = 1.5;
const SHAKEN = 3;
/** Amplitude [m] of a swing; at √(g / amplitude) its acceleration is 1 g. */
const SWING = 0.01;

const rigid: Readonly<Record<string, ColliderShape>> = {
  box: { type: "box", halfExtents: [HALF, HALF, HALF] },
  ball: { type: "sphere", radius: HALF },
  capsule: { type: "capsule", pointA: [0, 0, -HALF], pointB: [0, 0, HALF], radius: HALF },
};
const preys = ["box", "ball", "capsule", "gpbd", "local-global", "newton"] as const;

/** A hand with two fingers, whose drives control only a force, grips a body, lifts it, shakes it and holds it. */
export const gripper: SceneDefinition = {
  name: "gripper",
  title: "Gripper",
  description: "Two fingers take hold of a thing by friction alone, lift it, shake it and hold it.",
  frames: 240,
  groundHeight: 0,
  view: { target: [0, 0.1, 0], alpha: -1.1, beta: 1.25, radius: 0.6 },
  parameters: [
    frameTimeParameter(1 / 480, 1 / 30),
    {
      name: "prey",
      default: "box",
      unit: "",
      choices: [...preys],
      description: "a rigid thing, or a soft cube by its solver",
    },
    { name: "force", default: 10, unit: "N", range: [1, 100], description: "of a finger" },
    {
      name: "massRatio",
      default: 0.3,
      unit: "",
      range: [0.01, 2],
      description: "mass of the thing over that of a finger",
    },
  ],
  metrics: [
    { name: "slip", unit: "m", bound: 2e-3, description: "way of the thing in the hand, once it is taken" },
    { name: "forceError", unit: "", bound: 0.02, description: "of what a finger feels, once it is taken, in the mean" },
    { name: "liftError", unit: "m", bound: 2e-3, description: "of the height to which the hand has lifted it" },
  ],
  build(world, values) {
    world.gravity = [0, -GRAVITY, 0];
    const cast = new Cast(world);
    cast.floor();
    const mass = numberOf(values, "massRatio") * FINGER_MASS;
    const force = numberOf(values, "force");
    const prey = choiceOf(values, "prey", preys);
    const softs: SoftSurface[] = [];
    let placeOf: () => Promise<Vec3>;
    const shape = rigid[prey] as ColliderShape | undefined;
    if (shape) {
      const body = cast.add("wood", { name: prey, shape, mass, friction: 0.8, position: [0, HALF, 0] });
      placeOf = () => Promise.resolve(body.centerOfMass);
    } else {
      const side = 2 * HALF;
      const mesh = boxTetrahedra({ size: [side, side, side], cells: [2, 2, 2], center: [0, HALF + 0.004, 0] });
      const material = {
        model: "corotational",
        youngsModulus: 1e5,
        poissonRatio: 0.3,
        density: mass / side ** 3,
      } as const;
      const solver = prey as "gpbd" | "local-global" | "newton";
      const body = world.addBody(solidModel({ ...mesh, solver, material, name: "cube" }), { friction: 0.8 });
      softs.push({ body, material: "rubber" });
      placeOf = async () => middle((await body.readState()).positions);
    }
    const description = hand(FINGER_MASS, 2 * HALF + 0.03);
    const mechanism = world.addMechanism(mechanismModel(description));
    const { q, qd, control } = mechanism.simulation;
    q[1] = LOW;
    mechanism.place();
    const fingers = looksOf(description, () => "steel").map(
      ({ link, shape, material, position: offset = [0, 0, 0] }): Prop => ({
        shape,
        material,
        get position() {
          return apply({ ...identity, ...mechanism.poseOf(link) }, offset);
        },
      }),
    );
    const palm = (): Transform => ({ ...identity, ...mechanism.poseOf("hand") });
    const carrier = {
      get position() {
        return palm().position;
      },
      rotation: identity.rotation,
    };
    const across: ColliderShape = { type: "box", halfExtents: [HALF + 0.06, 0.008, 0.02] };
    const stand = [
      carried(carrier, across, [0, 0.058, 0]),
      carried(carrier, stem(0.25, 0.008), [0, 0.06, 0]),
      ...gantry(0, 0.008, [0, 0.26, -0.2], [0, 0.26, 0.2]),
    ];
    let [slip, frames] = [0, 0];
    const felt = [0, 0];
    let taken: Vec3 | undefined;

    /** A damped spring to a coordinate's target, scaled with the mass that moves along. */
    const drive = (coordinate: number, target: number, load: number): number =>
      load * (400 * (target - q[coordinate]) - 30 * qd[coordinate]);
    const inHand = async (): Promise<Vec3> => {
      const [x, y, z] = await placeOf();
      return [x - (q[2] - q[3]) / 2, y - q[1], z - q[0]];
    };
    const instance: SceneInstance = {
      props: [...cast.props, ...fingers, ...stand],
      softs,
      nonFinite: () => (q.every(Number.isFinite) ? undefined : "gripper"),
      beforeStep(time) {
        const load = 1 + 2 * FINGER_MASS + (time > CLOSED ? mass : 0);
        const swing = time > LIFTED && time < SHAKEN ? 2 * SWING * Math.sin(Math.sqrt(GRAVITY / SWING) * time) : 0;
        const height = LOW + Math.min(LIFT, 0.2 * Math.max(0, time - CLOSED));
        control[0] = drive(0, swing, 1 + load);
        control[1] = load * GRAVITY + drive(1, height, load);
        control[2] = control[3] = force;
      },
      async afterStep() {
        if (world.time < CLOSED) return;
        const place = await inHand();
        taken ??= place;
        for (let c = 0; c < 3; c++) slip = Math.max(slip, Math.abs(place[c] - taken[c]));
        felt[0] -= mechanism.contactForceOf("left")[0];
        felt[1] += mechanism.contactForceOf("right")[0];
        frames++;
      },
      async measure() {
        const [, y] = await placeOf();
        const whole = LIFT - (q[1] - LOW);
        return {
          slip,
          forceError: frames > 0 ? Math.max(...felt.map((sum) => Math.abs(sum / frames / force - 1))) : 0,
          liftError: taken ? Math.abs(whole) + Math.abs(y - q[1] - taken[1]) : 0,
        };
      },
    };
    return instance;
  },
};

function middle(positions: ArrayLike<number>): Vec3 {
  const sum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < positions.length; i++) sum[i % 3] += (3 * positions[i]) / positions.length;
  return sum;
}
