import { unsupported } from "../../../errors";
import { buildIncidence, type Incidence } from "../../../geometry/surface/incidence";
import type { VertexSplit } from "../../../geometry/surface/torn-surface";
import { shaders } from "../../../generated/shaders/gpbd";
import * as structs from "../../../generated/structs";
import type { GpuContext } from "../../../gpu/device";
import { Kernel, type Bindings, type ReflectedModule } from "../../../gpu/kernel";
import { StructWriter } from "../../../gpu/struct";
import { accelerationWeights } from "../acceleration";
import { definedShader } from "./defined/defined-shader";
import type { MergedBuffers, MergedWarmStart, SolidShader, WarmStart } from "./solids/solid-shader";
import { packElements, packMaterial, packTable, usedPlaces } from "./gpu-elements";
import { hasSameElements, isSolid, termLayout, type EnergyTerm, type GpbdModel } from "../model";
import { sweepsAtOnce, termInterval, type GpbdOptions } from "../options";
import type { TermStiffness } from "../term-stiffness";

/** Buffers that all terms of a body share. */
export interface SharedBuffers {
  readonly start: GPUBuffer;
  readonly displacement: GPUBuffer;
  readonly step: GPUBuffer;
  /** a `GuardState` */
  readonly guard: GPUBuffer;
}

/** A term as a sweep has it. */
export interface TermParts {
  /** as the kernel of its kind has them */
  readonly elements: Uint8Array;
  readonly incidence: Incidence;
  /** see `EnergyTerm`; one where all are swept at once */
  readonly colours: Uint32Array;
  readonly isAtOnce: boolean;
  /** substeps from one sweep to the next */
  readonly interval: number;
  /** see `usedPlaces` */
  readonly places: number;
}

/** Bytes between slots of a uniform with dynamic offset (minUniformBufferOffsetAlignment of every device). */
export const uniformSlot = 256;

/** One energy term on the GPU: element data, tracked displacements, kernels. */
export class GpuTerm {
  readonly elements: GPUBuffer;
  private readonly tracked = this.room("tracked displacements", this.term.indices.length);
  /** of Jacobi alone */
  private deltas = this.room("Jacobi shares", 1);
  /** of solids alone, see warm-start.wgsl */
  private readonly elastic = this.room("elastic displacements", isSolid(this.term.kind) ? this.model.particleCount : 1);
  private readonly incidenceOffsets: GPUBuffer;
  private readonly incidenceEntries: GPUBuffer;
  private ranges: GPUBuffer;
  material: GPUBuffer = packMaterial(this.context, this.label, this.term);
  /** of `hylc` alone */
  private table = packTable(this.context, this.label, this.term);
  /** kernel of an energy of one's own */
  private readonly defined: ReturnType<typeof definedShader> | undefined;
  private readonly solid: SolidShader | undefined;
  private readonly offsets = new Uint32Array(2);
  /** iterations that are accelerated, and the time step that their weights are for [s] */
  private accelerated = 0;
  private acceleratedFor = 0;
  private stiffness: TermStiffness | undefined;
  private solve: Kernel | undefined;
  private gather: Kernel | undefined;
  private warm: WarmStart | undefined;
  private energy: Kernel | undefined;

  constructor(
    private readonly context: GpuContext,
    private model: GpbdModel,
    private term: EnergyTerm,
    private readonly shared: SharedBuffers,
    /** kernels of tetrahedra: the page has none where nobody needs them */
    solidShader?: (term: EnergyTerm) => SolidShader | undefined,
  ) {
    const { label } = this;
    this.solid = solidShader?.(term);
    this.defined = term.energy && !this.solid ? definedShader(term.energy) : undefined;
    const incidence = buildIncidence(term.indices, model.particleCount);
    this.elements = context.createBuffer(`${label} elements`, this.pack(term, incidence));
    this.incidenceOffsets = context.createBuffer(`${label} incidence offsets`, incidence.offsets);
    this.incidenceEntries = context.createBuffer(`${label} incidence entries`, incidence.entries);
    this.ranges = context.createUniformBuffer(`${label} ranges`, this.rangeCount * uniformSlot);
  }

  private get label(): string {
    return `${this.model.name} ${this.term.kind}`;
  }

  private room(what: string, vectors: number): GPUBuffer {
    return this.context.createBuffer(`${this.label} ${what}`, 16 * vectors);
  }

  /** Whether a term has the same elements and kernels, so that `replace` can take it over. */
  isAlike(term: EnergyTerm): boolean {
    return term.kind === this.term.kind && term.energy === this.term.energy && hasSameElements(term, this.term);
  }

