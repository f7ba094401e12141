import { MechanismSubject } from "./mechanism-subject";
import type { Reading } from "./reading";
import type { SceneData } from "./scene";
import { WorldSubject } from "./world-subject";

/** What is judged: a scene that runs. */
export interface Subject {
  /** A frame. */
  step(): Promise<void>;
  read(): Promise<Reading>;
  /** what has been given up on, in a line */
  frozen(): Promise<string | undefined>;
  dispose(): void;
}

/** @throws PliantError for what is refused */
export async function subjectOf(data: SceneData, gpu: GPU | undefined): Promise<Subject> {
  return data.mechanisms ? new MechanismSubject(data) : WorldSubject.create(data, gpu);
}
