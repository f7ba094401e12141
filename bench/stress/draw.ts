import type { ColliderShape, RigidBodyOptions, Vec3 } from "../../src/index";
import type { Random } from "./random";
import type { SceneData } from "./scene";

/** The common draws of all families: sizes from a millimeter to 100 m, speeds to 100 m/s, several time steps. */
export interface Setting extends Pick<SceneData, "size" | "gravity" | "timeStep" | "frames"> {
  /** [m/s] */
  readonly speed: number;
}

const GRAVITY = 9.81;

/** @param seconds largest simulated time; small things need less time to fall, and run for fewer steps */
export function drawSetting(random: Random, seconds = 2): Setting {
  const size = random.decades(1e-3, 100);
  const timeStep = random.pick([1 / 30, 1 / 60, 1 / 60, 1 / 60, 1 / 120, 1 / 240]);
  const speed = random.decades(0.01, 100);
  return { size, gravity: [0, -GRAVITY, 0], timeStep, frames: Math.round(Math.min(150, seconds / timeStep)), speed };
}

/** The setting in another unit of length, of which a meter has so many. */
export function inUnits(setting: Setting, perMeter: number): Setting {
  const { size, speed, gravity } = setting;
  return { ...setting, size: size * perMeter, speed: speed * perMeter, gravity: times(gravity, perMeter) };
}

/** Static ground with its top at height 0, as wide as anything may travel in the time. */
export function ground({ size, speed, gravity, timeStep, frames }: Setting, friction = 0.5): RigidBodyOptions {
  const seconds = frames * timeStep;
  const half = 100 * size + 2 * seconds * (speed - gravity[1] * seconds);
  const shape: ColliderShape = { type: "box", halfExtents: [half, 10 * size, half] };
  return { name: "ground", motion: "static", shape, position: [0, -10 * size, 0], friction };
}

/** A shape of some size: half its diagonal is less. */
export function drawShape(random: Random, size: number): ColliderShape {
  const side = (): number => size * random.between(0.15, 0.5);
  const half = side();
  switch (random.pick(["box", "sphere", "capsule", "cylinder", "convex-hull"] as const)) {
    case "box":
      return { type: "box", halfExtents: [side(), side(), side()] };
    case "sphere":
      return { type: "sphere", radius: half };
    case "capsule":
      return { type: "capsule", pointA: [0, -half, 0], pointB: [0, half, 0], radius: 0.5 * half };
    case "cylinder":
      return { type: "cylinder", pointA: [0, -half, 0], pointB: [0, half, 0], radius: side() };
    default: {
      const points = Array.from({ length: random.whole(5, 20) }, () => random.direction()).flat();
      return { type: "convex-hull", positions: points.map((value) => value * half) };
    }
  }
}

/** Places of a grid that stands on height `bottom`, spaced so that things of that size do not touch. */
export function places(random: Random, count: number, size: number, bottom: number): Vec3[] {
  const across = random.whole(1, 3);
  return Array.from({ length: count }, (_, i) => [
    1.05 * size * ((i % across) - (across - 1) / 2) + 0.02 * size * random.between(-1, 1),
    bottom + size * (0.55 + 1.05 * Math.floor(i / across ** 2)),
    1.05 * size * ((Math.floor(i / across) % across) - (across - 1) / 2) + 0.02 * size * random.between(-1, 1),
  ]);
}

/** The vector times a number. */
export const times = (v: Vec3, k: number): Vec3 => [v[0] * k, v[1] * k, v[2] * k];

/** Dynamic bodies of random shapes, a few of them thrown. */
export function drawBodies(random: Random, setting: Setting, count: number, bottom: number): RigidBodyOptions[] {
  const { size, speed } = setting;
  // up to 1e6 between the lightest and the heaviest
  const spread = random.pick([1, 10, 1e3, 1e6]);
  return places(random, count, 1.5 * size, bottom).map((position, i) => ({
    name: `body ${i}`,
    shape: drawShape(random, size),
    position,
    rotation: random.rotation(),
    density: 1000 * random.decades(1 / Math.sqrt(spread), Math.sqrt(spread)),
    friction: random.between(0, 1),
    restitution: random.chance(0.2) ? random.between(0, 1) : 0,
    linearVelocity: random.chance(0.3) ? times(random.direction(), speed) : [0, 0, 0],
    angularVelocity: random.chance(0.2) ? random.vector(10) : [0, 0, 0],
  }));
}
