import { RigidWorld, type ColliderShape, type Quat, type RigidBody, type Vec3 } from "../../src/index";
import type { CastBody, RigidCast } from "./cast";
import type { RigidEngine } from "./engine";

/** The judge's measurements of an engine. */
export interface Verdict {
  /** contacts within 1 mm in the last frame */
  readonly contacts: number;
  /** deepest contact of the examined frames [m] */
  readonly maxPenetration: number;
  /** largest distance of a body from its initial place [m] */
  readonly maxDrift: number;
}

/** Length of a frame [s]. */
export const FRAME = 1 / 60;
/** Frames between two measurements of the judge. */
export const LOOK = 5;

/** Contacts closer than this count [m]. */
const NEAR = 1e-3;

/**
 * Measures the penetration of bodies, with one narrow phase for the poses of all engines. By its own margins and rounded edges each engine
 * would report no penetration of its own.
 */
export class Judge {
  private readonly world = new RigidWorld({ sleeping: false, contactDistance: NEAR });
  private readonly bodies: RigidBody[];
  private readonly pose = new Float64Array(7);
  private contacts = 0;
  private maxPenetration = 0;
  private maxDrift = 0;

  constructor(private readonly cast: RigidCast) {
    this.bodies = cast.bodies.map(({ shape, isDynamic, mass, position, rotation }) =>
      this.world.addBody({
        shape: shapeOf(shape),
        motion: isDynamic ? "dynamic" : "static",
        ...(isDynamic ? { mass } : {}),
        position,
        rotation,
      }),
    );
  }

  /** @throws Error for a pose that is not finite */
  look(engine: RigidEngine): void {
    const { world, pose, cast } = this;
    for (const [k, { isDynamic, position }] of cast.bodies.entries()) {
      if (!isDynamic) continue;
      engine.readPose(k, pose);
      if (!pose.every(Number.isFinite)) throw new Error(`${engine.name}: body ${k} is not finite`);
      const place: Vec3 = [pose[0], pose[1], pose[2]];
      const rotation: Quat = [pose[3], pose[4], pose[5], pose[6]];
      world.slots.writePose(this.bodies[k], place, rotation);
      this.maxDrift = Math.max(this.maxDrift, Math.hypot(...place.map((value, i) => value - position[i])));
    }
    world.finder.refresh([]);
    world.finder.cache.clear();
    world.finder.find(1e-9, [0, 0, 0]);
    const { separation, count } = world.contacts;
    this.contacts = 0;
    for (let c = 0; c < count; c++) {
      if (separation[c] < NEAR) this.contacts++;
      this.maxPenetration = Math.max(this.maxPenetration, -separation[c]);
    }
  }

  get verdict(): Verdict {
    const { contacts, maxPenetration, maxDrift } = this;
    return { contacts, maxPenetration, maxDrift };
  }
}

export function shapeOf(shape: CastBody["shape"]): ColliderShape {
  return "corners" in shape
    ? { type: "convex-hull", positions: [...shape.corners] }
    : { type: "box", halfExtents: shape.halfExtents };
}
