import { turn } from "../src/math/quaternions";
import type { ColliderShape, Quat, Vec3 } from "../src/index";
import type { Prop, PropMaterial } from "./scene";

/** Things that hold up what a scene holds at a place. They are drawn only, and touch nothing. */

/** Posts that stand on the ground, each with a foot, by their tops. */
export function posts(ground: number, radius: number, ...tops: readonly Vec3[]): Prop[] {
  return tops.flatMap(([x, y, z]) => {
    const upright = (top: number, size: number): Prop => ({
      shape: { type: "cylinder", pointA: [x, ground, z], pointB: [x, top, z], radius: size },
      material: "steel",
    });
    return [upright(y, radius), upright(ground + radius, 3 * radius)];
  });
}

/** Four posts round the vertical through x = z = 0, at distances along x and z. */
export function legs(ground: number, radius: number, [x, top, z]: Vec3): Prop[] {
  return posts(ground, radius, [x, top, z], [-x, top, z], [x, top, -z], [-x, top, -z]);
}

/** A beam between two places on posts. */
export function gantry(ground: number, radius: number, a: Vec3, b: Vec3): Prop[] {
  const beam = { type: "capsule", pointA: a, pointB: b, radius: 1.5 * radius } as const;
  return [{ shape: beam, material: "steel" }, ...posts(ground, radius, a, b)];
}

/** A shape that moves with something, at a place in its axes. */
export function carried(
  by: { readonly position: Vec3; readonly rotation: Quat },
  shape: ColliderShape,
  at: Vec3 = [0, 0, 0],
  material: PropMaterial = "steel",
): Prop {
  return {
    shape,
    material,
    get position(): Vec3 {
      const [x, y, z] = turn(by.rotation, at);
      return [by.position[0] + x, by.position[1] + y, by.position[2] + z];
    },
    get rotation() {
      return by.rotation;
    },
  };
}

/** A round rod that stands up from a place in its axes. */
export function stem(length: number, radius: number): ColliderShape {
  return { type: "cylinder", pointA: [0, 0, 0], pointB: [0, length, 0], radius };
}

/** A beam along x on two posts, for carts. */
export function rail(): Prop[] {
  const [y, end] = [-0.085, 2.95];
  const beam = { type: "box", halfExtents: [3, 0.015, 0.03], center: [0, y, 0] } as const;
  return [{ shape: beam, material: "wood" }, ...posts(-1.2, 0.02, [-end, y, 0], [end, y, 0])];
}