  /** Takes over rest data and material of a term that is alike. `configure` has to follow. */
  replace(model: GpbdModel, term: EnergyTerm): void {
    const { context, material, table } = this;
    const label = `${model.name} ${term.kind}`;
    this.material = packMaterial(context, label, term);
    this.table = packTable(context, label, term);
    material.destroy();
    table?.destroy();
    const bytes = this.pack(term, buildIncidence(term.indices, model.particleCount));
    context.device.queue.writeBuffer(this.elements, 0, bytes as Uint8Array<ArrayBuffer>);
    this.model = model;
    this.term = term;
    this.stiffness = undefined;
  }

  private pack(term: EnergyTerm, incidence: Incidence): Uint8Array {
    return this.solid ? new Uint8Array(this.solid.pack(term, incidence)) : packElements(term, incidence);
  }

  /** For a kernel that sweeps several terms. */
  parts(options: Readonly<GpbdOptions>): TermParts {
    const { term } = this;
    const { kind, colours, elementCount } = term;
    const incidence = buildIncidence(term.indices, this.model.particleCount);
    const isAtOnce = sweepsAtOnce(options.method, kind);
    return {
      elements: this.pack(term, incidence),
      incidence,
      colours: isAtOnce ? Uint32Array.of(0, elementCount) : colours,
      isAtOnce,
      interval: termInterval(kind, options.substeps),
      places: usedPlaces(term),
    };
  }

  /** Invocations for so many elements. */
  private invocations(elements: number): number {
    return elements / (this.solid?.unit ?? 1);
  }

  /** All elements, then every colour; each for the first and for later iterations. Accelerated ones are after them. */
  private get rangeCount(): number {
    return 2 * this.term.colours.length;
  }

  /** @returns accelerated iterations; 0 for none */
  private acceleratedOf({ accelerate, iterations, method }: Readonly<GpbdOptions>): number {
    const { kind } = this.term;
    return accelerate && iterations > 1 && isSolid(kind) && sweepsAtOnce(method, kind) ? iterations : 0;
  }

  /** To be called before the sweeps of a frame, after `configure`: weights depend on the time step. */
  accelerate(options: Readonly<GpbdOptions>, h: number): void {
    const count = this.accelerated;
    if (count === 0 || h === this.acceleratedFor) return;
    this.acceleratedFor = h;
    const { term, model } = this;
    const { offsets } = buildIncidence(term.indices, model.particleCount);
    const { stiffness, viscosity } = (this.stiffness ??= this.solid!.stiffness(term, model.masses, offsets));
    const weights = { share: 1, momentum: 0 };
    const writer = new StructWriter(structs.ElementRange, count, uniformSlot);
    for (let iteration = 0; iteration < count; iteration++) {
      accelerationWeights(iteration, count, (stiffness * h + viscosity) * h, weights);
      this.writeRange(writer, iteration, 0, iteration > 0, options);
      writer.set(iteration, "share", weights.share);
      writer.set(iteration, "momentum", weights.momentum);
    }
    this.context.device.queue.writeBuffer(this.ranges, this.rangeCount * uniformSlot, writer.bytes);
  }

  /** To be called when method, iterations or Newton iterations change, or a shared buffer was replaced. */
  configure(shared: SharedBuffers, options: Readonly<GpbdOptions>): void {
    this.accelerated = this.acceleratedOf(options);
    this.acceleratedFor = 0;
    const size = (this.rangeCount + this.accelerated) * uniformSlot;
    if (this.ranges.size !== size) {
      this.ranges.destroy();
      this.ranges = this.context.createUniformBuffer(`${this.model.name} ${this.term.kind} ranges`, size);
    }
    const writer = new StructWriter(structs.ElementRange, this.rangeCount, uniformSlot);
    for (let slot = 0; slot < this.rangeCount; slot++)
      this.writeRange(writer, slot, slot >> 1, slot % 2 === 1, options);
    this.context.device.queue.writeBuffer(this.ranges, 0, writer.bytes);
    const shares = sweepsAtOnce(options.method, this.term.kind) ? this.term.indices.length : 1;
    if (this.deltas.size !== 16 * shares) {
      this.deltas.destroy();
      this.deltas = this.context.createBuffer(`${this.term.kind} Jacobi shares`, 16 * shares);
    }
    this.createKernels({ ...this.shared, ...shared }, options);
  }

