import { pushesOf } from "../../../collision/obstacles/contact-reaction";
import { ledSpeed, obstacleSpeed } from "../../../collision/obstacles/obstacle-motion";
import { type FrameInput, pinHolds, type PinTable } from "../../deformable";
import { addLoads, type Carried } from "../carried";
import { type CpuScratch, type CpuState, isUntouched } from "../cpu/cpu-state";
import type { GpbdModel } from "../model";
import type { GpbdOptions } from "../options";
import { gripShare } from "../phases";
import { pullPins } from "../pulls";
import { Waits } from "../cpu/waits";
import type { CpuInflation } from "../pressure/cpu-inflation";
import { CpuAccounts, type Partners, SUM } from "./cpu-account";
import { type Balance, type Drive, GUARD_LIFT, isGuarded, type Owned, storedEnergy } from "./energy-guard";
import { type PinMotion, pinMotion } from "./pin-motion";
import { pressing } from "./pushing-together";
import { RigidPart } from "./rigid-part";
import { FreeSpin } from "../cpu/free-spin";
import { Spin } from "./spin";
import { turnBack } from "./turn-back";
import { lengthOf } from "../../../math/vectors";

/** A body in a frame in which its energy is guarded. */
interface Guarded extends GuardedFrame {
  /** speed that obstacles may have by themselves in the frame, and that of all obstacles [m/s] */
  readonly led: number;
  readonly pushed: number;
  readonly motion: PinMotion | undefined;
}

/** A frame of a body. */
export interface GuardedFrame {
  readonly model: GpbdModel;
  readonly state: CpuState;
  readonly scratch: CpuScratch;
  readonly frame: FrameInput;
  readonly options: Readonly<GpbdOptions>;
  readonly pins: PinTable;
  /** substep [s] */
  readonly h: number;
  readonly carried: Carried | undefined;
  /** what is in it, under pressure */
  readonly inflation: CpuInflation | undefined;
}

/** The guard of a body's energy on the CPU, see energy-guard.ts. */
export class CpuGuard {
  /** substeps that had to be held back */
  guarded = 0;
  /** B [J]; infinite while nothing is known of it */
  budget = Infinity;
  /** elastic energy at the end of the last frame [J]; infinite while that is not known */
  stored = Infinity;
  /** part β of the substep's impulses that it may have */
  share = 1;
  /** part of the velocities that is left where no share will do: what held the body up has not been its own */
  scale = 1;
  /** whether they are scaled beside the rigid motion */
  keepsRigid = false;
  private rigid: RigidPart | undefined;
  /** volume inside when that was last looked at [m³] */
  private volume = NaN;
  private current: Guarded | undefined;
  /** velocity that gravity gives in the substep [m/s] */
  private fallen = 0;
  /** B of all that it steps with, before the substep */
  private had = 0;
  /** whether its surface may touch others or itself */
  private touches = false;
  /** see `addParticles` */
  private readonly given = new Float64Array(9);
  readonly sums = new Float64Array(10);
  /** the substep that was looked at last; −1 before the first of a frame */
  substep = -1;
  /** displacements by elements in the substep, n × 3 [m]; of a body that pins lead */
  private inner = new Float64Array();
  private readonly u = new Float64Array(3);
  /** 1 for each particle that pins held in the last frame */
  private wasHeld: Uint8Array | undefined;
  /** work of pulls in the substep [J] */
  private pull = 0;

  /** Pages without solids do not need these. */
  readonly pressing = pressing;
  readonly Waits = Waits;

  /** of the body by itself */
  readonly spin = new FreeSpin(this);

  makeSpin(solvers: ConstructorParameters<typeof Spin>[0], h: number): Spin {
    return new Spin(solvers, h);
  }

  /** Whether it guards the body in this frame, and knows what that has: nothing is held back before. */
  get isKnown(): boolean {
    return this.current !== undefined && this.budget < Infinity;
  }

  /** Whether it guards the body in this frame. */
  get isOn(): boolean {
    return this.current !== undefined;
  }

