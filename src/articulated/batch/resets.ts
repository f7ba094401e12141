import { checkList } from "../../checks";
import { invalid } from "../../errors";
import { shaders } from "../../generated/shaders/articulated";
import type { GpuContext } from "../../gpu/device";
import { Kernel } from "../../gpu/kernel";
import { checkWorldValues } from "./rows";

const noOffset = new Uint32Array(1);

/** Puts worlds of a batch back to their start. Kernels are made on demand. */
export class BatchResets {
  private listBuffer: GPUBuffer | undefined;
  private listed: Kernel | undefined;
  private byMarks: Kernel | undefined;

  constructor(
    private readonly context: GpuContext,
    private readonly buffers: Readonly<Record<"states" | "starts" | "marks" | "batch", GPUBuffer>>,
  ) {}

  /** Resets worlds of a list; see `BatchSimulation.reset`. */
  list(which: Uint32Array, nv: number, q?: ArrayLike<number>, qd?: ArrayLike<number>): void {
    const count = which.length;
    if (q === undefined && qd !== undefined)
      throw invalid("BatchSimulation.reset", "velocities alone", "must have positions too");
    const still = new Float32Array(nv);
    if (q !== undefined) {
      checkWorldValues(q, nv, count, "BatchSimulation.reset q");
      checkWorldValues(qd ?? still, nv, count, "BatchSimulation.reset qd");
    }
    if (count === 0) return;
    const data = new Uint32Array(2 + count + (q === undefined ? 0 : 2 * nv * count));
    data.set([count, q === undefined ? 0 : 1]);
    data.set(which, 2);
    if (q !== undefined) {
      const numbers = new Float32Array(data.buffer, 4 * (2 + count));
      for (let i = 0; i < count; i++)
        [q, qd ?? still].forEach((values, part) => {
          const from = values.length === nv ? 0 : i * nv;
          for (let k = 0; k < nv; k++) numbers[(2 * i + part) * nv + k] = values[from + k];
        });
    }
    this.submit(this.listKernel(data), count);
  }

  /** Resets the worlds that are marked. */
  marked(worlds: number): void {
    const { states, starts, marks, batch } = this.buffers;
    const bindings = { states, starts, marks, batch };
    this.byMarks ??= Kernel.create(this.context, name, shaders[name], "resetMarked", bindings);
    this.submit(this.byMarks, worlds);
  }

  dispose(): void {
    this.listBuffer?.destroy();
  }

  /** The kernel, with the list in its buffer, which grows as needed. */
  private listKernel(data: Uint32Array<ArrayBuffer>): Kernel {
    const { context } = this;
    const { states, starts, batch } = this.buffers;
    if (this.listBuffer === undefined || this.listBuffer.size < data.byteLength) {
      const buffer = context.createBuffer("batch resets", data);
      this.listBuffer?.destroy();
      this.listBuffer = buffer;
      const bindings = { states, starts, list: buffer, batch };
      this.listed = Kernel.create(context, name, shaders[name], "resetListed", bindings);
    } else context.device.queue.writeBuffer(this.listBuffer, 0, data);
    return this.listed!;
  }

  private submit(kernel: Kernel, threads: number): void {
    const { device } = this.context;
    const encoder = device.createCommandEncoder({ label: "Pliant batch" });
    const pass = encoder.beginComputePass({ label: "batch reset" });
    kernel.dispatch(pass, threads, noOffset);
    pass.end();
    device.queue.submit([encoder.finish()]);
  }
}

const name = "articulated/batch-reset";

/**
 * @param which numbers of worlds, or a list of true and false for all worlds
 * @returns numbers of worlds, each once
 * @throws PliantError for worlds that there are not
 */
export function listWorlds(which: ArrayLike<number> | readonly boolean[], worlds: number): Uint32Array {
  const object = "BatchSimulation.reset";
  checkList(which, object);
  const given: (number | boolean)[] = Array.from<number | boolean>(which);
  if (given.some((item) => typeof item === "boolean")) {
    if (given.length !== worlds) throw invalid(object, given.length, `must have ${worlds} entries, true or false`);
    return Uint32Array.from(given.flatMap((item, world) => (item ? [world] : [])));
  }
  const seen = new Set<number | boolean>();
  given.forEach((world, i) => {
    const isThere = Number.isInteger(world) && Number(world) >= 0 && Number(world) < worlds;
    if (!isThere || seen.has(world))
      throw invalid(`${object}[${i}]`, world, `must be a world below ${worlds}, listed once`);
    seen.add(world);
  });
  return Uint32Array.from(given as number[]);
}
