import type { DeformableSystem, FrameInput } from "../../../solvers/deformable";
import type { SharedKind } from "../../backend/systems";

/** A body that was stepped with the rigid bodies. */
interface Stepped {
  /** Takes over the result of the step. */
  finish(frame: FrameInput): void;
}

/** Deformable bodies of the Newton solver: rigid bodies have already stepped them, in one system of equations. */
export class NewtonSystem implements DeformableSystem {
  readonly isImplicit = true;
  private readonly stepped: Stepped[] = [];

  /** Adds a body to the frame. */
  join(body: Stepped): void {
    this.stepped.push(body);
  }

  step(frame: FrameInput): void {
    for (const body of this.stepped.splice(0)) body.finish(frame);
  }
}

export const newtonSystem: SharedKind<NewtonSystem> = { name: "newton", create: () => new NewtonSystem() };
