import type { Quat, Vec3 } from "../src/index";
import { conjugate, turn } from "../src/math/quaternions";
import { dot, norm, normalised, subtract } from "../src/math/vectors";
import { type MaterialPoint, nearest, placeOf, type Surface } from "./grip";

/** A ball that touches a surface. */
export interface Tip {
  readonly position: Vec3;
  readonly rotation: Quat;
}

/** Points of both that were nearest to each other in the frame before. */
interface Touch {
  readonly point: MaterialPoint;
  /** in the axes of the ball */
  readonly local: Vec3;
  readonly apart: Vec3;
}

/** Slip of balls on a surface since the first update: the sum of the ways of their contacts [m]. A ball that rolls does not slip. */
export class RollingSlip {
  /** greatest depth of the surface in a ball [m] */
  deepest = 0;
  private readonly touches: (Touch | undefined)[] = [];
  private readonly ways: [number, number, number][] = [];

  /** @param reach a ball that is closer to the surface than this touches it [m] */
  constructor(
    private readonly radius: number,
    private readonly reach: number,
  ) {}

  get largest(): number {
    return Math.max(0, ...this.ways.map((way) => Math.sqrt(dot(way, way))));
  }

  /** @returns whether all balls touch the surface */
  update(tips: readonly Tip[], surface: Surface): boolean {
    tips.forEach((tip, k) => {
      const before = this.touches[k];
      const way = (this.ways[k] ??= [0, 0, 0]);
      if (before) {
        const change = subtract(this.apart(tip, before, surface), before.apart);
        const normal = normalised(subtract(placeOf(surface, before.point), tip.position));
        const along = dot(change, normal);
        for (let c = 0; c < 3; c++) way[c] += change[c] - along * normal[c];
      }
      const [point] = nearest(surface, tip.position, this.radius + this.reach);
      if (point === undefined) {
        this.touches[k] = undefined;
        return;
      }
      const away = subtract(placeOf(surface, point), tip.position);
      this.deepest = Math.max(this.deepest, this.radius - norm(away));
      const outward = normalised(away);
      const touch = {
        point,
        local: turn(
          conjugate(tip.rotation),
          outward.map((n) => this.radius * n),
        ),
      };
      this.touches[k] = { ...touch, apart: this.apart(tip, touch, surface) };
    });
    return this.touches.every((touch) => touch !== undefined);
  }

  private apart(tip: Tip, { point, local }: Pick<Touch, "point" | "local">, surface: Surface): Vec3 {
    const [x, y, z] = turn(tip.rotation, local);
    const on = placeOf(surface, point);
    return [on[0] - tip.position[0] - x, on[1] - tip.position[1] - y, on[2] - tip.position[2] - z];
  }
}
