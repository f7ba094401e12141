/**
 * Frames of cloth of GPBD in f32, by WebAssembly SIMD: as `CpuGpbdSolver`, which remains the reference in f64 and takes the frames that this
 * cannot. The state stays in f64 between frames and between substeps, so that a body may change from one to the other, and is as exact far
 * from the origin as near it: only displacements within a substep, and places beside the middle of the body, are in f32.
 */
import { boxOf } from "../../../geometry/box";
import { airAccelerations } from "../../face-air";
import type { Vec3 } from "../../../math/types";
import { pinHolds, pinLimit, type FrameInput, type PinTable } from "../../deformable";
import { airInterval } from "../external-forces";
import { sweepsAtOnce, termInterval, type GpbdOptions, type GpbdStepOptions } from "../options";
import { isInflated } from "../pressure/inflation";
import type { ProxyStage } from "../phases";
import { type ClothLayout, type ClothMemory, layOutCloth, RECORD } from "./cloth-memory";
import { packTerm, type PackedTerm } from "./pack-terms";
import { SimdContacts } from "./simd-contacts";
import type { SteppedCloth } from "./stepped-cloth";

/** Of a particle, as in assembly/cloth/tethers.ts. Tethers come as code of their own. */
const TETHERS = 4;
export class SimdCloth {
  private readonly layout: ClothLayout;
  private readonly contacts: SimdContacts;
  private readonly origin = new Float64Array(3);
  /** particles that pins hold in this frame, and how many there are */
  private readonly held = new Uint32Array(this.body.model.particleCount);
  private heldCount = 0;
  /** state in a frame, for the air */
  private readonly positions = new Float64Array(3 * this.body.model.particleCount);
  private readonly velocities = new Float64Array(3 * this.body.model.particleCount);
  /** displacements in f32 before a sweep, and then their change, particleCount × 3 [m] */
  private readonly change = new Float32Array(3 * this.body.model.particleCount);

  /** what the factors of bending in the memory were found for: W, and how many elements share the particle, for each */
  private readonly factored = { viscosity: -1, interval: 0, w: new Float32Array(2 * this.body.model.particleCount) };

  private constructor(
    private readonly memory: ClothMemory,
    private readonly body: SteppedCloth,
    readonly terms: readonly PackedTerm[],
  ) {
    const { particleCount } = body.model;
    this.layout = layOutCloth(
      particleCount,
      body.model.faces.length / 3,
      terms.map(({ blocks }) => blocks.byteLength),
    );
    this.contacts = new SimdContacts(memory, this.layout, body);
  }

  /** @returns undefined for a body that no kernel is for */
  static of(memory: ClothMemory, body: SteppedCloth): SimdCloth | undefined {
    const { model } = body;
    if (model.rods || model.tears || model.terms.length === 0 || model.masses.includes(0)) return undefined;
    const terms = model.terms.map((term) => packTerm(term, model.particleCount));
    return terms.includes(undefined) ? undefined : new SimdCloth(memory, body, terms as PackedTerm[]);
  }

  /** Whether it can take a frame. */
  serves(options: Readonly<GpbdOptions>, pins: PinTable): boolean {
    if (!this.servesTerms(options) || isInflated(options) || pins.range) return false;
    if (pins.proxies?.some((proxy) => proxy !== undefined)) return false;
    return !pins.limits || !pins.limits.some((_, p) => pinLimit(pins, p) > 0);
  }

