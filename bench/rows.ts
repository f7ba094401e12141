import { labelText, type ContestantLabel } from "./contestant";
import type { Timing } from "./race";

/** One contestant in one heat: a time always comes with the quality of the computed result. */
export type Row = {
  readonly scene: string;
  /** segments along the longer side of the cloth, or null */
  readonly size: number | null;
  readonly settings: string;
  readonly triangles: number;
  /** simulated frames, of which `timedFrames` were timed; the quality is that after the last one */
  readonly frames: number;
} & ContestantLabel &
  Timing & {
    /** the scene's metrics at the end: `maxStretchPercent` [%], `maxPenetration` [m], `rmsSpeed` [m/s] and others */
    readonly [metric: string]: unknown;
    /** ratio of the time of the row `speedupAgainst` to the own time */
    readonly speedup?: number;
    readonly speedupAgainst?: string;
    /** GPU milliseconds by stage, from a frame with one pass per stage */
    readonly stages?: Readonly<Record<string, number>>;
  };

/** Penetration that is ignored [m]: the tolerance of the scene with cloth on a sphere. */
const PENETRATION_BOUND = 1e-3;

/** Adds speedups to the rows of one heat: relative to a comparable peer with cloth, or without such a peer relative to the cpu backend. */
export function withSpeedups(rows: readonly Row[]): Row[] {
  const peers = rows.filter((row) => "peer" in row && "maxStretchPercent" in row);
  const cpu = rows.find((row) => "backend" in row && row.backend === "cpu");
  return rows.map((row) => {
    if ("peer" in row) return row;
    const rival = peers.length > 0 ? comparablePeer(row, peers) : row === cpu ? undefined : cpu;
    if (rival === undefined) return row;
    const speedupAgainst = "peer" in rival ? `${labelText(rival)}, ${rival.settings}` : labelText(rival);
    return { ...row, speedup: rival.msPerFrame / row.msPerFrame, speedupAgainst };
  });
}

/**
 * The fastest peer that stretches and penetrates no more than a row. If none is that good, the non-penetrating peer with the least stretch:
 * the speedup is then too low rather than too high.
 */
export function comparablePeer(row: Row, peers: readonly Row[]): Row | undefined {
  const penetration = Math.max(PENETRATION_BOUND, penetrationOf(row));
  const sound = peers.filter((peer) => penetrationOf(peer) <= penetration);
  const stretch = figure(row, "maxStretchPercent");
  const asGood = sound.filter((peer) => figure(peer, "maxStretchPercent") <= stretch);
  const by = (key: string) => (a: Row, b: Row) => figure(a, key) - figure(b, key);
  return asGood.sort(by("msPerFrame"))[0] ?? sound.sort(by("maxStretchPercent"))[0];
}

/** Zero if there is nothing to touch. */
function penetrationOf(row: Row): number {
  return row.maxPenetration === undefined ? 0 : figure(row, "maxPenetration");
}

function figure(row: Row, key: string): number {
  const value = row[key];
  return typeof value === "number" ? value : NaN;
}