  /** The state that next frames depend on; nothing while nothing is known. */
  save(): readonly Float64Array[] {
    const { budget, stored, volume, wasHeld } = this;
    return budget < Infinity ? [Float64Array.of(budget, stored, volume), Float64Array.from(wasHeld ?? [])] : [];
  }

  load([[budget, stored, volume], held]: readonly Float64Array[]): void {
    this.budget = budget;
    this.stored = stored;
    this.volume = volume;
    this.wasHeld = held.length > 0 ? Uint8Array.from(held) : undefined;
  }

  /** Energy that it gets back after a frame [J]. */
  give(energy: number): void {
    this.budget += energy;
  }

  forget(): void {
    this.budget = Infinity;
    this.volume = NaN;
  }

  beginFrame(now: GuardedFrame): void {
    this.share = this.scale = 1;
    this.substep = -1;
    const { model, state, frame, pins, carried } = now;
    if (state.frozenAt > 0 || !isGuarded(model, pins)) {
      this.current = undefined;
      this.forget();
      return;
    }
    if (!now.inflation) this.volume = NaN;
    const { colliders, dt } = frame;
    const held: number[] = [];
    for (let p = 0; p < model.particleCount; p++) if (pinHolds(pins, p) && carried?.isCarried[p] !== 1) held.push(p);
    const isHeld = new Uint8Array(model.particleCount);
    for (const p of held) isHeld[p] = 1;
    // A particle that pins let go of goes on as they moved it.
    for (let p = 0; p < isHeld.length; p++)
      if (this.wasHeld?.[p] === 1 && isHeld[p] === 0) this.budget += kineticOf(model, state.velocities, p);
    this.wasHeld = held.length > 0 ? isHeld : undefined;
    const motion = held.length > 0 ? pinMotion(model, held, pins.targets, state.positions, dt) : undefined;
    this.current = { ...now, led: ledSpeed(colliders, dt), pushed: obstacleSpeed(colliders, dt), motion };
    if (motion && this.inner.length !== state.positions.length) this.inner = new Float64Array(state.positions.length);
    if (this.budget < Infinity) return;
    const { kinetic, elastic } = this.owned();
    this.budget = kinetic + elastic;
    this.stored = elastic;
  }

  /** Speed that obstacles may have by themselves in the frame [m/s]. */
  get led(): number {
    return this.current?.led ?? 0;
  }

  /** Whether pins lead the body: then it has to hear of what its elements do. */
  get isLed(): boolean {
    return this.current?.motion !== undefined;
  }

  /** After the prediction, with what elements and pressure have begun with. */
  predicted(): void {
    const { inflation } = this.current ?? {};
    if (inflation && Number.isNaN(this.volume)) this.volume = inflation.volume;
    if (!this.isLed) return;
    const { inner } = this;
    const { state, scratch, frame, options, h } = this.current!;
    const { positions: x, velocities: v } = state;
    const { start, airAcceleration } = scratch;
    const { damping, gravityFactor, airDensity } = options;
    const decay = 1 / (1 + h * damping);
    for (let i = 0; i < x.length; i++) {
      const force = gravityFactor * frame.gravity[i % 3] + (airDensity > 0 ? airAcceleration[i] : 0);
      inner[i] = x[i] - start[i] - h * decay * (v[i] + h * force);
    }
  }

  /** Before (−1) and after (1) a sweep over the elements. */
  swept(sign: -1 | 1): void {
    if (!this.isLed) return;
    const { positions } = this.current!.state;
    for (let i = 0; i < positions.length; i++) this.inner[i] += sign * positions[i];
  }

  /**
   * The accounts of bodies in a frame, after all of them have begun it.
   *
   * @param partners what else their surfaces may touch
   */
  open(guards: readonly CpuGuard[], partners?: Partners): CpuAccounts | undefined {
    const known = guards.filter(({ isOn }) => isOn);
    return known.length > 0 ? new CpuAccounts(known, known[0].current!.frame.colliders, partners) : undefined;
  }