  /** @param range 0 for all elements, else a colour from 1 */
  private writeRange(
    writer: StructWriter<typeof structs.ElementRange>,
    slot: number,
    range: number,
    isLater: boolean,
    options: Readonly<GpbdOptions>,
  ): void {
    const { kind, colours, elementCount } = this.term;
    const first = range === 0 ? 0 : colours[range - 1];
    const last = range === 0 ? elementCount : colours[range];
    const isWarm = options.warmStart > 0 && isSolid(kind);
    writer.set(slot, "first", this.invocations(first));
    writer.set(slot, "count", this.invocations(last - first));
    writer.set(slot, "loadTracked", isLater ? 1 : isWarm ? 2 : 0);
    writer.set(slot, "storeTracked", options.iterations > 1 || isWarm ? 1 : 0);
    writer.set(slot, "interval", termInterval(kind, options.substeps));
  }

  private createKernels(shared: SharedBuffers, options: Readonly<GpbdOptions>): void {
    const { context } = this;
    const { tracked, deltas, elastic, incidenceOffsets, elements, material, ranges } = this;
    const { start, displacement, step, guard } = shared;
    const all = {
      start,
      displacement,
      tracked,
      deltas,
      elastic,
      incidenceOffsets,
      elements,
      material,
      step,
      guard,
      range: ranges,
    };
    const isWarm = options.warmStart > 0 && isSolid(this.term.kind);
    const tracking = { isTracked: Number(options.iterations > 1 || isWarm) };
    const newton = { ...tracking, newtonIterations: options.newtonIterations };
    const jacobi = sweepsAtOnce(options.method, this.term.kind);
    const create = <M extends TermModule>(
      name: string,
      module: M,
      bindings: Bindings<M, "gaussSeidel"> & Bindings<M, "jacobi">,
      constants?: Record<string, number>,
    ): Kernel =>
      jacobi
        ? Kernel.create(context, name, module, "jacobi", bindings, constants)
        : Kernel.create(context, name, module, "gaussSeidel", bindings, constants);
    const { kind } = this.term;
    const solid = {
      ...newton,
      isDamped: Number(this.term.material[this.term.energy?.parameterValues.length ?? 4] > 0),
      isWarm: Number(isWarm),
      isAccelerated: Number(this.accelerated > 0),
    };
    const name = `gpbd/${kind}` as const;
    if (this.solid) this.solve = this.solid.sweep(context, jacobi, all, solid);
    else if (this.defined) this.solve = create(this.defined.name, this.defined.module, all, newton);
    else if (kind === "distance") this.solve = create(name, shaders["gpbd/elements/distance"], all, tracking);
    else if (kind === "stvk-membrane") this.solve = create(name, shaders["gpbd/elements/stvk-membrane"], all, newton);
    else if (kind === "neo-hookean-membrane")
      this.solve = create(name, shaders["gpbd/elements/neo-hookean-membrane"], all, newton);
    else if (kind === "hylc")
      this.solve = create(name, shaders["gpbd/hylc/hylc"], { ...all, table: this.table! }, newton);
    else if (kind === "isometric-bending" || kind === "dihedral-bending") {
      const isDamped = Number(this.term.material[0] > 0);
      const isCurved = Number(kind === "dihedral-bending");
      const isTurning = Math.max(isDamped, isCurved, tracking.isTracked);
      const bending = {
        ...tracking,
        isAtOnce: Number(jacobi),
        isDamped,
        isCurved,
        isTurning,
        places: usedPlaces(this.term),
      };
      this.solve = create(name, shaders["gpbd/elements/sheet-bending"], all, bending);
    } else throw unsupported(`${this.model.name} ${kind}`, "no energy", "needs one of its own");
    const { incidenceEntries } = this;
    this.gather = jacobi
      ? Kernel.create(
          context,
          "gpbd/gather",
          shaders["gpbd/gather"],
          "gather",
          { ...all, incidenceEntries },
          { isWarm: Number(isWarm) },
        )
      : undefined;
    this.warm = isWarm ? this.solid?.warmStart(context, all) : undefined;
  }

  /** Kernels of its body that take along those of its warm start; undefined without one. After `configure`. */
  mergedWarmStart(buffers: MergedBuffers, kinds: Record<string, number>): MergedWarmStart | undefined {
    return this.warm && this.solid!.mergedWarmStart(this.context, { ...buffers, elastic: this.elastic }, kinds);
  }

  /** Of tetrahedra. After `configure`. @param energies gets the energy of each element [J] */
  configureEnergy(energies: GPUBufferBinding): void {
    const { elements, material, ranges: range, shared } = this;
    const { step } = shared;
    const all = { start: shared.start, elements, material, range, step, energies };
    this.energy = this.solid!.energy(this.context, all);
  }

  /** Of tetrahedra: their elements, and the first of each color and their number; undefined for quadratic ones. */
  get tetrahedra(): { readonly elements: GPUBuffer; readonly colors: Uint32Array } | undefined {
    const { elements, term } = this;
    return this.solid?.unit === 1 ? { elements, colors: Uint32Array.from(term.colours) } : undefined;
  }

