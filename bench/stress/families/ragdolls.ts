import type { RigidBodyOptions, Vec3 } from "../../../src/index";
import { drawSetting, ground, times } from "../draw";
import type { Family, JointData } from "../scene";

/** Limbs of a figure of height 1: half length along y, radius, middle, share of the mass. */
const limbs: readonly (readonly [number, number, Vec3, number])[] = [
  [0.03, 0.07, [0, 0.55, 0], 0.15],
  [0.06, 0.08, [0, 0.74, 0], 0.33],
  [0.02, 0.06, [0, 0.95, 0], 0.07],
  [0.06, 0.03, [0.15, 0.73, 0], 0.035],
  [0.06, 0.025, [0.15, 0.56, 0], 0.025],
  [0.06, 0.03, [-0.15, 0.73, 0], 0.035],
  [0.06, 0.025, [-0.15, 0.56, 0], 0.025],
  [0.09, 0.04, [0.06, 0.38, 0], 0.11],
  [0.09, 0.03, [0.06, 0.15, 0], 0.055],
  [0.09, 0.04, [-0.06, 0.38, 0], 0.11],
  [0.09, 0.03, [-0.06, 0.15, 0], 0.055],
];

/** Joints: parent, child, place, least and greatest angle about x, swing about the others [rad]. */
const links: readonly (readonly [number, number, Vec3, number, number, number])[] = [
  [0, 1, [0, 0.63, 0], -0.5, 0.7, 0.3],
  [1, 2, [0, 0.88, 0], -0.6, 0.6, 0.4],
  [1, 3, [0.15, 0.81, 0], -1.5, 1.5, 1],
  [1, 5, [-0.15, 0.81, 0], -1.5, 1.5, 1],
  [3, 4, [0.15, 0.645, 0], -2.2, 0.05, 0],
  [5, 6, [-0.15, 0.645, 0], -2.2, 0.05, 0],
  [0, 7, [0.06, 0.5, 0], -1.6, 0.5, 0.5],
  [0, 9, [-0.06, 0.5, 0], -1.6, 0.5, 0.5],
  [7, 8, [0.06, 0.265, 0], -0.05, 2.2, 0],
  [9, 10, [-0.06, 0.265, 0], -0.05, 2.2, 0],
];

/** Eleven limbs, and joints whose numbers of bodies start at `first`. */
export function figure(
  name: string,
  size: number,
  foot: Vec3,
  first: number,
  motion: Pick<RigidBodyOptions, "linearVelocity"> = {},
): { readonly limbs: RigidBodyOptions[]; readonly joints: JointData[] } {
  return {
    limbs: limbs.map(([half, radius, middle, share], limb) => ({
      name: `limb ${limb} of ${name}`,
      shape: { type: "capsule", pointA: [0, -half * size, 0], pointB: [0, half * size, 0], radius: radius * size },
      mass: 20 * size ** 3 * share,
      position: [0, 1, 2].map((c) => foot[c] + middle[c] * size) as unknown as Vec3,
      ...motion,
    })),
    joints: links.map(([parent, child, at, min, max, swing]) => {
      const pivot = (limb: number): Vec3 => [0, 1, 2].map((c) => (at[c] - limbs[limb][2][c]) * size) as unknown as Vec3;
      const side = { mode: swing > 0 ? "limited" : "locked", min: -swing, max: swing } as const;
      return {
        a: first + parent,
        b: first + child,
        type: "ball",
        pivotA: pivot(parent),
        pivotB: pivot(child),
        axes: { angularX: { mode: "limited", min, max }, angularY: side, angularZ: side },
      };
    }),
  };
}

/** Figures of eleven limbs fall on one another. */
export const ragdolls: Family = {
  name: "ragdolls",
  hasGpu: true,
  draw(random) {
    const setting = drawSetting(random, 3);
    const { size, speed } = setting;
    const bodies: RigidBodyOptions[] = [ground(setting)];
    const joints: JointData[] = [];
    const count = random.whole(1, 6);
    for (let k = 0; k < count; k++) {
      const foot: Vec3 = [
        0.2 * size * random.between(-1, 1),
        size * (0.2 + 1.2 * k),
        0.2 * size * random.between(-1, 1),
      ];
      const linearVelocity = random.chance(0.5) ? times(random.direction(), Math.min(speed, 20)) : ([0, 0, 0] as const);
      const made = figure(`figure ${k}`, size, foot, bodies.length, { linearVelocity });
      bodies.push(...made.limbs);
      joints.push(...made.joints);
    }
    return { ...setting, floor: true, bodies, joints };
  },
};
