import { apply, axisAngle, type Transform } from "../../src/articulated/loaders/transform";
import type { Quat, Vec3 } from "../../src/index";
import { conjugate, product, rotationVector, turn } from "../../src/math/quaternions";
import { cross, distance, dot, norm } from "../../src/math/vectors";
import { addCube, addHammer, softThing, things, within } from "../hand-objects";
import { HandRobot } from "../hand-robot";
import { fingertip } from "../mechanisms/allegro-hand";
import { choiceOf, numberOf } from "../parameters";
import { box, Cast, frictionParameter, PenetrationMeter, rigidParameters, setUp } from "../rigid";
import { RollingSlip } from "../rolling-slip";
import type { SceneDefinition } from "../scene";
import { part } from "../smooth";
import { addSoftBall, softBallParameters } from "../soft-ball";

const GRAVITY = 9.81;
/** The hand's axes in the scene: the palm looks down, and fingers point along x. */
const DOWN: Quat = [-0.5, 0.5, -0.5, 0.5];
/** Middle of the thing in the axes of the hand, height of its stand, and how far the hand is above at first and lifts it [m]. */
const IN_HAND: Vec3 = [0.083, 0.006, 0.015];
const [STAND, ABOVE, LIFT] = [0.06, 0.09, 0.12];
/** Distance of each fingertip from the thing while the hand is open, and of neighbouring fingertips [m]. */
const [OPEN, SPREAD] = [0.012, 0.022];
/** Times at which the hand is down, the fingers touch, press, the thing is lifted, turned about three axes, and is back [s]. */
const [LOW, TOUCHED, PRESSED, LIFTED] = [0.4, 0.65, 1.3, 1.85];
/** Turns of the thing about axes of it, as parts of the whole angle, and the time for each, there and back [s]. */
const TURNS: readonly (readonly [axis: Vec3, part: number])[] = [
  [[0, 0, 1], 1],
  [[0, 1, 0], 0.2],
  [[1, 0, 0], 1],
];
const TURN = 1.35;
/** Time constants with which fingers give way while they press, and correct the force that the thumb feels [s]. */
const [GIVE, CORRECT] = [0.04, 0.02];

