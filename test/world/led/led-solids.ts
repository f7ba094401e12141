import { meshVolume } from "../../../src/geometry/tetrahedra/tet-mesh";
import { boxTetrahedra, solidModel, type DeformableBody, type World } from "../../../src/index";
import { solidLaws, type SolidLaw } from "../../../src/materials/solid-material";
import { RandomGeometry } from "../../collision/random";
import { softEnergy } from "../soft-energy";
import { run } from "../worlds";

const motions = ["line", "shake", "spin", "jump", "stretch", "twist", "vertex", "each"] as const;
type Motion = (typeof motions)[number];

/** A cube of which pins move. */
export interface Led {
  readonly model: SolidLaw;
  readonly youngsModulus: number;
  readonly poissonRatio: number;
  readonly density: number;
  readonly size: number;
  readonly cells: number;
  readonly motion: Motion;
  /** of pins [m/s] */
  readonly speed: number;
  /** of what goes to and fro [1/s] */
  readonly rate: number;
}

/** Frames of the motion. */
const FRAMES = 30;

/** From cubes that hardly feel it to ones that are torn about. */
export function drawLed(seed: number): Led {
  const random = new RandomGeometry(seed);
  const decades = (low: number, high: number): number => low * (high / low) ** random.between(0, 1);
  const speed = decades(0.5, 20);
  const density = decades(100, 1e4);
  return {
    model: solidLaws[seed % solidLaws.length],
    youngsModulus: Math.min(1e8, Math.max(1e3, density * speed * speed * decades(1e-2, 100))),
    poissonRatio: [0, 0.3, 0.45, 0.49, 0.499][Math.floor(random.between(0, 4.999))],
    density,
    size: decades(0.1, 10),
    cells: 1 + Math.floor(random.between(0, 2.999)),
    motion: motions[Math.floor(random.between(0, motions.length - 1e-9))],
    speed,
    rate: decades(1, 20),
  };
}

/** The cube in a world. */
export function addLed(
  world: World,
  { size, cells, motion: _, speed: __, rate: ___, ...material }: Led,
): DeformableBody {
  const mesh = boxTetrahedra({ size: [size, size, size], cells: [cells, cells, cells] });
  return world.addBody(solidModel({ ...mesh, material }), { airDensity: 0 });
}

/** Pins of the cube, and the way of each at a time [m]. */
function leads({ model }: DeformableBody, { size, motion, speed, rate }: Led, seed: number) {
  const random = new RandomGeometry(1000 + seed);
  const { positions: x } = model;
  const isOfBoth = ["each", "stretch", "twist"].includes(motion);
  const ends = [...model.masses.keys()].filter((p) => (isOfBoth ? Math.abs(x[3 * p]) : x[3 * p]) > 0.499 * size);
  if (motion === "vertex") ends.splice(1, Infinity, ends[0]);
  const direction = random.vector(1);
  const norm = Math.hypot(...direction);
  const own = ends.map(() => random.vector(1));
  const cycle = 2 * Math.PI * rate;
  const along = (way: number): number[] => direction.map((d) => (d / norm) * way);
  const wayOf = (k: number, t: number): number[] => {
    const [a, b, c] = x.subarray(3 * ends[k], 3 * ends[k] + 3);
    const swing = (speed / cycle) * Math.sin(cycle * t);
    const turn = (p: number, q: number, angle: number): number[] => [
      Math.cos(angle) * p - Math.sin(angle) * q - p,
      Math.sin(angle) * p + Math.cos(angle) * q - q,
    ];
    if (motion === "spin") return [...turn(a, b, (speed / size) * t), 0];
    if (motion === "twist") return [0, ...turn(b, c, (Math.sign(a) * speed * Math.min(t, 0.2)) / size)];
    if (motion === "stretch") return [Math.sign(a) * swing, 0, 0];
    if (motion === "each") return own[k].map((d) => d * swing);
    return along(motion === "shake" ? swing : motion === "jump" ? (speed / 60) * Math.ceil(t * rate) : speed * t);
  };
  return { ends, wayOf };
}

/** Tetrahedra without volume or with a negative one. */
function insideOut({ tetrahedra }: DeformableBody["model"], x: Float64Array): number {
  let count = 0;
  for (let e = 0; e < tetrahedra!.length; e += 4) if (!(meshVolume(x, tetrahedra!.subarray(e, e + 4)) > 0)) count++;
  return count;
}

/**
 * Plays a motion.
 *
 * @param isFreed whether pins let go at its end
 * @param after frames after the motion
 * @returns the largest kinetic energy, over that of the whole body at the highest speed of a pin; and elements that are inside out at the end
 */
export async function lead(
  world: World,
  led: Led,
  seed: number,
  isFreed: boolean,
  after = 10,
): Promise<{ kinetic: number; turned: number }> {
  const body = addLed(world, led);
  const { ends, wayOf } = leads(body, led, seed);
  body.pin(ends);
  const mass = body.model.masses.reduce((sum, value) => sum + value, 0);
  const { positions: x } = body.model;
  let [speed, kinetic] = [0, 0];
  for (let frame = 1; frame <= FRAMES + after; frame++) {
    if (frame <= FRAMES)
      ends.forEach((p, k) => {
        const [way, before] = [wayOf(k, frame / 60), wayOf(k, (frame - 1) / 60)];
        speed = Math.max(speed, 60 * Math.hypot(...way.map((value, c) => value - before[c])));
        body.setPinTarget(p, x[3 * p] + way[0], x[3 * p + 1] + way[1], x[3 * p + 2] + way[2]);
      });
    if (frame === FRAMES + 1 && isFreed) body.unpin(ends);
    run(world, 1);
    const { kinetic: now } = await softEnergy(body, 0);
    kinetic = Math.max(kinetic, Number.isFinite(now) ? now : Infinity);
  }
  const { positions } = await body.readState();
  return {
    kinetic: kinetic / (0.5 * mass * speed * speed),
    turned: insideOut(body.model, Float64Array.from(positions)),
  };
}
