import type { Vec3 } from "../../math/types";
import type { LinkSensors } from "./link-sensor";

/** Contacts that a mechanism finds in its own step: those among its links, and with its own ground. */
export class OwnContacts {
  /** In this frame: angular impulse about the world's origin [N m s] and impulse [N s], 6 a link. */
  private readonly impulses = new Float64Array(6 * this.linkCount);
  /** mean of the last frame [N], 3 a link */
  private readonly forces = new Float64Array(3 * this.linkCount);

  constructor(private readonly linkCount: number) {}

  /** @param step impulses of a step, in the same form */
  add(step: Float64Array): void {
    for (let i = 0; i < step.length; i++) this.impulses[i] += step[i];
  }

  tell(sensors: LinkSensors): void {
    const { impulses: all } = this;
    for (let i = 0; i < all.length; i += 6) sensors.push(i / 6, all.subarray(i, i + 3), all.subarray(i + 3, i + 6));
  }

  endFrame(dt: number): void {
    for (let i = 0; i < this.forces.length; i++)
      this.forces[i] = this.impulses[6 * Math.floor(i / 3) + 3 + (i % 3)] / dt;
    this.impulses.fill(0);
  }

  forceOn(link: number): Vec3 {
    const [x, y, z] = this.forces.subarray(3 * link, 3 * link + 3);
    return [x, y, z];
  }
}
