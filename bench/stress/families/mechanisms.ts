import type { LinkDescription } from "../../../src/index";
import { degreesOfFreedom } from "../../../src/articulated/joints/degrees-of-freedom";
import { drawSetting, times } from "../draw";
import type { Family } from "../scene";

const types = ["revolute", "revolute", "prismatic", "universal", "ball", "weld"] as const;

/** Trees of links that fly and turn, or hang from the world. */
export const mechanisms: Family = {
  name: "mechanisms",
  hasGpu: false,
  draw(random) {
    const setting = drawSetting(random, 2);
    const { size } = setting;
    const isFree = random.chance(0.7);
    const count = random.whole(1, 8);
    const links = Array.from({ length: count }, (_, i): LinkDescription => {
      const mass = size ** 3 * random.decades(10, 1e4);
      const moment = (): number => mass * size ** 2 * random.between(0.08, 0.12);
      const type = i > 0 ? random.pick(types) : isFree ? "free" : random.pick(["revolute", "ball"] as const);
      return {
        name: `link ${i}`,
        ...(i > 0 ? { parent: `link ${random.whole(Math.max(0, i - 2), i - 1)}` } : {}),
        joint: {
          type,
          axis: random.direction(),
          ...(type === "universal" ? { axis: [1, 0, 0], secondAxis: [0, 1, 0] } : {}),
          parentFrame: { position: i > 0 ? times(random.direction(), size / 2) : [0, 0, 0] },
          childFrame: { position: times(random.direction(), size / 2) },
        },
        mass,
        inertia: [moment(), moment(), moment(), 0, 0, 0],
      };
    });
    const coordinates = links.reduce((sum, { joint }) => sum + degreesOfFreedom[joint.type], 0);
    // for all links together; a chain of them adds theirs up
    const rate = random.decades(0.1, 50) / count;
    const values = (scale: number): number[] =>
      Array.from({ length: coordinates }, () => random.between(-scale, scale));
    return {
      ...setting,
      gravity: isFree ? [0, 0, 0] : setting.gravity,
      isFree,
      // the mechanism chooses its default steps of a frame
      timeStep: 1 / 60,
      frames: 120,
      mechanisms: [{ mechanism: { name: "tree", links }, q: values(0.5), qd: values(rate) }],
    };
  },
};
