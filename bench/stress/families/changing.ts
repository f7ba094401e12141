import type { ColliderShape, RigidBodyOptions } from "../../../src/index";
import { drawBodies, drawSetting, drawShape, ground, inUnits, times } from "../draw";
import type { Random } from "../random";
import type { Family, Interference, JointData } from "../scene";
import { drawSolid } from "./solids";

/** A few shapes that overlap each other, no larger than a single one. */
function compound(random: Random, size: number): ColliderShape {
  const children = Array.from({ length: random.whole(2, 4) }, () => ({
    shape: drawShape(random, 0.5 * size),
    position: times(random.direction(), 0.25 * size),
    rotation: random.rotation(),
  }));
  return { type: "container", children };
}

/** Two bodies side by side, welded or with a motor between them. */
function pair(random: Random, size: number, height: number, first: number): [RigidBodyOptions[], JointData] {
  const mass = 500 * size ** 3;
  const half = 0.5 * size;
  const bodies = [-half, half].map((x, i): RigidBodyOptions => ({
    name: `half ${i} of pair ${first}`,
    shape: compound(random, 0.8 * size),
    mass: mass * random.decades(0.03, 30),
    position: [x, height, 0],
  }));
  const pivots = { pivotA: [half, 0, 0], pivotB: [-half, 0, 0] } as const;
  if (random.chance(0.5)) return [bodies, { a: first, b: first + 1, type: "lock", ...pivots }];
  // it lifts a half, or hardly turns it
  const maxForce = mass * 9.81 * half * random.decades(0.01, 2);
  const target = random.between(-1, 1) * Math.sqrt(9.81 / size);
  const axes = { angularX: { motor: "velocity", target, maxForce } } as const;
  return [bodies, { a: first, b: first + 1, type: "hinge", ...pivots, axes }];
}

/** Compounds, pairs and a soft solid in a heap; meanwhile bodies come and go, get another mass, and time steps vary. */
export const changing: Family = {
  name: "changing",
  hasGpu: true,
  draw(random) {
    const setting = inUnits(drawSetting(random, 1), random.pick([0.01, 1, 1, 100]));
    const { size } = setting;
    const isOf = (one: RigidBodyOptions): RigidBodyOptions =>
      random.chance(0.4) ? { ...one, shape: compound(random, size) } : one;
    const loose = drawBodies(random, setting, random.whole(2, 8), 0).map(isOf);
    const bodies = [ground(setting, random.between(0, 1)), ...loose];
    const joints: JointData[] = [];
    let top = 1.7 * size * (loose.length + 1);
    for (let k = random.whole(0, 2); k > 0; k--, top += 1.5 * size) {
      const [halves, joint] = pair(random, size, top, bodies.length);
      bodies.push(...halves);
      joints.push(joint);
    }
    const softs = random.chance(0.5) ? [drawSolid(random, size, [0, top + size, 0], [0, 0, 0])] : [];
    const steps = random.pick([[1 / 60], [1 / 30, 1 / 144], [1 / 144, 1 / 60, 1 / 60], [1 / 30, 1 / 30, 1 / 240]]);
    const frames = Math.round((Math.min(1, setting.timeStep * setting.frames) * steps.length) / sum(steps));
    const interferences: Interference[] = [];
    for (const { name } of loose) {
      const frame = random.whole(1, frames - 1);
      if (random.chance(0.3)) interferences.push({ frame, remove: name });
      else if (random.next() < 0.3) {
        const mass = 500 * size ** 3 * random.decades(1e-3, 1e3);
        interferences.push({ frame, change: { name: name!, to: { mass } } });
      }
    }
    const late = drawBodies(random, setting, random.whole(0, 4), top + 3 * size);
    for (const body of late)
      interferences.push({ frame: random.whole(1, frames - 1), add: { ...isOf(body), name: `late ${body.name}` } });
    return {
      ...setting,
      timeStep: Math.max(...steps),
      timeSteps: steps,
      frames,
      floor: true,
      bodies,
      joints,
      softs,
      interferences,
    };
  },
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
