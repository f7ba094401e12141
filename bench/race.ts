import { quantile } from "../samples/run-scene";
import type { Contestant } from "./contestant";

/** The default gives a steady median. */
const MOST_TIMED = 60;

export interface Timing {
  readonly timedFrames: number;
  readonly msPerFrame: number;
  readonly p95MsPerFrame: number;
}

/** Timed frames of a run: its last ones, at most half; those before warm up caches, compilers and the cloth's contacts. */
export function timedFrameCount(frames: number): number {
  return Math.max(1, Math.min(MOST_TIMED, Math.floor(frames / 2)));
}

/**
 * Steps all contestants through as many frames. In the timed ones they take turns frame by frame, so that other load on the machine slows
 * all of them alike.
 *
 * @returns times in the order of the contestants
 */
export async function race(
  contestants: readonly Contestant[],
  frames: number,
  onFrame: (done: number, total: number) => void = () => undefined,
): Promise<Timing[]> {
  const timedFrames = timedFrameCount(frames);
  const total = frames * contestants.length;
  const milliseconds: number[][] = contestants.map(() => []);
  let done = 0;
  const step = async (contestant: Contestant): Promise<number> => {
    const start = performance.now();
    await contestant.frame();
    const took = performance.now() - start;
    await contestant.afterFrame?.();
    onFrame(++done, total);
    return took;
  };
  for (const contestant of contestants)
    for (let frame = 0; frame < frames - timedFrames; frame++) await step(contestant);
  for (let frame = 0; frame < timedFrames; frame++)
    for (const [i, contestant] of contestants.entries()) milliseconds[i].push(await step(contestant));
  return milliseconds.map((times) => ({
    timedFrames,
    msPerFrame: quantile(times, 0.5),
    p95MsPerFrame: quantile(times, 0.95),
  }));
}
