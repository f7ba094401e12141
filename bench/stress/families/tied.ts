import { ropeModel, WindField, type RigidBodyOptions, type Vec3 } from "../../../src/index";
import { compileShape } from "../../../src/collision/distance/primitives";
import { drawSetting, drawShape, ground, inUnits, times } from "../draw";
import { distanceTo } from "../lift";
import type { Random } from "../random";
import type { AttachmentData, Family, SoftData, WindData } from "../scene";
import { drawSoft } from "./dragged";

/** A place where a rope is tied to. */
interface End {
  readonly at: Vec3;
  readonly to: Pick<AttachmentData, "body" | "other">;
}

/** A thing of a column: its lower and its upper end. */
type Knot = readonly [End, End];

/** A rope that is tied to a rigid body begins at its surface. */
function rigidKnot(body: number, { position, shape }: RigidBodyOptions, size: number): Knot {
  const [x, y, z] = position!;
  const primitives = compileShape(shape!);
  const end = (side: number): End => {
    let height = 0;
    while (distanceTo(primitives, [0, side * height, 0]) < 0) height += 0.01 * size;
    return { at: [x, y + side * height, z], to: { body } };
  };
  return [end(-1), end(1)];
}

function softKnot(soft: number, { model: { positions, masses } }: SoftData): Knot {
  const heights = Array.from(masses, (_, p) => positions[3 * p + 1]);
  const end = (height: number): End => {
    const p = heights.indexOf(height);
    return { at: [positions[3 * p], height, positions[3 * p + 2]], to: { other: { soft, vertices: [p] } } };
  };
  return [end(Math.min(...heights)), end(Math.max(...heights))];
}

/** A straight rope. */
function ropeBetween(random: Random, a: Vec3, b: Vec3, name: string): SoftData {
  const count = random.whole(3, 20);
  const way = b.map((value, c) => value - a[c]);
  const positions = Array.from({ length: count + 1 }, (_, i) => a.map((value, c) => value + (way[c] * i) / count));
  const radius = (Math.hypot(...way) / count) * random.between(0.05, 0.25);
  const common = { positions: positions.flat(), radius, density: random.decades(300, 8000) };
  const model = random.chance(0.7)
    ? ropeModel(common)
    : ropeModel({ ...common, solver: "newton", youngsModulus: random.decades(1e5, 1e9) });
  return { model, options: { name } };
}

/** A mean wind, with gusts and a zone at times. */
function drawWind(random: Random, size: number, speed: number): WindData {
  const zone = {
    shape: random.pick(["sphere", "box", "cylinder"] as const),
    kind: random.pick(["directional", "radial", "vortex"] as const),
    center: [0, 4 * size, 0] as const,
    halfExtents: [2 * size, 4 * size, 2 * size] as const,
    direction: random.direction(),
    speed,
  };
  return {
    velocity: times(random.direction(), speed),
    turbulence: random.chance(0.5) ? { speed: 0.3 * speed, size: size * random.decades(0.3, 3) } : undefined,
    zones: random.chance(0.5) ? [zone] : [],
  };
}

function topSpeed({ zones, ...options }: WindData): number {
  const field = new WindField(options);
  for (const zone of zones) field.addZone(zone);
  return field.topSpeed + Math.hypot(...field.velocity);
}

/** Rigid and soft bodies above one another, each tied to the next one by a rope; some ropes give or come off, and wind blows at times. */
export const tied: Family = {
  name: "tied",
  hasGpu: true,
  draw(random) {
    const setting = inUnits(drawSetting(random, 1), random.pick([0.01, 1, 1, 100]));
    const { size, timeStep, gravity } = setting;
    const bodies: RigidBodyOptions[] = [ground(setting)];
    const softs: SoftData[] = [];
    const attachments: AttachmentData[] = [];
    // of water of that size [N]
    const weight = -gravity[1] * 1000 * size ** 3;
    const count = random.whole(2, 4);
    let below: Knot | undefined;
    for (let i = 0; i < count; i++) {
      const top = size * (2 + 4 * i);
      const name = `knot ${i}`;
      let knot: Knot;
      if (random.chance(0.5)) {
        const motion = i === count - 1 && random.chance(0.5) ? "static" : "dynamic";
        const density = 1000 * random.decades(0.1, 10);
        const body: RigidBodyOptions = { name, motion, shape: drawShape(random, size), density, position: [0, top, 0] };
        knot = rigidKnot(bodies.push(body) - 1, body, size);
      } else {
        const soft = { ...drawSoft(random, size, top), options: { name } };
        knot = softKnot(softs.push(soft) - 1, soft);
      }
      if (below) {
        const ends = [below[1], knot[0]] as const;
        const rope = ropeBetween(random, ends[0].at, ends[1].at, `rope ${i}`);
        const soft = softs.push(rope) - 1;
        ends.forEach(({ to }, k) => {
          const breakingForce = random.chance(0.3) ? weight * random.decades(0.01, 10) : undefined;
          // A body of gpbd has no compliance to a rigid one.
          const compliance = random.chance(0.3) && to.other ? (size / weight) * random.decades(1e-3, 0.1) : 0;
          const vertices = [k * (rope.model.masses.length - 1)];
          attachments.push({ soft, vertices, ...to, breakingForce, compliance });
        });
      }
      below = knot;
    }
    const gale = Math.sqrt(-gravity[1] * size) * random.decades(0.1, 10);
    const wind = random.chance(0.4) ? drawWind(random, size, gale) : undefined;
    return {
      ...setting,
      frames: Math.min(90, Math.round(1 / timeStep)),
      floor: true,
      driven: wind && topSpeed(wind),
      bodies,
      softs,
      attachments,
      wind,
    };
  },
};
