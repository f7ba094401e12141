/**
 * Angular momentum of bodies that nothing holds or touches in a frame. A substep of implicit Euler loses h Σ m v × Δv of it, with the
 * changes Δv of velocities by elements: a sheet at 20 rad/s lost half in two seconds. At the end of a frame the velocities get it back. The air
 * and damping have theirs: L ← (L + h Σ m (x − c) × a) / (1 + h d) in each substep, with the acceleration a by the air, the damping d, and the
 * middle x of the way for which a counts. The kinetic energy beside that of the center of mass c stays what it was, or what it was at
 * the start of the frame, if that is more; of solids also with what their elements have released or stored since.
 */
import type { ContactReaction } from "../../../collision/obstacles/contact-reaction";
import type { RigidProxy } from "../../../collision/obstacles/rigid-proxy";
import type { Box } from "../../../geometry/box";
import type { FrameInput, PinTable } from "../../deformable";
import { isFree } from "../held/free";
import { findCenter, giveBack, type Particles, sumMotion } from "../guard/spin";
import { lengthAt } from "../../../math/vectors";
import type { GpbdStepOptions } from "../options";

/** L about c [N m s], and c [m] */
const angular = new Float64Array(3);
const center = new Float64Array(3);
const mean = new Float64Array(3);
/** Σ m a [N], and Σ m (v − v̄) × a, by which the torque of the air grows [N m/s] */
const push = new Float64Array(3);
const swept = new Float64Array(3);
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

/** A substep that rigid bodies push in. */
interface Pushed {
  readonly reaction: ContactReaction;
  readonly start: Float64Array;
  readonly w: ArrayLike<number>;
}

export class FreeSpin {
  private body: Particles | undefined;
  /** that it should have [N m s] */
  private readonly angular = new Float64Array(3);
  /** [J] */
  private energy = 0;
  /** substeps of the frame, those to come, their length [s], and the factor of velocities in one */
  private substeps = 1;
  private left = 0;
  private h = 0;
  private decay = 1;

  /** elastic energy at the start of the frame [J] */
  private stored = 0;

  /** @param solid of what hears of the pushes of rigid bodies that yield, with its elastic energy at the end of the last frame [J] */
  constructor(private readonly solid?: { readonly stored: number }) {}

  /** @returns undefined where anything may hold or touch the body in the frame */
  begin(free: FreeBody, frame: FrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable): FreeSpin | undefined {
    const { state } = free;
    const { masses } = free.model;
    const { substeps, damping } = options;
    const span = () => free.span(frame, options, pins);
    if (masses.includes(0) || !isFree(frame, pins, span, options.thickness, this.solid !== undefined)) return undefined;
    this.body = { masses, x: state.positions, v: state.velocities };
    this.energy = motionOf(this.body);
    this.stored = this.solid?.stored ?? 0;
    this.angular.set(angular);
    this.left = this.substeps = substeps;
    this.h = frame.dt / substeps;
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
    const half = 0.5 * count * this.h;
    sumMotion([{ masses, x, v: a }], push, angular, center);
    sumMotion([{ masses, x: v, v: a }], push, swept, mean);
    for (let c = 0; c < 3; c++) angular[c] += half * swept[c];
    this.pass(count, angular);
  }

  /**
   * Notes what rigid bodies have given in a substep, at its end. With x × (x − x⁻) = x⁻ × (x − x⁻) an impulse at x⁻ gives particles x⁻ × J; but a
   * rigid body gets its own at x, about its center c before it yields, so it loses (x − (c − c⁻)) × J of its angular momentum, by which the
   * particles have to have more.
   *
   * @param scratch of the substep: x⁻ of the particles, and h²/m of each
   * @param h substep times the part of impulses that counts [s]
   */
  push({ reaction, start, w }: Pushed, proxies: readonly RigidProxy[], h: number, substep: number): void {
    const { displacement, owner } = reaction;
    if (!this.solid || !this.body || !owner.some((proxy) => proxy >= 0)) return;
    const { masses, x } = this.body;
    push.fill(0);
    angular.fill(0);
    for (let p = 0; p < owner.length; p++) {
      if (owner[p] < 0 || w[p] === 0) continue;
      const { way } = proxies[owner[p]];
      for (let c = 0; c < 3; c++) {
        const [i, j] = [(c + 1) % 3, (c + 2) % 3];
        const scale = h / w[p];
        push[c] += scale * displacement[3 * p + c];
        angular[c] +=
          scale *
          ((x[3 * p + i] - way[i]) * displacement[3 * p + j] - (x[3 * p + j] - way[j]) * displacement[3 * p + i]);
      }
    }
    findCenter([{ masses, x: start }], center);
    const passed = this.substeps - this.left;
    if (passed <= substep) this.pass(substep + 1 - passed, undefined);
    let decay = 1;
    for (let k = substep + 1; k < passed; k++) decay *= this.decay;
    for (let c = 0; c < 3; c++) {
      const [i, j] = [(c + 1) % 3, (c + 2) % 3];
      this.angular[c] += decay * (angular[c] - center[i] * push[j] + center[j] * push[i]);
    }
    // A blow may take energy, which is not given back.
    this.energy = 0;
  }

  /** At the end of the frame. @param isFrozen whether it turned non-finite @returns the energy that it gained by that [J] */
  end(isFrozen: boolean): number {
    const { body } = this;
    this.body = undefined;
    if (!body || isFrozen) return 0;
    this.pass(this.left, undefined);
    const released = this.stored - (this.solid?.stored ?? 0);
    const gained = this.energy + (Number.isFinite(released) ? released : 0) - motionOf(body);
    for (let c = 0; c < 3; c++) angular[c] = this.angular[c] - angular[c];
    return lengthAt(angular, 0) > ROUNDING * scale
      ? giveBack([body], angular, Math.max(0, gained), this.solid !== undefined)
      : 0;
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
function motionOf(body: Particles): number {
  const { masses, x, v } = body;
  const mass = findCenter([body], center);
  sumMotion([body], mean, angular, center);
  for (let c = 0; c < 3; c++) mean[c] /= mass;
  let [energy, extent, all] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const c = i % 3;
    const m = masses[(i - c) / 3];
    energy += 0.5 * m * (v[i] - mean[c]) ** 2;
    extent += m * (x[i] - center[c]) ** 2;
    all += m * v[i] ** 2;
  }
  scale = Math.sqrt(extent * all);
  return energy;
}
