/** [ms] of a frame at 60 Hz. */
export const FRAME = 1000 / 60;

/** Messages of the worker to the page: the rounds, then progress and rows of each, then the end. */
export type Message =
  | { readonly type: "rounds"; readonly adapter: string; readonly rounds: readonly RoundText[] }
  | { readonly type: "progress"; readonly round: string; readonly share: number }
  | { readonly type: "rows"; readonly round: string; readonly rows: readonly PageRow[] }
  | { readonly type: "failed"; readonly round: string; readonly error: string }
  | { readonly type: "done" };

/** A round in words. */
export interface RoundText {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** metrics of its rows that are shown beside times, with their titles */
  readonly quality: Readonly<Record<string, string>>;
}

/** A contestant's time in a round, and the quality of what it computed. */
export interface PageRow {
  readonly contestant: string;
  readonly settings: string;
  readonly frames: number;
  readonly timedFrames: number;
  /** [ms] */
  readonly msPerFrame: number;
  readonly p95MsPerFrame: number;
  readonly metrics: Readonly<Record<string, number>>;
}

/** The file that the page gives away. */
export interface PageResult {
  readonly suite: "page";
  readonly date: string;
  readonly userAgent: string;
  readonly cores: number;
  readonly adapter: string;
  readonly versions: Readonly<Record<string, string>>;
  readonly rounds: Readonly<Record<string, readonly PageRow[]>>;
}
