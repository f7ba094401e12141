import { mechanismModel, type Quat, type Vec3 } from "../../src/index";
import { cos, sin } from "../../src/math/deterministic";
import { product, turn } from "../../src/math/quaternions";
import { distance } from "../../src/math/vectors";
import { looksOf, propsOf } from "../articulated";
import { FetchRobot, type GripperPose } from "../fetch-robot";
import { GripMeter, type Surface } from "../grip";
import { boxSurface, depthBetween, type LinkBox } from "../held-solid";
import { fetchFinger, fingerJoints } from "../mechanisms/fetch-arm";
import { needleRatio, scale, scalePan } from "../mechanisms/scale";
import { numberOf } from "../parameters";
import { aboutY, box, Cast, frictionParameter, rigidParameters, setUp } from "../rigid";
import type { SceneDefinition } from "../scene";
import { part } from "../smooth";
import { addSoftBall, softBallParameters } from "../soft-ball";

const GRAVITY = 9.81;
/** The axis about which the arm turns is x = z = 0: distance of it from the middle of the robot's base [m]. */
const AXIS = 0.0326;
/** Distance of the tomato and the scale from that axis, heights of the table and the pan, and how far the tomato is lifted [m]. */
const [REACH, TABLE, PAN, LIFT] = [0.68, 0.62, 0.7, 0.16];
/** Directions from the axis to the tomato and to the scale [rad]. */
const [FROM, TO] = [-0.5, 0.5];
/** Direction from the scale to its dial [rad], from that from the axis. */
const DIAL = Math.PI / 2;
/** Distance of each finger from the tomato while the hand is open [m]. */
const OPEN = 0.006;
/** Times at which the fingers have closed, the tomato is lifted, is over the scale and on it, the hand is open and away [s]. */
const [CLOSED, LIFTED, TURNED, LOWERED, OPENED, AWAY] = [0.35, 0.75, 1.9, 2.4, 2.6, 3];
/** The gripper's axes, z up, in the scene's. */
const LEVEL: Quat = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
/** Time for which the needle is read [s]. */
const READ = 0.3;
/** Points of a finger and the tomato that are closer than this touch [m]. */
const TOUCH = 5e-4;

