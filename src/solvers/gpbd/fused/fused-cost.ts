import type { TermParts } from "../elements/gpu-term";

/**
 * A model of what a frame of cloth costs on a GPU, not a measurement. A dispatch waits for the one before it, for the same time whatever
 * it does. In a single dispatch barriers take the place of most waits, but a workgroup has one core of the GPU for all work.
 */
export interface GpuProfile {
  /** from the end of a dispatch to the start of one that depends on it [µs] */
  readonly dispatch: number;
  /** the same for a barrier in a workgroup, with the first reads after it [µs] */
  readonly barrier: number;
  /** that a core takes for 256 elements of a membrane [µs] */
  readonly round: number;
  /** each goes through two workgroups at a time, since they wait for memory most of it */
  readonly cores: number;
}

/** A GPU of which nothing is known: 2,000 cycles at 1.75 GHz for a round, since eight warps a core hide little latency. */
const UNKNOWN_GPU: GpuProfile = { dispatch: 4, barrier: 0.7, round: 1.15, cores: 24 };
/** The least that it may be: what every patch does for others is lost there first. */
export const SMALL_GPU: GpuProfile = { dispatch: 8, barrier: 1.2, round: 2.2, cores: 8 };

/** Threads of a workgroup. */
const THREADS = 256;
/** Time of a round of other work over that of membranes; particles are predicted, finished and looked at for contact. */
const WEIGHTS = { bending: 1.6, gather: 0.3, particle: 0.9, face: 1, air: 0.5 };

/** Particles that a patch owns at most, by the substeps of a dispatch; the others that it takes have to fit beside them. */
export const PATCH_SIZES = [0, 280, 280, 140, 140];
/** Part of that which patches own in the mean: they are halves of halves, and some have to be smaller. */
const FILLED = 0.7;
/** Substeps of a dispatch: as many as fit, or fewer, so that a GPU with few cores does less twice. */
const PATCH_SUBSTEPS = [4, 2];

/** The part of a frame's input that decides what there is to do. */
export interface WorkInput {
  readonly particleCount: number;
  readonly faceCount: number;
  readonly substeps: number;
  /** the membrane first */
  readonly terms: readonly Pick<TermParts, "colours" | "isAtOnce" | "interval">[];
  /** projections of contact in a substep, and whether these take faces, too */
  readonly contactPasses: number;
  readonly withFaces: boolean;
  readonly hasTethers: boolean;
  /** substeps from one evaluation of the air to the next; 0 without air */
  readonly airInterval: number;
}

/** The work of a frame. */
export interface FrameWork {
  /** dispatches where each stage has its own */
  readonly stages: number;
  /** barriers between stages where they share one dispatch */
  readonly barriers: number;
  /** of 256 elements in turn, in units of a round of membranes */
  readonly rounds: number;
}

const roundsOf = (count: number): number => Math.ceil(count / THREADS);

/** The work of a frame of cloth with one iteration. */
export function frameWork(input: WorkInput): FrameWork {
  const { substeps, contactPasses, withFaces, hasTethers, airInterval } = input;
  const faces = roundsOf(input.faceCount);
  const particles = roundsOf(input.particleCount);
  const sum = { stages: 0, barriers: 0, rounds: 0 };
  const add = (times: number, stages: number, barriers: number, rounds: number): void => {
    sum.stages += times * stages;
    sum.barriers += times * barriers;
    sum.rounds += times * rounds;
  };
  // prediction and end of a substep
  add(substeps, 2, 1, WEIGHTS.particle * particles);
  input.terms.forEach(({ colours, isAtOnce, interval }, k) => {
    const times = Math.ceil(substeps / interval);
    const weight = k === 0 ? 1 : WEIGHTS.bending;
    for (let c = 1; c < colours.length; c++) add(times, 1, 1, weight * roundsOf(colours[c] - colours[c - 1]));
    if (isAtOnce) add(times, 1, 1, WEIGHTS.gather * particles);
  });
  if (hasTethers) add(substeps, 1, 1, WEIGHTS.gather * particles);
  const passes = substeps * contactPasses;
  add(passes, 1, 0, 0);
  if (withFaces) add(passes, 2, 2, WEIGHTS.face * faces);
  if (airInterval > 0) add(Math.ceil(substeps / airInterval), 2, 2, WEIGHTS.air * faces + WEIGHTS.gather * particles);
  return sum;
}

/** Time of a frame [µs] with a dispatch a stage, in which all cores share the work. */
export function timeOfStages(
  { stages, rounds }: FrameWork,
  { dispatch, round, cores }: GpuProfile = UNKNOWN_GPU,
): number {
  return dispatch * stages + (round * rounds) / (2 * cores);
}

/** Time of a frame [µs] in one dispatch. */
export function timeOfOne(
  { barriers, rounds }: FrameWork,
  { dispatch, barrier, round }: GpuProfile = UNKNOWN_GPU,
): number {
  return dispatch + barrier * barriers + round * rounds;
}

/** Most substeps of a dispatch with which a frame in patches is fastest. */
export function patchSubsteps(work: FrameWork, input: WorkInput): number {
  // Anchors of tethers are known at the start of a dispatch alone.
  if (input.hasTethers) return 1;
  const [many, few] = PATCH_SUBSTEPS;
  return timeOfPatches(work, input, many) <= timeOfPatches(work, input, few) ? many : few;
}

/**
 * Time of a frame [µs] in patches.
 *
 * @param most substeps of a dispatch
 */
export function timeOfPatches(
  { barriers }: FrameWork,
  input: WorkInput,
  most: number,
  { dispatch, barrier, round, cores }: GpuProfile = UNKNOWN_GPU,
): number {
  const turns = Math.ceil(input.particleCount / (FILLED * PATCH_SIZES[most] * 2 * cores));
  return dispatch * (2 + input.substeps / most) + turns * (barrier * barriers + round * patchRounds(input, most));
}

/** Whether a small GPU loses little with patches. */
export function areFair(work: FrameWork, input: WorkInput, most: number): boolean {
  return timeOfPatches(work, input, most, SMALL_GPU) <= MOST_LOSS * timeOfStages(work, SMALL_GPU);
}

/** Rounds that a workgroup takes for its patches in a frame: a color of a patch is one, whatever its size. */
function patchRounds({ substeps, terms, contactPasses, withFaces }: WorkInput, most: number): number {
  const particles = roundsOf(3 * FILLED * PATCH_SIZES[most]);
  let rounds = WEIGHTS.particle * particles * substeps;
  terms.forEach(({ colours, isAtOnce, interval }, k) => {
    const weight = k === 0 ? 1 : WEIGHTS.bending;
    const each = isAtOnce ? weight * ALL_OF_PATCH + WEIGHTS.gather * particles : weight * (colours.length - 1);
    rounds += each * Math.ceil(substeps / interval);
  });
  if (withFaces) rounds += WEIGHTS.face * ALL_OF_PATCH * substeps * contactPasses;
  return rounds;
}

/** Rounds of all elements of a patch. */
const ALL_OF_PATCH = 3;
/** Of time with patches over that with stages, on a small GPU; on others they save more than half. */
const MOST_LOSS = 1.2;
