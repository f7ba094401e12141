/** Air that moves past the bodies of a group: what it adds to their predictions. Twin of `SurfaceAir` in air.ts. */
import { shaders } from "../../../generated/shaders/local-global";
import * as structs from "../../../generated/structs";
import { buildIncidence } from "../../../geometry/surface/incidence";
import type { GpuContext } from "../../../gpu/device";
import { KernelMaker } from "../../../gpu/kernel";
import { StructWriter } from "../../../gpu/struct";
import { arealMass } from "../../face-air";
import { GpuWind } from "../../wind/gpu-wind";
import type { GroupBody } from "../body/group-body";
import type { GpuSubstep, LocalGlobalBuffers } from "./buffers";
import { firstVertices } from "./tables";

export class GpuAirStage {
  /** whether any of the bodies feels the air in this frame */
  private isFelt = false;
  private readonly airs: StructWriter<typeof structs.LocalGlobalAir>;
  private made: ReturnType<GpuAirStage["make"]> | undefined;
  private readonly offsets = new Uint32Array(1);

  constructor(
    private readonly context: GpuContext,
    private readonly system: LocalGlobalBuffers,
    private readonly bodies: readonly GroupBody[],
  ) {
    this.airs = new StructWriter(structs.LocalGlobalAir, bodies.length);
    bodies.forEach(({ model }, b) => this.airs.set(b, "arealMass", arealMass(model)));
  }

  /** Writes wind and air of each body for this frame. */
  write(): void {
    const { airs, bodies } = this;
    this.isFelt = bodies.some(({ options, model }) => options.airDensity > 0 && model.faces.length > 0);
    if (!this.isFelt) return;
    bodies.forEach(({ options: { wind, airDensity, drag, lift } }, b) => {
      airs.set(b, "wind", wind);
      airs.set(b, "airDensity", airDensity);
      airs.set(b, "drag", drag);
      airs.set(b, "lift", lift);
    });
    this.made ??= this.make();
    this.context.device.queue.writeBuffer(this.made.buffers.airs, 0, airs.bytes);
    // All bodies of a world have the same.
    this.made.wind.write(bodies.find(({ options }) => options.airDensity > 0)?.options.windField);
  }

  /** Buffers that the host writes for every frame. */
  get inputs(): readonly GPUBuffer[] {
    return this.made ? [this.made.buffers.airs] : [];
  }

  /** After `predict` of a substep. */
  encode({ recorder, offset }: GpuSubstep): void {
    if (!this.isFelt) return;
    const { airOnFaces, airOnVertices, faceCount } = this.made!;
    this.offsets[0] = offset;
    airOnFaces.dispatch(recorder.stage("air"), faceCount, this.offsets);
    airOnVertices.dispatch(recorder.stage("air"), this.system.vertexCount, this.offsets);
  }

  dispose(): void {
    for (const buffer of Object.values(this.made?.buffers ?? {})) buffer.destroy();
    this.made?.wind.buffer.destroy();
  }

  /** Only worlds with air have buffers for it. */
  private make() {
    const { context, system, bodies, airs } = this;
    const first = firstVertices(bodies);
    const corners = bodies.flatMap(({ model }, b) => Array.from(model.faces, (v) => first[b] + v));
    const faces = bodies.flatMap(({ model }, b) => new Array<number>(model.faces.length / 3).fill(b));
    const { offsets, entries } = buildIncidence(Uint32Array.from(corners), system.vertexCount);
    const create = (what: string, data: ArrayBufferView | number): GPUBuffer =>
      context.createBuffer(`local-global air ${what}`, data);
    const buffers = {
      airFaces: create("faces", Uint32Array.from(faces.flatMap((b, f) => [...corners.slice(3 * f, 3 * f + 3), b]))),
      faceOffsets: create("face offsets", offsets),
      faceEntries: create("face entries", entries),
      faceAir: create("on faces", 16 * faces.length),
      airs: create("options", airs.bytes.byteLength),
    };
    const wind = new GpuWind(context, "local-global");
    const { vertexCount: _vertexCount, bodyCount: _bodyCount, chunks: _chunks, ...shared } = system;
    const all = { ...shared, ...buffers, windField: wind.buffer };
    const make = new KernelMaker(context, shaders);
    return {
      buffers,
      wind,
      faceCount: faces.length,
      ...make.some("local-global/step/air", ["airOnFaces", "airOnVertices"], all),
    };
  }
}
