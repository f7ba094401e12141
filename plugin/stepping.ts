import { requireAtLeast } from "./geometry/convert";

/** Steps of one frame: `count` steps of `dt` seconds. */
export interface FrameSteps {
  readonly count: number;
  readonly dt: number;
}

/**
 * Longest frame that is stepped, s: Babylon's physics engine gives no plugin a longer one. Below ten frames a second,
 * physics runs in slow motion with every plugin.
 */
const LONGEST_FRAME = 0.1;
/** A display whose frame time varies by less than this part of a time step still gets one step a frame. */
const TOLERANCE = 0.25;

/**
 * Divides the varying frame time of a display into fixed time steps. The effective stiffness of a material in an
 * implicit solver depends on the time step, so cloth that is stepped by the frame time looks softer on a slow machine.
 */
export class StepClock {
  /** s; the `getTimeStep` of Babylon */
  private step = 1 / 60;
  /** the last step that was not zero, s: the length of steps when the clock runs again */
  runningStep = this.step;
  /** Frame time that has not been stepped yet, s; negative after a step that came a little early. */
  private rest = 0;

  /**
   * @param useDelta one step per frame, as long as the frame, as is the default of Havok's plugin
   * @param maxSteps most steps in a frame, after which the scene runs in slow motion
   */
  constructor(
    readonly useDelta: boolean,
    readonly maxSteps: number,
  ) {}

  get timeStep(): number {
    return this.step;
  }

  /** Zero stops the clock until another value is set. @throws PliantError for a value below zero or not finite */
  set timeStep(value: number) {
    requireAtLeast("PliantPlugin.setTimeStep", value, 0);
    this.step = value;
    if (value > 0) this.runningStep = value;
  }

  /**
   * Returns the steps for a frame that took `delta` seconds.
   *
   * @param isSubStep whether this is one of the sub-steps into which the scene divides its frames itself
   */
  advance(delta: number, isSubStep = false): FrameSteps {
    if (!(this.step > 0 && delta > 0)) return { count: 0, dt: this.runningStep };
    if (this.useDelta || isSubStep) return { count: 1, dt: delta };
    this.rest += Math.min(delta, LONGEST_FRAME);
    const due = Math.max(0, Math.floor(this.rest / this.step + TOLERANCE));
    const count = Math.min(due, this.maxSteps);
    this.rest = due > count ? 0 : this.rest - count * this.step;
    return { count, dt: this.step };
  }
}