  owned(): Owned {
    const { model, state, pins } = this.current!;
    const { positions, velocities } = state;
    let kinetic = 0;
    for (let p = 0; p < model.particleCount; p++) if (!pinHolds(pins, p)) kinetic += kineticOf(model, velocities, p);
    return { kinetic, elastic: storedEnergy(model, positions) };
  }

  /**
   * No particle moves further beside u in a substep h than it could if it had all of the energy, and fell, and obstacles pushed it [m]. If
   * surfaces may touch there is no such limit: the particles keep the places at which the surfaces are free of each other.
   */
  private reach(mass: number): number {
    if (this.touches) return Infinity;
    const { h, pushed } = this.current!;
    return h * (Math.sqrt((2 * this.had) / mass) + this.fallen + pushed);
  }

  /** Writes u of a particle. */
  private leadAt(p: number): void {
    const { u, substep } = this;
    const { motion, scratch, h } = this.current!;
    if (!motion) return;
    const { velocity: v, spin, centre: c } = motion;
    const time = substep * h;
    const { start } = scratch;
    const [x, y, z] = [
      start[3 * p] - c[0] - time * v[0],
      start[3 * p + 1] - c[1] - time * v[1],
      start[3 * p + 2] - c[2] - time * v[2],
    ];
    u[0] = v[0] + spin[1] * z - spin[2] * y;
    u[1] = v[1] + spin[2] * x - spin[0] * z;
    u[2] = v[2] + spin[0] * y - spin[1] * x;
  }

  /** Energy that pins may give beside their rigid motion; undefined where none moves. */
  get drive(): Drive | undefined {
    const { motion } = this.current!;
    return motion && { drive: motion.drive, blow: motion.blow, stored: this.stored };
  }

  /** Begins the look at a substep; returns Σ m (½ u² − u·ṽ), by which B is larger as seen from u [J]. */
  look(substep: number): number {
    this.substep = substep;
    this.pull = this.pullPins();
    const { model, state, scratch, frame, options, h, motion, carried } = this.current!;
    if (!motion) return 0;
    const { u } = this;
    const { velocities: v } = state;
    const decay = 1 / (1 + h * options.damping);
    let sum = 0;
    for (let p = 0; p < model.particleCount; p++) {
      if (scratch.w[p] === 0 || carried?.isCarried[p] === 1) continue;
      this.leadAt(p);
      for (let c = 0; c < 3; c++) {
        const before = decay * (v[3 * p + c] + h * options.gravityFactor * frame.gravity[c]);
        sum += model.masses[p] * u[c] * (0.5 * u[c] - before);
      }
    }
    return sum;
  }

  /** Pins that pull no harder than so much have the last word; returns their work [J]. */
  private pullPins(): number {
    const { pins, state, scratch, options } = this.current!;
    if (!pins.limits) return 0;
    const { positions: x } = state;
    const { start, w } = scratch;
    const before = x.slice();
    pullPins(pins, x, start, w, gripShare(this.substep, options.substeps));
    let work = 0;
    for (let i = 0; i < x.length; i++)
      if (x[i] !== before[i]) work += ((x[i] - before[i]) * (x[i] - start[i])) / w[Math.floor(i / 3)];
    return work;
  }

  /** Length of a substep [s]. */
  get h(): number {
    return this.current!.h;
  }

  get part(): number {
    return 1 / this.current!.options.substeps;
  }

