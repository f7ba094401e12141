import { norm } from "../../../math/vectors";
import type { FrameInput } from "../../deformable";
import { longestStepOf } from "./fine-substeps";
import type { GroupBody } from "./group-body";

/** Which bodies of a group are stepped in a frame, and in how many substeps. */
export interface FramePlan {
  readonly bodies: readonly GroupBody[];
  readonly substeps: number;
}

/**
 * Bodies share one time step: that of the one which needs the shortest, and none that is longer than a factor is good for, or than
 * iterations can solve. Those whose factor is still being made are left out.
 */
export function planFrame(prepared: readonly GroupBody[], { dt, gravity }: FrameInput): FramePlan {
  const asked = Math.max(
    ...prepared.map(({ model, options: { substeps, gravityFactor } }) => {
      const g = norm(gravity) * Math.abs(gravityFactor);
      return Math.max(substeps, Math.ceil((dt / longestStepOf(model, substeps, g)) * (1 - 1e-9)));
    }),
  );
  const bodies = prepared.filter((body) => body.request(dt / asked));
  const longest = Math.min(...bodies.map((body) => body.longestStep));
  const substeps = bodies.length === 0 ? 0 : Math.max(asked, Math.ceil((dt / longest) * (1 - 1e-9)));
  return { bodies, substeps };
}