  /** Steps a frame. @returns false, with the body as it was, where something is not finite in f32 */
  step(
    frame: FrameInput,
    options: Readonly<GpbdStepOptions>,
    pins: PinTable,
    proxies: ProxyStage | undefined,
  ): boolean {
    const { memory, layout, contacts } = this;
    const { kernels } = memory;
    const h = frame.dt / options.substeps;
    const reach = h / (1 + h * options.damping);
    const { pace = 1 } = frame;
    const fall = frame.gravity.map((g) => g * options.gravityFactor * h);
    this.load();
    this.begin(frame, options, pins);
    contacts.beginFrame(frame, options, h, this.origin);
    if (options.tetherSlack !== undefined) this.loadTethers(options.tetherSlack);
    const threads = options.threadSlack === undefined ? undefined : this.body.tethers!.threads;
    const packed = threads?.packed(memory, layout.end);
    packed?.load(layout.size);
    let stiffening = 1;
    for (let substep = 0; substep < options.substeps; substep++) {
      proxies?.move(substep);
      if (options.airDensity > 0 && substep % airInterval(options.substeps) === 0) this.blow(frame, options, h);
      kernels.predict(
        layout.end,
        layout.x,
        layout.v,
        layout.a,
        layout.m,
        this.origin[0]!,
        this.origin[1]!,
        this.origin[2]!,
        h,
        reach,
      );
      this.movePins(pins, 1 / (options.substeps - substep));
      if (options.swingDamping && substep % airInterval(options.substeps) === 0) stiffening = this.stiffening(options);
      contacts.beginSubstep();
      if (options.warmStart > 0) contacts.projectEarly(substep);
      this.sweep(options, substep, h, substep === 0, stiffening);
      if (options.tetherSlack !== undefined)
        kernels.hold(layout.end, layout.tethers, 1 + options.tetherSlack, this.body.tethers!.rest(h));
      packed?.hold(options.threadSlack!, threads!.rest(h));
      contacts.project(substep);
      if (proxies) contacts.meter();
      if (kernels.finish(layout.end, layout.x, layout.v, h, pace, reach / h, fall[0]!, fall[1]!, fall[2]!) === 0)
        return false;
      if (!proxies) continue;
      proxies.beginReactions();
      contacts.returnReactions(substep);
      proxies.endReactions();
    }
    this.write(this.body.state.positions, this.body.state.velocities);
    return true;
  }

  private servesTerms({ iterations, newtonIterations, method }: Readonly<GpbdOptions>): boolean {
    if (iterations > 1 || newtonIterations > 1) return false;
    return !this.terms.some(({ kind }) => !kind.endsWith("bending") && sweepsAtOnce(method, kind));
  }

  /**
   * Sweeps over all elements, from the positions of the body in a substep.
   *
   * @param h time step [s]
   * @param stiffening factor of the stiffness of a sheet
   * @returns false, with the body as it was, for options that it does not know, and where something is not finite in f32
   */
  projectTerms(options: Readonly<GpbdStepOptions>, substep: number, h: number, stiffening: number): boolean {
    if (!this.servesTerms(options)) return false;
    const { memory, body, change } = this;
    const { positions } = body.state;
    const { start, w } = body.scratch;
    this.load();
    this.center(start);
    this.shareBending(options);
    const { f32 } = memory;
    for (let p = 0; p < w.length; p++) {
      const at = (RECORD / 4) * p;
      f32[at + 3] = w[p]!;
      for (let c = 0; c < 3; c++) {
        const i = 3 * p + c;
        f32[at + c] = start[i] - this.origin[c];
        f32[at + 4 + c] = change[i] = positions[i] - start[i];
      }
    }
    this.sweep(options, substep, h, true, stiffening);
    let sum = 0;
    for (let p = 0; p < w.length; p++)
      for (let c = 0; c < 3; c++) sum += change[3 * p + c] = f32[(RECORD / 4) * p + 4 + c] - change[3 * p + c];
    if (!Number.isFinite(sum)) return false;
    // A pin stays at its exact place, as its particle does not change.
    for (let i = 0; i < positions.length; i++) positions[i] += change[i]!;
    return true;
  }

  /** Brings the elements into the memory, if another body was there. */
  private load(): void {
    const { memory, layout, terms } = this;
    memory.reserve(layout.size);
    if (memory.owner === this) return;
    memory.owner = this;
    this.factored.interval = 0;
    memory.u8.fill(0, 0, layout.terms[0]);
    terms.forEach(({ blocks }, k) => memory.u8.set(new Uint8Array(blocks), layout.terms[k]));
    const { faces, particleCount } = this.body.model;
    const { offsets } = this.body.topology.faceCorners;
    for (let p = 0; p < particleCount; p++) memory.f32[layout.shares / 4 + p] = 1 / (offsets[p + 1]! - offsets[p]!);
    for (let i = 0; 48 * Math.floor(i / 12) < layout.faceEnd - layout.faces; i++) {
      const at = layout.faces / 4 + 12 * Math.floor(i / 12) + 4 * (i % 3) + (Math.floor(i / 3) % 4);
      memory.u32[at] = RECORD * (faces[i] ?? particleCount);
    }
  }

