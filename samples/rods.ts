import type { Quat, Vec3 } from "../src/index";
import type { Prop, PropMaterial } from "./scene";

/** A string or a rod that is drawn between two points; its length is fixed when it is made. */
export function rod(from: () => Vec3, to: () => Vec3, radius: number, material: PropMaterial): Prop {
  const length = Math.hypot(...difference(to(), from()));
  return {
    shape: { type: "cylinder", pointA: [0, 0, 0], pointB: [0, length, 0], radius },
    material,
    get position() {
      return from();
    },
    get rotation() {
      return fromUp(difference(to(), from()));
    },
  };
}

function difference(a: Vec3, b: Vec3): Vec3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** The shortest rotation of (0, 1, 0) to a direction: half-way between no rotation and twice of it. */
function fromUp([x, y, z]: Vec3): Quat {
  const w = Math.hypot(x, y, z) + y;
  const size = Math.hypot(z, x, w);
  // straight down
  return size > 0 ? [z / size, 0, -x / size, w / size] : [1, 0, 0, 0];
}
