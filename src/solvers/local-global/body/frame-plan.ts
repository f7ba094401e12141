import type { GroupBody } from "./group-body";

/** Which bodies of a group are stepped in a frame, and in how many substeps. */
export interface FramePlan {
  readonly bodies: readonly GroupBody[];
  readonly substeps: number;
}

/**
 * Bodies share one time step: that of the one which needs the shortest, and none that is longer than a factor is good for.
 * Those whose factor is still being made are left out.
 *
 * @param dt frame time [s]
 */
export function planFrame(prepared: readonly GroupBody[], dt: number): FramePlan {
  const asked = Math.max(...prepared.map((body) => body.options.substeps));
  const bodies = prepared.filter((body) => body.request(dt / asked));
  const longest = Math.min(...bodies.map((body) => body.longestStep));
  const substeps = bodies.length === 0 ? 0 : Math.max(asked, Math.ceil((dt / longest) * (1 - 1e-9)));
  return { bodies, substeps };
}
