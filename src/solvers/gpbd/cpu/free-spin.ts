/**
 * Angular momentum of cloth and ropes that nothing holds or touches in a frame. A substep of implicit Euler loses h Σ m v × Δv of it, with the
 * changes Δv of velocities by elements: a sheet at 20 rad/s lost half in two seconds. At the end of a frame the velocities get it back. The air
 * and damping have theirs: L ← (L + h Σ m (x − c) × a) / (1 + h d) in each substep, with the acceleration a by the air, the damping d, and the
 * middle x of the way for which a counts. The kinetic energy beside that of the center of mass c stays what it was, or what it was at
 * the start of the frame, if that is more.
 */
import { areApart, grown, type Box } from "../../../geometry/box";
import { type FrameInput, pinHolds, type PinTable } from "../../deformable";
import { giveBack, type Particles } from "../guard/spin";
import { lengthAt } from "../../../math/vectors";
import type { GpbdStepOptions } from "../options";

/** L about c [N m s], and c [m] */
const angular = new Float64Array(3);
const center = new Float64Array(3);
const mean = new Float64Array(3);
/** bound of Σ m |x − c| |v| [N m s] */
let scale = 0;
/** A loss that rounding in f32 may be, as a part of that. */
const ROUNDING = 1e-6;

/** A body that is stepped by itself. */
interface FreeBody {
  readonly model: { readonly masses: Float64Array };
  readonly state: Readonly<Record<"positions" | "velocities", Float64Array>>;
  /** a box that holds it to the end of the frame */
  span(frame: FrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable): Box;
}

export class FreeSpin {
  private body: Particles | undefined;
  /** that it should have [N m s] */
  private readonly angular = new Float64Array(3);
  /** [J] */
  private energy = 0;
  /** substeps to come in the frame, their length [s], and the factor of velocities in one */
  private left = 0;
  private h = 0;
  private decay = 1;

  /** @returns undefined where anything may hold or touch the body in the frame */
  begin(free: FreeBody, frame: FrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable): FreeSpin | undefined {
    const { state } = free;
    const { masses } = free.model;
    const { dt, pace = 1 } = frame;
    const { substeps, damping, thickness } = options;
    const { bounds, slack, primitiveCount } = frame.colliders;
    if (pace !== 1 || pins.range) return undefined;
    for (let p = 0; p < masses.length; p++) if (masses[p] === 0 || pinHolds(pins, p)) return undefined;
    const box = free.span(frame, options, pins);
    for (let k = 0; k < primitiveCount; k++) {
      const [a, b, c, d, e, f] = bounds.subarray(6 * k, 6 * k + 6);
      if (!areApart(grown(box, 2 * thickness + slack[k]), { min: [a, b, c], max: [d, e, f] })) return undefined;
    }
    this.body = { masses, x: state.positions, v: state.velocities };
    this.energy = motionOf(this.body);
    this.angular.set(angular);
    this.left = substeps;
    this.h = dt / substeps;
    this.decay = 1 / (1 + this.h * damping);
    return this;
  }

  /**
   * Notes the forces of the air.
   *
   * @param interval substeps for which they count
   * @param x, v of particles now, @param a accelerations, n × 3 each [m, m/s, m/s²]
   */
  blow(interval: number, x: Float64Array, v: Float64Array, a: Float64Array): void {
    if (!this.body) return;
    const count = Math.min(interval, this.left);
    const { masses } = this.body;
    motionOf({ masses, x, v });
    angular.fill(0);
    const half = 0.5 * count * this.h;
    for (let p = 0, i = 0; p < masses.length; p++, i += 3)
      addMoment(
        angular,
        masses[p],
        x[i] + half * (v[i] - mean[0]) - center[0],
        x[i + 1] + half * (v[i + 1] - mean[1]) - center[1],
        x[i + 2] + half * (v[i + 2] - mean[2]) - center[2],
        a,
        i,
      );
    this.pass(count, angular);
  }

  /** At the end of the frame. @param isFrozen whether it turned non-finite */
  end(isFrozen: boolean): void {
    const { body } = this;
    this.body = undefined;
    if (!body || isFrozen) return;
    this.pass(this.left, undefined);
    const gained = this.energy - motionOf(body);
    for (let c = 0; c < 3; c++) angular[c] = this.angular[c] - angular[c];
    if (lengthAt(angular, 0) > ROUNDING * scale) giveBack([body], angular, Math.max(0, gained));
  }

  private pass(count: number, torque: Float64Array | undefined): void {
    this.left -= count;
    for (let k = 0; k < count; k++) {
      this.energy *= this.decay * this.decay;
      for (let c = 0; c < 3; c++) this.angular[c] = this.decay * (this.angular[c] + this.h * (torque?.[c] ?? 0));
    }
  }
}

/** Finds L, c, its velocity and the scale. @returns the kinetic energy beside that of c [J] */
function motionOf({ masses, x, v }: Particles): number {
  let mass = 0;
  for (const sum of [center, mean, angular]) sum.fill(0);
  for (let p = 0, i = 0; p < masses.length; p++, i += 3) {
    mass += masses[p];
    for (let c = 0; c < 3; c++) {
      center[c] += masses[p] * x[i + c];
      mean[c] += masses[p] * v[i + c];
    }
  }
  for (let c = 0; c < 3; c++) {
    center[c] /= mass;
    mean[c] /= mass;
  }
  let [energy, extent, all] = [0, 0, 0];
  for (let p = 0, i = 0; p < masses.length; p++, i += 3) {
    const m = masses[p];
    for (let c = 0; c < 3; c++) {
      energy += 0.5 * m * (v[i + c] - mean[c]) ** 2;
      extent += m * (x[i + c] - center[c]) ** 2;
      all += m * v[i + c] ** 2;
    }
    addMoment(angular, m, x[i] - center[0], x[i + 1] - center[1], x[i + 2] - center[2], v, i);
  }
  scale = Math.sqrt(extent * all);
  return energy;
}

/** Adds m r × v. */
function addMoment(sum: Float64Array, m: number, a: number, b: number, c: number, v: Float64Array, i: number): void {
  sum[0] += m * (b * v[i + 2] - c * v[i + 1]);
  sum[1] += m * (c * v[i] - a * v[i + 2]);
  sum[2] += m * (a * v[i + 1] - b * v[i]);
}