  forget(): void {
    if (this.memory.owner === this) this.memory.owner = undefined;
  }

  private begin({ gravity }: FrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable): void {
    const { inertia = 1 } = options;
    const { memory, layout, body } = this;
    const { positions, velocities } = body.state;
    const { particleCount, masses } = body.model;
    const { f32, f64 } = memory;
    this.center(positions);
    f64.set(positions, layout.x / 8);
    this.shareBending(options);
    this.heldCount = 0;
    this.pull(gravity, options);
    for (let p = 0; p < particleCount; p++) {
      for (let c = 0; c < 3; c++) f32[layout.v / 4 + 4 * p + c] = velocities[3 * p + c]!;
      const isHeld = pinHolds(pins, p);
      if (isHeld) this.held[this.heldCount++] = p;
      f32[layout.m / 4 + p] = isHeld ? 0 : 1 / (inertia * masses[p]);
    }
  }

  private pull(gravity: Vec3, { gravityFactor }: Readonly<GpbdStepOptions>): void {
    const { memory, layout, body } = this;
    for (let p = 0, to = layout.a / 4; p < body.model.particleCount; p++, to += 4)
      for (let c = 0; c < 3; c++) memory.f32[to + c] = gravityFactor * gravity[c];
  }

  private center(positions: Float64Array): void {
    const { min, max } = boxOf(positions);
    for (let c = 0; c < 3; c++) this.origin[c] = 0.5 * (min[c] + max[c]);
  }

  /** Writes the number of elements of bending that share each particle. */
  private shareBending({ method }: Readonly<GpbdOptions>): void {
    const { memory, terms, body } = this;
    const bending = terms.find(({ kind }) => kind.endsWith("bending") && sweepsAtOnce(method, kind));
    for (let p = 0; p < body.model.particleCount; p++)
      memory.f32[(RECORD / 4) * p + 7] = bending ? bending.valence[p]! : 1;
  }

  /** The forces of the air, which change slowly. */
  private blow({ gravity }: FrameInput, options: Readonly<GpbdStepOptions>, h: number): void {
    const { layout, body, origin } = this;
    const { kernels, f32 } = this.memory;
    const { faceAir, airAcceleration } = body.scratch;
    const { faceCorners, arealMass } = body.topology;
    const { wind, airDensity, drag, lift, substeps, inertia = 1 } = options;
    const interval = airInterval(substeps) * h;
    const density = arealMass * inertia;
    const { positions, velocities } = this;
    this.pull(gravity, options);
    if (options.windField || body.spin) this.write(positions, velocities);
    if (options.windField) {
      const { faces } = body.model;
      airAccelerations(positions, velocities, faces, faceCorners, options, density, interval, faceAir, airAcceleration);
      for (let i = 0, to = layout.a / 4; i < airAcceleration.length; i += 3, to += 4)
        for (let c = 0; c < 3; c++) f32[to + c] += airAcceleration[i + c];
    } else {
      const { end, x, v, a, m, shares } = layout;
      // It writes the places of particles beside the origin.
      kernels.predict(end, x, v, a, m, origin[0]!, origin[1]!, origin[2]!, 0, 0);
      const k = (0.5 * airDensity) / density;
      kernels.blow(layout.faces, layout.faceEnd, v, a, shares, wind[0], wind[1], wind[2], k, drag, lift, interval);
      // Gravity, which is in it, has no moment about the center of mass.
      for (let i = 0, from = a / 4; body.spin && i < airAcceleration.length; i += 3, from += 4)
        for (let c = 0; c < 3; c++) airAcceleration[i + c] = f32[from + c]!;
    }
    body.spin?.blow(airInterval(substeps), positions, velocities, airAcceleration);
  }

