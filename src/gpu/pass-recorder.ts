import type { PassTimer } from "./timestamps";

/**
 * Hands out compute passes for the stages of a frame: a single pass for all of them, or, if passes are timed, one for
 * every contiguous part of a stage.
 */
export class PassRecorder {
  private pass: GPUComputePassEncoder | undefined;
  private label = "";

  constructor(
    readonly encoder: GPUCommandEncoder,
    private readonly timer: PassTimer | undefined,
  ) {}

  stage(label: string): GPUComputePassEncoder {
    if (this.pass && (label === this.label || !this.timer)) return this.pass;
    this.end();
    this.label = label;
    const timestampWrites = this.timer?.pass(label);
    this.pass = this.encoder.beginComputePass(timestampWrites ? { label, timestampWrites } : { label });
    return this.pass;
  }

  /** Ends the open pass; copies and submits come after this. */
  end(): void {
    this.pass?.end();
    this.pass = undefined;
  }
}
