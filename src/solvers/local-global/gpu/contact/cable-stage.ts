/** Cables of a group on the GPU: what the kernels of cables.wgsl are told of them. Twin of `CableRows`. */
import * as structs from "../../../../generated/structs";
import type { GpuContext } from "../../../../gpu/device";
import { StructWriter } from "../../../../gpu/struct";
import { type CableState, stretchedCables } from "../../contact/cable";
import type { GroupBody } from "../../body/group-body";
import { firstVertices } from "../tables";

const NO_VERTEX = 0xffffffff;
/** `KIND_CABLE` and `KIND_PUSHING_CABLE` of contact/layout.wgsl */
const PULLS = 1;
const PUSHES = 2;

export class GpuCables {
  /** changes when the buffers were replaced */
  version = 0;
  /** those all of whose bodies are in the group */
  list: readonly CableState[] = [];
  /** records that they have among the contacts, which come first: one a segment */
  records = 0;
  buffers;
  private writer = new StructWriter(structs.LocalGlobalCable, 1);

  constructor(
    private readonly context: GpuContext,
    private readonly bodies: readonly GroupBody[],
  ) {
    this.buffers = this.create(1, new Uint8Array(structs.CablePoint.size));
  }

  /** At the beginning of a frame. */
  update(all: readonly CableState[]): void {
    const { list, bodies, context } = this;
    const next = stretchedCables(all, bodies);
    if (next.length !== list.length || next.some((cable, k) => cable !== list[k])) this.replace(next);
    next.forEach(({ length }, k) => this.writer.set(k, "length", length ?? -1));
    if (next.length > 0) context.device.queue.writeBuffer(this.buffers.cables, 0, this.writer.bytes);
  }

  /** Values of S in the columns of their vertices, and entries of A⁻¹ with other touched ones, at most. */
  get values(): number {
    const { list, bodies } = this;
    const count = list.reduce((sum, { points }) => sum + points.length, 0);
    let values = 0;
    for (const { points } of list)
      for (const point of points) {
        if (!("body" in point)) continue;
        const { surface, system, pinSolver } = bodies.find(({ model }) => model === point.body.model)!;
        const { tree, place } = system.inverse;
        values += tree.depth[place[point.vertex]] + pinSolver.vertices.length + 2 * surface.length + count;
      }
    return values;
  }

  dispose(): void {
    for (const buffer of Object.values(this.buffers)) buffer.destroy();
  }

  private replace(next: readonly CableState[]): void {
    const { bodies } = this;
    this.dispose();
    this.list = next;
    this.version++;
    const first = firstVertices(bodies);
    const firstOf = new Map<unknown, number>(bodies.map(({ model }, b) => [model, first[b]]));
    const pointCount = next.reduce((sum, { points }) => sum + points.length, 0);
    const points = new StructWriter(structs.CablePoint, Math.max(1, pointCount));
    const states = new StructWriter(structs.LocalGlobalCableState, Math.max(1, next.length));
    this.writer = new StructWriter(structs.LocalGlobalCable, Math.max(1, next.length));
    this.records = 0;
    let at = 0;
    next.forEach((cable, k) => {
      this.writer.set(k, "firstRecord", this.records);
      this.writer.set(k, "firstPoint", at);
      this.writer.set(k, "pointCount", cable.points.length);
      this.writer.set(k, "kind", cable.pushes ? PUSHES : PULLS);
      this.writer.set(k, "compliance", cable.compliance);
      states.set(k, "tension", cable.tension);
      this.records += cable.points.length - 1;
      for (const point of cable.points) {
        const isFixed = !("body" in point);
        points.set(at, "vertex", isFixed ? NO_VERTEX : firstOf.get(point.body.model)! + point.vertex);
        // one with rigid bodies on its way is solved on the CPU
        if (isFixed && !("arm" in point)) points.set(at, "place", point);
        at++;
      }
    });
    this.buffers = this.create(Math.max(1, next.length), new Uint8Array(points.bytes));
    this.context.device.queue.writeBuffer(this.buffers.cableStates, 0, states.bytes);
  }

  private create(count: number, points: Uint8Array) {
    const make = (what: string, data: ArrayBufferView | number): GPUBuffer =>
      this.context.createBuffer(`local-global ${what}`, data);
    return {
      cables: make("cables", structs.LocalGlobalCable.size * count),
      cablePoints: make("points of cables", points),
      cableStates: make("states of cables", structs.LocalGlobalCableState.size * count),
    };
  }
}