/** The Fetch robot picks up a soft tomato, turns, and puts it on a scale (figure 1 of paper 3). */
export const fetchTomato: SceneDefinition = {
  name: "fetch-tomato",
  title: "Fetch and tomato",
  description: "A robot arm grips a soft tomato by friction, carries it to a mechanical scale and weighs it.",
  frames: 216,
  groundHeight: 0,
  view: { target: [0.45, 0.75, 0], alpha: -0.9, beta: 1.15, radius: 1.7 },
  parameters: [
    ...rigidParameters({ substeps: 2 }),
    { name: "radius", default: 0.035, unit: "m", range: [0.02, 0.04], description: "of the tomato" },
    { name: "density", default: 1000, unit: "kg/m³", range: [100, 8000], description: "of the tomato" },
    ...softBallParameters("tomato"),
    frictionParameter(0.75),
    { name: "gripForce", default: 10, unit: "N", range: [4, 60], description: "of a finger" },
    { name: "pitch", default: 1.2, unit: "rad", range: [0.6, 1.6], description: "of the hand, downward" },
    { name: "spring", default: 800, unit: "N/m", range: [200, 5000], description: "stiffness of the scale" },
  ],
  metrics: [
    { name: "slip", unit: "m", bound: 2e-3, description: "way of the tomato on the fingers while it is carried" },
    { name: "forceError", unit: "", bound: 0.02, description: "of what the fingers feel, of the grip force, at worst" },
    { name: "heldError", unit: "", bound: 0.02, description: "of the mean weight that the fingers feel on the way" },
    { name: "readingError", unit: "", bound: 0.01, description: "of the needle's mean in the last 0.3 s" },
    { name: "penetration", unit: "m", bound: 1e-3, description: "greatest depth of the tomato and fingers or pan" },
    { name: "offCenter", unit: "m", bound: 0.04, description: "distance of the tomato from the middle of the pan" },
    { name: "touches", unit: "", description: "pairs of points of the fingers and the tomato that touch" },
    { name: "lift", unit: "m", description: "greatest height of the tomato's lowest point over the table" },
    { name: "weight", unit: "N", description: "of the tomato" },
    { name: "tetrahedra", unit: "", description: "in the tomato" },
  ],
  async build(world, values) {
    setUp(world, values, GRAVITY);
    const cast = new Cast(world);
    const [radius, density, friction, gripForce, pitch, spring] = [
      "radius",
      "density",
      "friction",
      "gripForce",
      "pitch",
      "spring",
    ].map((name) => numberOf(values, name));
    const dt = numberOf(values, "frameTime");
    const open = radius + OPEN;
    const maxTimeStep = dt / numberOf(values, "substeps");
    addFurniture(cast, friction);
    const {
      body: tomato,
      mesh,
      mass,
    } = addSoftBall(world, values, {
      name: "tomato",
      radius,
      center: at(FROM, TABLE + radius),
      density,
      friction,
    });
    const poseAt = (time: number): GripperPose => {
      const yaw = FROM + (TO - FROM) * part(time, LIFTED, TURNED);
      const up = part(time, CLOSED, LIFTED);
      const down = part(time, TURNED, LOWERED) - part(time, OPENED, AWAY);
      const height = TABLE + LIFT * up + (PAN + 0.001 - TABLE - LIFT) * down;
      const tilt: Quat = [0, sin(pitch / 2), 0, cos(pitch / 2)];
      return { position: at(yaw, height + radius), rotation: product(aboutY(yaw), product(LEVEL, tilt)) };
    };
    const robot = await FetchRobot.create(world, {
      position: [-AXIS, 0, 0],
      start: poseAt(0),
      friction,
      open,
      gripForce,
      maxTimeStep,
    });
    const description = scale(at(TO, PAN), aboutY(TO + DIAL), spring, GRAVITY);
    const weighing = world.addMechanism(mechanismModel(description, { maxTimeStep }));
    const fingers: LinkBox[] = fingerJoints.map((link, k) => ({
      link,
      center: [0, (k === 0 ? 1 : -1) * fetchFinger[1], 0],
      half: fetchFinger,
    }));
    const { half, thickness } = scalePan;
    const pan: LinkBox = { link: "pan", center: [0, -thickness / 2, 0], half: [half, thickness / 2, half] };
    const grip = new GripMeter();
    const weight = mass * GRAVITY;
    const turnOfNeedle = weighing.simulation.model.jointDof("needle");
    const surface = async (): Promise<Surface> => ({ x: await tomato.readPositions(), faces: tomato.model.faces });
    const { mechanism } = robot;
    let [slip, forceError, penetration, lift] = [0, 0, 0, 0];
    const held: number[] = [];
    const readings: number[] = [];
    return {
      props: [
        ...cast.props,
        ...robot.props,
        ...propsOf(
          weighing,
          looksOf(description, (link) => (link === "pan" ? "porcelain" : "rubber")),
        ),
      ],
      softs: [{ body: tomato, material: "rubber" }],
      beforeStep(time) {
        const now = time + dt;
        const closing = part(now, 0.02, CLOSED - 0.15) - part(now, LOWERED + 0.05, OPENED);
        robot.close(open * (1 - closing));
        robot.moveTo(poseAt(now), dt);
      },
      async afterStep() {
        const solid = await surface();
        for (const finger of fingers)
          penetration = Math.max(penetration, depthBetween(mechanism, finger, solid, mesh.tetrahedra));
        penetration = Math.max(penetration, depthBetween(weighing, pan, solid, mesh.tetrahedra));
        const { time } = world;
        const way = -weighing.simulation.q[turnOfNeedle] / needleRatio(spring, GRAVITY);
        readings.push(spring * way);
        if (readings.length * dt > READ) readings.shift();
        // Before the tomato comes to the pan.
        if (time < CLOSED - 0.01 || time > LOWERED - 0.15) return;
        const pads = fingers.map((finger) => boxSurface(mechanism, finger));
        const { rotation } = mechanism.poseOf("gripper");
        if (grip.count === 0) grip.start(pads, solid, rotation, TOUCH);
        slip = Math.max(slip, grip.slip(pads, solid, rotation));
        lift = Math.max(lift, lowest(solid.x) - TABLE);
        // From finger to finger, and upward.
        const across = turn(rotation, [0, 1, 0]);
        const [right, left] = fingerJoints.map((finger) => mechanism.contactForceOf(finger));
        const felt = across.reduce((sum, s, c) => sum + s * (right[c] - left[c]), 0) / 2;
        forceError = Math.max(forceError, Math.abs(felt / gripForce - 1));
        if (time > LIFTED + 0.15 && time < TURNED) held.push(-right[1] - left[1]);
      },
      async measure() {
        const { x } = await surface();
        const middle = [0, 1, 2].map((c) => mean(Array.from({ length: x.length / 3 }, (_, i) => x[3 * i + c])));
        const top = at(TO, middle[1]);
        return {
          slip,
          forceError,
          ...(held.length > 0 ? { heldError: Math.abs(mean(held) / weight - 1) } : {}),
          readingError: Math.abs(mean(readings) / weight - 1),
          penetration,
          offCenter: distance([middle[0], middle[1], middle[2]], top),
          touches: grip.count,
          lift,
          weight,
          tetrahedra: mesh.tetrahedra.length / 4,
        };
      },
    };
  },
};

/** A place around the axis of the robot. */
function at(yaw: number, height: number): Vec3 {
  return turn(aboutY(yaw), [REACH, height, 0]);
}

/** A stand for the tomato, and one for the scale with its dial. */
function addFurniture(cast: Cast, friction: number): void {
  const stands = [
    ["table", FROM, TABLE, 0.2],
    ["stand", TO, PAN - 0.1, 0.16],
  ] as const;
  for (const [name, yaw, height, width] of stands)
    cast.add(name === "table" ? "wood" : "stone", {
      name,
      motion: "static",
      shape: box(width, height, width),
      position: at(yaw, height / 2),
      rotation: aboutY(yaw),
      friction,
    });
}

function lowest(x: ArrayLike<number>): number {
  let least = Infinity;
  for (let i = 1; i < x.length; i += 3) least = Math.min(least, x[i]);
  return least;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
