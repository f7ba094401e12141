/** Something that steps one scene frame by frame: Pliant on a backend, or a peer. */
export interface Contestant {
  /** Who it is, as in a row. */
  readonly label: ContestantLabel;
  /** Solver settings in words. */
  readonly settings: string;
  /** What is drawn of the scene's deformables; 0 for a chain. */
  readonly triangles: number;
  /** One frame, done when the promise resolves; work of the measurement itself belongs into `afterFrame`. */
  frame(): Promise<void>;
  /** What the scene's running metrics need after a frame; not timed. */
  afterFrame?(): Promise<void>;
  /**
   * The scene's metrics now.
   *
   * @throws NonFiniteStateError when the state is no longer finite
   */
  measure(): Promise<Record<string, number>>;
  /** GPU milliseconds of a frame by stage, where they can be had. */
  stages?(): Promise<Readonly<Record<string, number>> | undefined>;
  dispose(): void;
}

export type ContestantLabel = { readonly backend: "cpu" | "webgpu" } | { readonly peer: string };

/** Name of a contestant for people. */
export function labelText(label: ContestantLabel): string {
  return "backend" in label ? label.backend : label.peer;
}
