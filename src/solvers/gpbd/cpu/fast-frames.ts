import type { FrameInput, PinTable } from "../../deformable";
import type { GpbdStepOptions } from "../options";
import type { ProxyStage } from "../phases";
import type { TermCopies } from "../plasticity/plastic-body";

/** Takes frames of a body that steps by itself, or its elements in other frames, faster than the reference. */
export interface FastFrames extends TermCopies {
  /** Whether it can take a frame. */
  serves(options: Readonly<GpbdStepOptions>, pins: PinTable): boolean;
  /** @returns false, with the body as it was, where it could not */
  step(frame: FrameInput, options: Readonly<GpbdStepOptions>, pins: PinTable, proxies: ProxyStage | undefined): boolean;
  /** @returns false, with the body as it was, where it could not */
  projectTerms(options: Readonly<GpbdStepOptions>, substep: number, h: number, stiffening: number): boolean;
}
