import type { RigidBodyOptions } from "../../../src/index";
import { drawBodies, drawSetting, ground, inUnits, times } from "../draw";
import type { Random } from "../random";
import type { Family, Interference, SoftData } from "../scene";
import { drawSoft } from "./dragged";

/** Sheets of gpbd may tear. */
function tearing(random: Random, { model }: SoftData): SoftData["options"] {
  const isSheet = "sheet" in model && model.sheet !== undefined && model.terms.every(({ kind }) => kind !== "hylc");
  return isSheet && random.chance(0.5) ? { tearing: { strain: random.decades(0.02, 1) } } : {};
}

/** Some bodies belong to a group whose members pass through each other. */
const grouped = (random: Random, body: RigidBodyOptions): RigidBodyOptions =>
  random.chance(0.2) ? { ...body, membership: 2, collideWith: ~2 } : body;

/** A user plays with a heap: pushes, blasts, lifts, holds and removes bodies, goes back to a snapshot, and some frames take long. */
export const played: Family = {
  name: "played",
  hasGpu: true,
  draw(random) {
    const setting = inUnits(drawSetting(random, 1), random.pick([0.01, 1, 1, 100]));
    const { size, timeStep, gravity } = setting;
    const speed = Math.min(setting.speed, 20 * Math.sqrt(-gravity[1] * size));
    const loose = drawBodies(random, { ...setting, speed }, random.whole(1, 5), 0).map((body) => grouped(random, body));
    let top = 1.7 * size * loose.length;
    const softs = Array.from({ length: random.whole(1, 2) }, (_, i): SoftData => {
      top += 2 * size;
      const soft = drawSoft(random, size, top);
      return { ...soft, options: { ...tearing(random, soft), name: `soft ${i}` } };
    });
    const frames = Math.min(90, Math.round(1 / timeStep));
    const spike = random.chance(0.3) ? random.between(2, 8) * timeStep : timeStep;
    const slow = random.whole(0, frames - 1);
    const timeSteps = Array.from({ length: frames }, (_, i) => (i === slow ? spike : timeStep));
    const names = [...loose, ...softs.map(({ options }) => options!)].map(({ name }) => name!);
    const interferences: Interference[] = [];
    for (let k = random.whole(2, 8); k > 0; k--) {
      const frame = random.whole(1, frames - 1);
      const name = random.pick(names);
      top += 2 * size;
      interferences.push({
        frame,
        ...interference(random, { name, size, speed, top, isRigid: loose.some((one) => one.name === name) }),
      });
    }
    return {
      ...setting,
      timeStep: Math.max(timeStep, spike),
      timeSteps,
      frames,
      floor: true,
      bodies: [ground(setting), ...loose],
      softs,
      interferences,
    };
  },
};

interface Subject {
  readonly name: string;
  readonly isRigid: boolean;
  readonly size: number;
  /** [m/s] */
  readonly speed: number;
  /** height where nothing is [m] */
  readonly top: number;
}

function interference(random: Random, { name, isRigid, size, speed, top }: Subject): Omit<Interference, "frame"> {
  const linearVelocity = times(random.direction(), speed);
  switch (random.pick(["push", "spin", "blast", "lift", "hold", "remove", "rehearse"] as const)) {
    case "push":
      return { push: { name, by: { linearVelocity } } };
    case "spin":
      return { push: { name, by: { angularVelocity: times(random.direction(), Math.min(20, speed / size)) } } };
    case "blast":
      return { push: { name, by: { impulse: times(linearVelocity, 100 * size ** 3) } } };
    case "lift":
      return { move: { name, by: [0, top, 0] } };
    case "hold":
      return isRigid ? { change: { name, to: { motion: random.pick(["static", "dynamic"]) } } } : { remove: name };
    case "remove":
      return { remove: name };
    default:
      return { rehearse: random.whole(1, 5) };
  }
}
