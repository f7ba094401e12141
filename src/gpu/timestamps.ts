import type { GpuContext } from "./device";

/** Times labeled passes of a frame with timestamp queries, if the device has them. */
export class PassTimer {
  private readonly querySet: GPUQuerySet;
  private readonly resolveBuffer: GPUBuffer;
  private readonly labels: string[] = [];
  private recorded: { labels: readonly string[]; untimed: number } = { labels: [], untimed: 0 };
  private untimed = 0;

  /** A query set holds at most 4096 queries, two a pass. */
  static readonly maxPasses = 2048;

  private constructor(private readonly context: GpuContext) {
    const { device } = context;
    const count = 2 * PassTimer.maxPasses;
    this.querySet = device.createQuerySet({ label: "pass times", type: "timestamp", count });
    this.resolveBuffer = device.createBuffer({
      label: "pass times",
      size: 8 * count,
      usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
    });
  }

  /** @returns undefined if the device has no timestamp queries */
  static create(context: GpuContext): PassTimer | undefined {
    return context.device.features.has("timestamp-query") ? new PassTimer(context) : undefined;
  }

  beginFrame(): void {
    this.labels.length = 0;
    this.untimed = 0;
  }

  /** Timestamp writes for the next pass; undefined once the query set is full: further passes run untimed. */
  pass(label: string): GPUComputePassTimestampWrites | undefined {
    const index = this.labels.length;
    if (index >= PassTimer.maxPasses) {
      this.untimed++;
      return undefined;
    }
    this.labels.push(label);
    return { querySet: this.querySet, beginningOfPassWriteIndex: 2 * index, endOfPassWriteIndex: 2 * index + 1 };
  }

  endFrame(encoder: GPUCommandEncoder): void {
    if (this.labels.length > 0)
      encoder.resolveQuerySet(this.querySet, 0, 2 * this.labels.length, this.resolveBuffer, 0);
    this.recorded = { labels: this.labels.slice(), untimed: this.untimed };
  }

  /**
   * Milliseconds by label in the last submitted frame, summed over passes of the same label. If the query set was full,
   * `passes not timed` is the number of passes left out.
   */
  async read(): Promise<Record<string, number>> {
    const { labels, untimed } = this.recorded;
    const { device } = this.context;
    const staging = device.createBuffer({
      size: Math.max(16, 16 * labels.length),
      usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    });
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(this.resolveBuffer, 0, staging, 0, 16 * labels.length);
    device.queue.submit([encoder.finish()]);
    await staging.mapAsync(GPUMapMode.READ);
    const stamps = new BigUint64Array(staging.getMappedRange().slice(0));
    staging.destroy();
    const times: Record<string, number> = {};
    labels.forEach((label, i) => {
      times[label] = (times[label] ?? 0) + Number(stamps[2 * i + 1] - stamps[2 * i]) / 1e6;
    });
    if (untimed > 0) times["passes not timed"] = untimed;
    return times;
  }

  dispose(): void {
    this.querySet.destroy();
    this.resolveBuffer.destroy();
  }
}