/** A hand of sixteen joints picks up a thing and turns it in its fingers (figure 3 of paper 3). */
export const hand: SceneDefinition = {
  name: "hand",
  title: "Hand",
  description:
    "A hand of sixteen joints picks up a cube, a hammer or a soft ball by friction and turns it in its fingers.",
  frames: 360,
  groundHeight: 0,
  view: { target: [0.01, 0.17, 0], alpha: -1, beta: 1.2, radius: 0.56 },
  parameters: [
    ...rigidParameters({ substeps: 2 }),
    { name: "object", default: "ball", unit: "", choices: [...things], description: "that the hand holds" },
    { name: "density", default: 700, unit: "kg/m³", range: [50, 2000], description: "of the thing" },
    {
      name: "gripForce",
      default: 6,
      unit: "N",
      range: [2, 7],
      description: "of the thumb, and of the fingers together",
    },
    {
      name: "angle",
      default: 0.4,
      unit: "rad",
      range: [0, 0.4],
      description:
        "by which the thing is turned about two of its axes; about the third it is turned by a fifth of that",
    },
    { name: "radius", default: 0.032, unit: "m", range: [0.026, 0.036], description: "of the ball" },
    ...softBallParameters("ball", { youngsModulus: 1e5, poissonRatio: 0.4, resolution: 4 }),
    frictionParameter(0.8),
  ],
  metrics: [
    { name: "slip", unit: "m", bound: 2e-3, description: "largest way of a fingertip on the thing; rolling is none" },
    { name: "turnError", unit: "rad", bound: 0.05, description: "of the turn of the thing, at worst" },
    { name: "dropped", unit: "m", bound: 5e-3, description: "largest distance of the thing from its planned place" },
    { name: "forceError", unit: "", bound: 0.02, description: "of what the thumb feels, of the grip force, at worst" },
    { name: "heldError", unit: "", bound: 0.02, description: "of the mean weight that the hand feels" },
    { name: "penetration", unit: "m", bound: 1e-3, description: "greatest depth of a contact" },
    { name: "touching", unit: "", description: "least number of fingertips on the thing while it is held" },
    { name: "lift", unit: "m", description: "greatest height of the thing over its stand" },
    { name: "turn", unit: "rad", description: "greatest turn of the thing" },
    { name: "weight", unit: "N", description: "of the thing" },
    { name: "tetrahedra", unit: "", description: "in the ball" },
  ],
  async build(world, values) {
    setUp(world, values, GRAVITY);
    const cast = new Cast(world);
    cast.floor();
    const dt = numberOf(values, "frameTime");
    const kind = choiceOf(values, "object", things);
    const [friction, gripForce, angle, density] = ["friction", "gripForce", "angle", "density"].map((name) =>
      numberOf(values, name),
    );
    const half = kind === "ball" ? numberOf(values, "radius") : kind === "cube" ? 0.025 : 0.013;
    const position: Vec3 = [0, STAND + half, 0];
    const common = { position, rotation: DOWN, density, friction, spread: SPREAD };
    const held =
      kind === "cube"
        ? addCube(cast, common, GRAVITY)
        : kind === "hammer"
          ? addHammer(cast, common, GRAVITY)
          : softThing(
              addSoftBall(world, values, { ...common, name: "ball", radius: half, center: position }),
              half,
              common,
              GRAVITY,
            );
    cast.add("stone", {
      name: "stand",
      motion: "static",
      shape: box(0.03, STAND, 0.08),
      position: [0, STAND / 2, 0],
      friction,
    });
    let press = 0;
    // Middles of the fingertips in the axes of the thing.
    let middles = held.holds.map(({ point, normal }) => plus(point, normal, -fingertip));
    // Forces along z cancel.
    const towards = held.holds.slice(0, 3).reduce((sum, { normal }) => sum - normal[2], 0);
    const share = (k: number): number => (k === 3 ? gripForce : gripForce / towards);
    const start: Transform = { position, rotation: DOWN };
    const goalAt = (thing: Transform, lift: number, gap: number) => {
      const normals = middles.map((place, k) => held.normalAt(k, place));
      return {
        lift,
        tips: middles.map((place, k) => apply(thing, plus(place, normals[k], -gap))),
        forces: normals.map((normal, k) => turn(thing.rotation, plus([0, 0, 0], normal, press * share(k)))),
      };
    };
    const robot = new HandRobot(world, {
      position: plus(position, turn(DOWN, IN_HAND), -1),
      rotation: DOWN,
      start: goalAt({ ...start, position: plus(position, [0, 1, 0], ABOVE) }, ABOVE, OPEN),
      friction,
      maxTimeStep: dt / numberOf(values, "substeps"),
    });
    const meter = new PenetrationMeter(world.rigid);
    const slip = new RollingSlip(fingertip, 1e-3);
    let base = start;
    let rolled: Quat[] | undefined;
    let [turnError, dropped, penetration, lift, turned, touching, forceError] = [0, 0, 0, 0, 0, 4, 0];
    const felt: number[] = [];
    const planAt = (time: number): Transform => {
      const rotation = TURNS.map(([axis, share], k) => {
        const from = LIFTED + k * TURN;
        const there = part(time, from, from + 0.45 * TURN) - part(time, from + 0.55 * TURN, from + TURN);
        return axisAngle(axis, share * angle * there);
      }).reduce(product);
      return {
        position: plus(base.position, [0, 1, 0], LIFT * part(time, PRESSED, LIFTED)),
        rotation: product(base.rotation, rotation),
      };
    };
    return {
      props: [...cast.props, ...robot.props],
      softs: held.softs,
      async beforeStep(time) {
        const now = time + dt;
        if (now < PRESSED) {
          const above = ABOVE * (1 - part(now, 0, LOW));
          if (now < PRESSED - 0.3) press = part(now, TOUCHED, PRESSED - 0.35);
          if (now > TOUCHED) {
            // Fingers give way, so that they press with nothing but their force.
            middles = middles.map((place, k) => {
              const real = within(start, robot.tip(k).position);
              return plus(place, [real[0] - place[0], real[1] - place[1], real[2] - place[2]], dt / GIVE);
            });
          }
          const thing = { ...start, position: plus(position, [0, 1, 0], above) };
          robot.moveTo(goalAt(thing, above, OPEN * (1 - part(now, LOW, TOUCHED))), dt);
          return;
        }
        if (base === start) {
          base = await held.pose();
          middles = middles.map((_, k) => within(base, robot.tip(k).position));
        }
        const thing = planAt(now);
        robot.moveTo(goalAt(thing, LIFT * part(now, PRESSED, LIFTED), 0), dt);
        // Tips roll on the thing: their middles move.
        const rotations = middles.map((_, k) => product(conjugate(thing.rotation), robot.plannedTip(k).rotation));
        if (rolled) {
          const before = rolled;
          middles = middles.map((place, k) => {
            const normal = held.normalAt(k, place);
            const way = cross(normal, rotationVector(product(rotations[k], conjugate(before[k]))));
            return plus(place, way, fingertip);
          });
        }
        rolled = rotations;
      },
      async afterStep() {
        meter.update();
        const { time } = world;
        penetration = Math.max(penetration, meter.deepest);
        if (time < PRESSED - 0.3) return;
        const pose = await held.pose();
        const forces = middles.map((_, k) => robot.forceOn(k));
        const thumb = -dot(forces[3], turn(pose.rotation, held.normalAt(3, middles[3])));
        press += (dt / CORRECT) * (1 - thumb / gripForce);
        if (time < PRESSED) return;
        const surface = await held.surface();
        const tips = middles.map((_, k) => robot.tip(k));
        slip.update(tips, surface);
        if (kind === "ball") penetration = Math.max(penetration, slip.deepest);
        touching = Math.min(touching, middles.filter((_, k) => norm(robot.forceOn(k)) > 0.01 * share(k)).length);
        const plan = planAt(time);
        const error = norm(rotationVector(product(pose.rotation, conjugate(plan.rotation))));
        turnError = Math.max(turnError, error);
        dropped = Math.max(dropped, distance(pose.position, plan.position));
        lift = Math.max(lift, pose.position[1] - base.position[1]);
        turned = Math.max(turned, norm(rotationVector(product(pose.rotation, conjugate(base.rotation)))));
        if (time > LIFTED) forceError = Math.max(forceError, Math.abs(thumb / gripForce - 1));
        if (time > LIFTED) felt.push(-forces.reduce((sum, force) => sum + force[1], 0));
      },
      measure() {
        return Promise.resolve({
          slip: slip.largest,
          turnError,
          dropped,
          forceError,
          heldError: felt.length > 0 ? Math.abs(felt.reduce((a, b) => a + b, 0) / felt.length / held.weight - 1) : 0,
          penetration,
          touching,
          lift,
          turn: turned,
          weight: held.weight,
          tetrahedra: held.tetrahedra,
        });
      },
    };
  },
};

function plus(a: Vec3, b: Vec3, times: number): Vec3 {
  return [a[0] + times * b[0], a[1] + times * b[1], a[2] + times * b[2]];
}