  /** Brings the tethers of a frame into the memory. */
  private loadTethers(slack: number): void {
    const { memory, layout, body } = this;
    const { f32, u32 } = memory;
    const { anchors, lengths } = body.tethers!;
    for (let i = 0, at = layout.tethers / 4; i < anchors.length; i += TETHERS, at += 2 * TETHERS)
      for (let k = 0; k < TETHERS; k++) {
        const anchor = anchors[i + k];
        u32[at + k] = anchor < 0 ? layout.end : RECORD * anchor;
        f32[at + TETHERS + k] = anchor < 0 ? Infinity : (1 + slack) * lengths[i + k];
      }
  }

  private movePins(pins: PinTable, share: number): void {
    const { memory, layout, held, heldCount } = this;
    const { f32, f64 } = memory;
    const x = layout.x / 8;
    for (let i = 0; i < heldCount; i++) {
      const p = held[i];
      for (let c = 0; c < 3; c++)
        f32[(RECORD / 4) * p + 4 + c] = share * (pins.targets[3 * p + c] - f64[x + 3 * p + c]);
    }
  }

  private stiffening(options: Readonly<GpbdStepOptions>): number {
    const { layout, memory, body } = this;
    const { f32, f64 } = memory;
    const [firstPosition, firstVelocity] = [layout.x / 8, layout.v / 4];
    const particles = { positions: f64, velocities: f32, stride: 4, firstPosition, firstVelocity };
    return body.tethers!.stiffening(body.model, options, particles);
  }

  /** @param isFirst whether W may have changed since the last one */
  private sweep(
    options: Readonly<GpbdOptions>,
    substep: number,
    h: number,
    isFirst: boolean,
    stiffening: number,
  ): void {
    const { layout, terms } = this;
    const { kernels } = this.memory;
    const { relaxation, substeps } = options;
    for (let k = 0; k < terms.length; k++) {
      const { kind, blocks, colors, places, material } = terms[k];
      const interval = termInterval(kind, substeps);
      if (substep % interval !== 0) continue;
      const from = layout.terms[k];
      const end = from + blocks.byteLength;
      if (kind === "distance") kernels.springs(from, end, relaxation);
      else if (kind === "stvk-membrane") {
        const viscosity = material[4] / h;
        const [uu, uv, vv] = [stiffening * material[0], stiffening * material[1], stiffening * material[2]];
        kernels.membrane(from, end, uu, uv, vv, stiffening * material[3], viscosity, relaxation);
      } else {
        const isCurved = kind === "dihedral-bending" ? 1 : 0;
        const viscosity = material[0] / h;
        const { end: last, sums, scratch } = layout;
        if (isFirst && this.isNewTo(viscosity, interval))
          kernels.factor(from, end, places, viscosity, interval, isCurved);
        let at = from;
        for (const bytes of sweepsAtOnce(options.method, kind) ? [end - from] : colors) {
          kernels.placeAll(last, sums);
          kernels.bending(at, at + bytes, places, sums, scratch, viscosity, relaxation * interval, isCurved);
          kernels.gatherAll(last, sums);
          at += bytes;
        }
      }
    }
  }

  /** Whether factors of bending in the memory are not those of these values, and of the W that particles have. */
  private isNewTo(viscosity: number, interval: number): boolean {
    const { factored } = this;
    const { f32 } = this.memory;
    let isNew = factored.viscosity !== viscosity || factored.interval !== interval;
    Object.assign(factored, { viscosity, interval });
    for (let p = 0; p < this.body.model.particleCount; p++)
      for (let i = 0; i < 2; i++) {
        const value = f32[(RECORD / 4) * p + 3 + 4 * i]!;
        if (factored.w[2 * p + i] === value) continue;
        factored.w[2 * p + i] = value;
        isNew = true;
      }
    return isNew;
  }

  private write(positions: Float64Array, velocities: Float64Array): void {
    const { layout } = this;
    const { f32, f64 } = this.memory;
    const x = layout.x / 8;
    for (let i = 0; i < positions.length; i++) positions[i] = f64[x + i]!;
    for (let i = 0, from = layout.v / 4; i < velocities.length; i += 3, from += 4) {
      velocities[i] = f32[from]!;
      velocities[i + 1] = f32[from + 1]!;
      velocities[i + 2] = f32[from + 2]!;
    }
  }
}
