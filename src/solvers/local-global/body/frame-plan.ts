import { norm } from "../../../math/vectors";
import type { DeformableModel, FrameInput } from "../../deformable";
import { meanEdge } from "../../spacing";
import { FALL_OF_ONE_STEP, FRAME } from "./fine-substeps";
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

/**
 * The longest step of a body in a frame that is longer than usual [s]. Substeps are chosen for usual frames. In a step of half a second iterations
 * end far from the solution, where cloth has stored 100 times the energy that it fell by, and is thrown by that in the next frames.
 *
 * @param substeps of the body, in a usual frame
 * @param gravity |g| that the body feels [m/s²]
 */
function longestStepOf(model: DeformableModel, substeps: number, gravity: number): number {
  return Math.max(FRAME / substeps, Math.sqrt((FALL_OF_ONE_STEP * meanEdge(model)) / gravity));
}