  /**
   * Adds kinetic energy, as it depends on β, and where it may be beyond what is given.
   *
   * @param had B of all, as seen from u [J]
   * @param touches whether surfaces may touch
   */
  weigh(balance: Balance, had: number, touches: boolean): void {
    const { model, state, scratch, frame, options, h, led, motion, carried, inflation, pushed } = this.current!;
    const { gravity } = frame;
    const { damping, gravityFactor, airDensity, thickness } = options;
    const fallen = h * Math.abs(gravityFactor) * lengthOf(gravity[0], gravity[1], gravity[2]);
    this.fallen = fallen;
    this.had = had;
    this.touches = touches;
    let supply = this.pull;
    if (inflation) {
      supply += inflation.pressure * (inflation.volume - this.volume);
      this.volume = inflation.volume;
    }
    const { sums, given } = this;
    sums.fill(0);
    sums[SUM.supply] = supply;
    given[GIVEN.h] = h;
    given[GIVEN.decay] = 1 / (1 + h * damping);
    given[GIVEN.fallen] = fallen;
    given[GIVEN.pushed] = pushed;
    given[GIVEN.had] = had;
    given[GIVEN.led] = led;
    for (let c = 0; c < 3; c++) given[GIVEN.fall + c] = gravityFactor * gravity[c];
    this.u.fill(0);
    this.addParticles(
      model.masses,
      state.positions,
      state.velocities,
      scratch.start,
      scratch.w,
      airDensity > 0 ? scratch.airAcceleration : undefined,
      scratch.contact,
      scratch.movedByFaces,
      carried?.isCarried,
      motion !== undefined,
      touches,
    );
    const all = sums[SUM.mass];
    balance.e += sums[SUM.e];
    balance.a += sums[SUM.a];
    balance.c += sums[SUM.c];
    balance.limit += all * fallen * (fallen + (GUARD_LIFT * thickness) / h);
    sums[SUM.weight] = all * fallen;
  }

  /** The sums of `weigh` over all particles. It sees lists alone: a frame makes an object of its own, for which V8 would compile it anew. */
  private addParticles(
    masses: ArrayLike<number>,
    x: Float64Array,
    v: Float64Array,
    start: Float64Array,
    w: Float64Array,
    air: Float64Array | undefined,
    contact: Float64Array,
    movedByFaces: Float64Array,
    isCarried: ArrayLike<number> | undefined,
    isLed: boolean,
    touches: boolean,
  ): void {
    const { u, inner, sums, given } = this;
    const h = given[GIVEN.h];
    const decay = given[GIVEN.decay];
    const fallen = given[GIVEN.fallen];
    const pushed = given[GIVEN.pushed];
    const had = given[GIVEN.had];
    const led = given[GIVEN.led];
    let e = 0;
    let a = 0;
    let c = 0;
    let all = 0;
    let supply = sums[SUM.supply];
    let uu = 0;
    let uv = 0;
    let ud = 0;
    let outer = 0;
    for (let p = 0; p < masses.length; p++) {
      if (w[p] === 0 || isCarried?.[p] === 1) continue;
      const mass = masses[p];
      all += mass;
      if (isLed) this.leadAt(p);
      let within = 1;
      if (!touches) {
        const ux = x[3 * p] - start[3 * p] - h * u[0];
        const uy = x[3 * p + 1] - start[3 * p + 1] - h * u[1];
        const uz = x[3 * p + 2] - start[3 * p + 2] - h * u[2];
        const far = Math.sqrt(ux * ux + uy * uy + uz * uz);
        let blown = 0;
        if (air) {
          const ax = air[3 * p];
          const ay = air[3 * p + 1];
          const az = air[3 * p + 2];
          blown = h * h * Math.sqrt(ax * ax + ay * ay + az * az);
        }
        // As `reach` has it.
        const reach = h * (Math.sqrt((2 * had) / mass) + fallen + pushed);
        within = Math.min(1, (reach + blown) / (far > 0 ? far : 1));
      }
      for (let i = 3 * p; i < 3 * p + 3; i++) {
        const fall = given[GIVEN.fall + i - 3 * p];
        const force = air ? fall + air[i] : fall;
        const before = decay * (v[i] + h * fall);
        const way = x[i] - start[i];
        const change = way / h - before;
        const lead = u[i - 3 * p];
        e += 0.5 * mass * before * before;
        a += mass * before * change;
        c += 0.5 * mass * change * change;
        supply += mass * force * (within * (way - h * lead) + h * lead);
        if (!isLed) continue;
        uu += mass * lead * lead;
        uv += mass * lead * before;
        ud += mass * lead * change;
        outer += mass * lead * (change - inner[i] / h);
      }
      if (led > 0) {
        const cx = contact[4 * p];
        const cy = contact[4 * p + 1];
        const cz = contact[4 * p + 2];
        supply += ((led * mass) / h) * (Math.sqrt(cx * cx + cy * cy + cz * cz) + movedByFaces[p]);
      }
    }
    sums[SUM.e] = e;
    sums[SUM.a] = a;
    sums[SUM.c] = c;
    sums[SUM.mass] = all;
    sums[SUM.supply] = supply;
    sums[SUM.uu] = uu;
    sums[SUM.uv] = uv;
    sums[SUM.ud] = ud;
    sums[SUM.outer] = outer;
  }

