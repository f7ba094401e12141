/** A contestant steps one scene frame by frame: Pliant on a backend, or a peer. */
export interface Contestant {
  /** The name in a row. */
  readonly label: ContestantLabel;
  /** Solver settings in words. */
  readonly settings: string;
  /** Number of drawn elements of the scene's deformables; 0 for a chain. */
  readonly triangles: number;
  /** One frame, done when the promise resolves; work of the measurement itself belongs in `afterFrame`. */
  frame(): Promise<void>;
  /** The work that the scene's running metrics need after a frame; not timed. */
  afterFrame?(): Promise<void>;
  /**
   * The scene's metrics now.
   *
   * @throws NonFiniteStateError if the state is no longer finite
   */
  measure(): Promise<Record<string, number>>;
  /** GPU milliseconds of a frame by stage, if they are available. */
  stages?(): Promise<Readonly<Record<string, number>> | undefined>;
  dispose(): void;
}

export type ContestantLabel = { readonly backend: "cpu" | "reference" | "webgpu" } | { readonly peer: string };

/** Readable name of a contestant. */
export function labelText(label: ContestantLabel): string {
  return "backend" in label ? label.backend : label.peer;
}
