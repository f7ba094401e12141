import type { RigidBodyOptions, Vec3 } from "../../../src/index";
import { drawSetting, ground, times } from "../draw";
import type { Random } from "../random";
import type { Family, JointData, SceneData } from "../scene";

type Parts = Required<Pick<SceneData, "bodies" | "joints">>;

const holder = (position: Vec3): RigidBodyOptions => ({ name: "holder", motion: "static", position });

/** Links side by side along a direction, each joined to the one before, the first to its support; a load at the end. */
function chain(random: Random, size: number, speed: number): Parts {
  const count = random.whole(2, 80);
  const along = random.direction();
  const length = size;
  const type = random.pick(["ball", "ball", "hinge", "lock"] as const);
  const bodies: RigidBodyOptions[] = [holder([0, 0, 0])];
  const joints: JointData[] = [];
  const push = random.chance(0.3) ? times(random.direction(), speed) : ([0, 0, 0] as const);
  for (let i = 1; i <= count; i++) {
    bodies.push({
      name: `link ${i}`,
      shape: { type: "sphere", radius: 0.3 * length },
      mass: size ** 3 * 100 * (i === count ? random.decades(1, 1000) : 1),
      position: times(along, length * (i - 0.5)),
      linearVelocity: i === count ? push : [0, 0, 0],
    });
    joints.push({
      a: i - 1,
      b: i,
      type,
      pivotA: i === 1 ? [0, 0, 0] : times(along, length / 2),
      pivotB: times(along, -length / 2),
      axisA: [0, 0, 1],
      axisB: [0, 0, 1],
    });
  }
  return { bodies, joints };
}

/** Planks between two banks, hinged to each other, with boxes on some. */
function bridge(random: Random, size: number): Parts {
  const count = random.whole(3, 60);
  const half: Vec3 = [0.45 * size, 0.05 * size, 0.5 * size];
  const bodies: RigidBodyOptions[] = [holder([0, 0, 0])];
  const joints: JointData[] = [];
  const axes = { axisA: [0, 0, 1], axisB: [0, 0, 1] } as const;
  for (let i = 1; i <= count; i++) {
    bodies.push({ name: `plank ${i}`, shape: { type: "box", halfExtents: half }, position: [size * (i - 0.5), 0, 0] });
    joints.push({
      a: i - 1,
      b: i,
      type: "hinge",
      pivotA: [i === 1 ? 0 : size / 2, 0, 0],
      pivotB: [-size / 2, 0, 0],
      ...axes,
    });
  }
  bodies.push(holder([size * count, 0, 0]));
  joints.push({ a: count, b: count + 1, type: "hinge", pivotA: [size / 2, 0, 0], pivotB: [0, 0, 0], ...axes });
  const density = random.decades(100, 1e5);
  for (let i = random.whole(0, Math.min(12, count)); i > 0; i--)
    bodies.push({
      name: `load ${i}`,
      shape: { type: "box", halfExtents: [0.3 * size, 0.3 * size, 0.3 * size] },
      density,
      position: [size * (Math.floor((i * count) / 13) + 0.5), 0.4 * size * (1 + 2 * random.next()), 0],
    });
  return { bodies, joints };
}

/** Balls in rows and columns, joined to their neighbors, held at two corners. */
function net(random: Random, size: number): Parts {
  const [columns, rows] = [random.whole(2, 8), random.whole(2, 8)];
  const bodies: RigidBodyOptions[] = [];
  const joints: JointData[] = [];
  for (let j = 0; j < rows; j++)
    for (let i = 0; i < columns; i++) {
      const isHeld = j === 0 && (i === 0 || i === columns - 1);
      const at = bodies.length;
      bodies.push({
        name: `knot ${i} ${j}`,
        motion: isHeld ? "static" : "dynamic",
        shape: { type: "sphere", radius: 0.2 * size },
        position: [i * size, 0, j * size],
      });
      for (const [b, pivot] of [
        [i > 0 ? at - 1 : -1, [-size / 2, 0, 0]],
        [j > 0 ? at - columns : -1, [0, 0, -size / 2]],
      ] as const)
        if (b >= 0 && !(isHeld && bodies[b].motion === "static"))
          joints.push({ a: at, b, type: "ball", pivotA: pivot, pivotB: times(pivot, -1) });
    }
  return { bodies, joints };
}

/** Chains, bridges and nets of joints, with loads. */
export const chains: Family = {
  name: "chains",
  hasGpu: true,
  draw(random) {
    const setting = drawSetting(random);
    const { size, speed } = setting;
    const parts = random.pick([chain, bridge, net])(random, size, speed);
    // far below the reach of the chain
    const floor = { ...ground(setting), position: [0, -510 * size, 0] as const };
    return { ...setting, bodies: [...parts.bodies, floor], joints: parts.joints };
  },
};
