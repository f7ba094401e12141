import type { EnergyTerm } from "../model";

/**
 * A model of what a frame of cloth costs on a GPU, not a measurement: a dispatch waits for the one before it, which takes the same time
 * for any body, and in a single dispatch a workgroup has one core of the GPU for itself.
 */
export interface GpuProfile {
  /** from the end of a dispatch to the start of one that depends on it [µs] */
  readonly dispatch: number;
  /** the same for a barrier in a workgroup, with the first reads after it [µs] */
  readonly barrier: number;
  /** that a core takes for 256 elements of a membrane [µs] */
  readonly round: number;
}

/** A discrete GPU of the last years: 2,000 cycles at 1.75 GHz for a round, since eight warps hide little latency. */
export const commonGpu: GpuProfile = { dispatch: 4, barrier: 0.7, round: 1.15 };

/** Time of a round of elements or particles over that of membranes. */
export const WEIGHTS = { membrane: 1, bending: 1.6, particle: 0.9, face: 1 };

/** The stages of a frame, and the work in them. */
export interface FrameWork {
  /** dispatches where each stage has its own */
  readonly stages: number;
  /** barriers between stages where they share one dispatch */
  readonly barriers: number;
  /** of 256 elements in turn, in units of a round of membranes */
  readonly rounds: number;
}

const roundsOf = (count: number): number => Math.ceil(count / THREADS);
/** Threads of a workgroup. */
const THREADS = 256;

/** What a frame of a cloth has to do. */
export function frameWork(frame: {
  readonly particleCount: number;
  readonly faceCount: number;
  readonly membrane: EnergyTerm;
  readonly bending: EnergyTerm | undefined;
  readonly isAtOnce: { readonly membrane: boolean; readonly bending: boolean };
  readonly substeps: number;
  readonly bendingInterval: number;
  readonly contactPasses: number;
  readonly withFaces: boolean;
  readonly hasTethers: boolean;
}): FrameWork {
  const { substeps, contactPasses, withFaces, hasTethers, faceCount } = frame;
  const particles = WEIGHTS.particle * roundsOf(frame.particleCount);
  const sweep = ({ colours, elementCount }: EnergyTerm, isAtOnce: boolean, weight: number) => {
    const sizes = isAtOnce ? [elementCount] : Array.from(colours.subarray(1), (end, c) => end - colours[c]);
    const rounds = weight * sizes.reduce((sum, size) => sum + roundsOf(size), 0);
    return { stages: sizes.length + Number(isAtOnce), rounds: rounds + Number(isAtOnce) * 0.3 * particles };
  };
  const stretch = sweep(frame.membrane, frame.isAtOnce.membrane, WEIGHTS.membrane);
  const bend = frame.bending && sweep(frame.bending, frame.isAtOnce.bending, WEIGHTS.bending);
  const bends = bend ? Math.ceil(substeps / frame.bendingInterval) : 0;
  const faceRounds = withFaces ? WEIGHTS.face * roundsOf(faceCount) : 0;
  const inSubstep = stretch.stages + Number(hasTethers) + 1;
  return {
    stages: substeps * (inSubstep + 1 + contactPasses * (withFaces ? 6 : 3)) + bends * (bend?.stages ?? 0),
    barriers: substeps * (inSubstep + contactPasses * (withFaces ? 2 : 0)) + bends * (bend?.stages ?? 0),
    rounds: substeps * (stretch.rounds + particles + contactPasses * faceRounds) + bends * (bend?.rounds ?? 0),
  };
}

/** Time of a frame [µs] with a dispatch a stage: each is short beside the wait for it. */
export function manyDispatches({ stages }: FrameWork, { dispatch }: GpuProfile): number {
  return dispatch * stages;
}

/** Time of a frame [µs] in one dispatch. */
export function oneDispatch({ barriers, rounds }: FrameWork, { dispatch, barrier, round }: GpuProfile): number {
  return dispatch + barrier * barriers + round * rounds;
}