  turnBack(): void {
    const { model, state, scratch, carried, frame, options } = this.current!;
    const inverseMasses = model.masses.map((mass, p) =>
      scratch.w[p] === 0 || carried?.isCarried[p] === 1 ? 0 : 1 / mass,
    );
    turnBack(model, { ...state, inverseMasses }, { ...frame, thickness: options.thickness });
  }

  /** Adds the impulses that proxies get: by contact, see `pushesOf`, and by what they carry. */
  addPushes(wrenches: Float64Array): void {
    const { scratch, state, h, carried } = this.current!;
    pushesOf(scratch.reaction, scratch.w, state.positions, h, wrenches);
    if (carried) addLoads(carried, state.positions, scratch.w, h, wrenches);
  }

  get isFree(): boolean {
    return isUntouched(this.current!.scratch);
  }

  addRigid(balance: Balance): boolean {
    const { model, state, scratch, frame, options, h, motion, carried } = this.current!;
    if (motion || carried) return false;
    const { positions: x } = state;
    const { start } = scratch;
    const decay = 1 / (1 + h * options.damping);
    const before = state.velocities.map((v, i) => decay * (v + h * options.gravityFactor * frame.gravity[i % 3]));
    const change = before.map((v, i) => (x[i] - start[i]) / h - v);
    (this.rigid ??= new RigidPart()).find(model.masses, x, [before, change], balance);
    return true;
  }

  /**
   * Velocities where a substep is held back, v = u + s (ṽ + β ((x − x⁻)/h − ṽ) − u) with the factor s, see energy-guard.ts. No particle
   * goes further than all of the energy could take it.
   */
  holdBack(): void {
    const { u, share, scale } = this;
    const { model, state, scratch, frame, options, h, carried } = this.current!;
    const { positions, velocities } = state;
    const { start, w } = scratch;
    const decay = 1 / (1 + h * options.damping);
    u.fill(0);
    for (let p = 0; p < model.particleCount; p++) {
      if (w[p] === 0 || carried?.isCarried[p] === 1) continue;
      this.leadAt(p);
      if (this.keepsRigid) this.rigid!.at(share, positions, p, u);
      const way = [0, 1, 2].map((c) => positions[3 * p + c] - start[3 * p + c]);
      const beside = lengthOf(way[0] - h * u[0], way[1] - h * u[1], way[2] - h * u[2]);
      const within = Math.min(1, this.reach(model.masses[p]) / (beside || 1));
      for (let c = 0; c < 3; c++) {
        const i = 3 * p + c;
        const before = decay * (velocities[i] + h * options.gravityFactor * frame.gravity[c]);
        velocities[i] = u[c] + scale * (before + share * (way[c] / h - before) - u[c]);
        if (within < 1) positions[i] = start[i] + h * u[c] + within * (way[c] - h * u[c]);
      }
    }
  }
}

/** Places of what `addParticles` is given, and of its sums. */
const GIVEN = { h: 0, decay: 1, fallen: 2, pushed: 3, had: 4, led: 5, fall: 6 } as const;

function kineticOf({ masses }: GpbdModel, v: ArrayLike<number>, p: number): number {
  return 0.5 * masses[p] * (v[3 * p] ** 2 + v[3 * p + 1] ** 2 + v[3 * p + 2] ** 2);
}