  /** At the start of a frame. */
  dispatchEnergy(pass: GPUComputePassEncoder): void {
    this.offsets[0] = this.offsets[1] = 0;
    this.energy!.dispatch(pass, this.invocations(this.term.elementCount), this.offsets);
  }

  /** After the prediction, before the first sweep of a substep. */
  begin(pass: GPUComputePassEncoder, substep: number, particleCount: number): void {
    this.offsets[0] = substep * uniformSlot;
    this.offsets[1] = 0;
    this.warm?.start.dispatch(pass, particleCount, this.offsets);
  }

  /**
   * One sweep; what it moves particles by is what they start the next substep with.
   *
   * @param isBare whether contact takes along what else there is to do
   */
  dispatch(
    pass: GPUComputePassEncoder,
    substep: number,
    iteration: number,
    particleCount: number,
    isBare: boolean,
  ): void {
    const exchange = isBare ? undefined : this.warm?.exchange;
    this.offsets[0] = substep * uniformSlot;
    exchange?.dispatch(pass, particleCount, this.offsets);
    this.sweep(pass, substep, iteration, particleCount);
    exchange?.dispatch(pass, particleCount, this.offsets);
  }

  /** A dispatch a colour, or for those of all elements of cells, or one over all elements and a gather. */
  private sweep(pass: GPUComputePassEncoder, substep: number, iteration: number, particleCount: number): void {
    const { colours, elementCount, cell = 1 } = this.term;
    const later = iteration > 0 ? 1 : 0;
    this.offsets[0] = substep * uniformSlot;
    if (this.gather) {
      const range = this.accelerated > 0 ? this.rangeCount + iteration : later;
      this.offsets[1] = range * uniformSlot;
      this.solve!.dispatch(pass, this.invocations(elementCount), this.offsets);
      this.gather.dispatch(pass, particleCount, this.offsets);
      return;
    }
    for (let range = 1; range < colours.length; range += cell) {
      this.offsets[1] = (2 * range + later) * uniformSlot;
      this.solve!.dispatch(pass, this.invocations(colours[range] - colours[range - 1]), this.offsets);
    }
  }

  /**
   * Takes over elements that have changed in the model, and what has changed around the vertices that came apart. All before and
   * after them stays as it is.
   */
  rewrite(elements: readonly number[], splits: readonly VertexSplit[]): void {
    const { term, model } = this;
    const { queue } = this.context.device;
    const incidence = buildIncidence(term.indices, model.particleCount);
    queue.writeBuffer(this.incidenceOffsets, 0, incidence.offsets as Uint32Array<ArrayBuffer>);
    queue.writeBuffer(this.incidenceEntries, 0, incidence.entries as Uint32Array<ArrayBuffer>);
    const { arity, rest } = termLayout[term.kind];
    const changed = new Set(elements);
    // Hinges know how many there are at their vertices.
    for (const vertex of splits.flatMap(({ from, to }) => [from, to]))
      for (let i = incidence.offsets[vertex]; i < incidence.offsets[vertex + 1]; i++)
        changed.add(Math.floor(incidence.entries[i] / arity));
    const list = Uint32Array.from(changed).sort();
    const indices = new Uint32Array(arity * list.length);
    const restOf = new Float64Array(rest * list.length);
    list.forEach((e, i) => {
      indices.set(term.indices.subarray(e * arity, (e + 1) * arity), i * arity);
      restOf.set(term.rest.subarray(e * rest, (e + 1) * rest), i * rest);
    });
    const bytes = packElements({ ...term, elementCount: list.length, indices, rest: restOf }, incidence);
    const stride = this.elements.size / term.elementCount;
    // Elements that follow each other are one write.
    for (let first = 0, end = 1; first < list.length; first = end++) {
      while (end < list.length && list[end] === list[end - 1] + 1) end++;
      const written = (end - first) * stride;
      queue.writeBuffer(this.elements, list[first] * stride, bytes as Uint8Array<ArrayBuffer>, first * stride, written);
    }
  }

  /** element × arity, four numbers each: dᵢ [m] after the last iteration, kept when there is more than one. */
  get trackedBuffer(): GPUBuffer {
    return this.tracked;
  }

  dispose(): void {
    const { elements, tracked, deltas, elastic, incidenceOffsets, incidenceEntries } = this;
    for (const buffer of [elements, tracked, deltas, elastic, incidenceOffsets, incidenceEntries]) buffer.destroy();
    this.ranges.destroy();
    this.material.destroy();
    this.table?.destroy();
  }
}

type TermModule = ReflectedModule & {
  readonly entryPoints: Record<"gaussSeidel" | "jacobi", ReflectedModule["entryPoints"][string]>;
};
