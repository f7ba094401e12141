import { MechanismSubject } from "./mechanism-subject";
import type { Reading } from "./reading";
import type { SceneData } from "./scene";
import { WorldSubject } from "./world-subject";

/** The judged object: a running scene. */
export interface Subject {
  /** Advances by a frame. */
  step(): Promise<void>;
  read(): Promise<Reading>;
  /** the things that the solver gave up on, in a line */
  frozen(): Promise<string | undefined>;
  dispose(): void;
}

/** @throws PliantError for refused input */
export async function subjectOf(data: SceneData, gpu: GPU | undefined): Promise<Subject> {
  return data.mechanisms ? new MechanismSubject(data) : WorldSubject.create(data, gpu);
}
