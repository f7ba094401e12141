import type { Progress } from "../../samples/cli/progress";
import { quantile } from "../../samples/run-scene";
import { fitExponent } from "../exponent";
import { describeMachine, packageVersion, versions } from "../machine";
import { timedFrameCount } from "../race";
import { castOf, type RigidCast } from "./cast";
import type { RigidEngine } from "./engine";
import { havokEngine } from "./havok";
import { joltEngine } from "./jolt";
import { FRAME, Judge, LOOK, type Verdict } from "./judge";
import { loadHavok } from "./load-havok";
import { pliantEngine } from "./pliant";
import { rapierEngine } from "./rapier";

/** An engine in a scene. */
export type RigidRow = {
  readonly scene: string;
  /** dynamic bodies */
  readonly size: number;
  readonly settings: string;
  readonly frames: number;
  readonly timedFrames: number;
  /** processor time: median and 95th percentile of the timed frames, which are the last ones; no body sleeps */
  readonly msPerFrame: number;
  readonly p95MsPerFrame: number;
  /** ratio of the row's time to that of Jolt in the same turn */
  readonly timesJolt?: number;
  /** ratio of the penetration to Havok's */
  readonly penetrationOfHavok?: number;
} & Omit<Verdict, "maxDrift"> & { readonly maxDrift?: number } & (
    | { readonly backend: "cpu" }
    | { readonly peer: string }
  );

/** time ∝ contacts^exponent over the sizes of a scene */
export interface RigidGrowth {
  readonly scene: string;
  readonly contestant: string;
  readonly settings: string;
  readonly contacts: readonly number[];
  readonly exponent: number;
}

export interface RigidResult {
  readonly suite: "rigid";
  readonly machine: string;
  readonly adapter: "none";
  readonly versions: Readonly<Record<string, string>>;
  readonly rows: readonly RigidRow[];
  readonly growths: readonly RigidGrowth[];
}

const FRAMES = 240;
/** Further frames for each body: a larger heap falls from higher up, until it rests. */
const FRAMES_PER_BODY = 0.1;
/** Default numbers of bodies in the pile. */
const PILES = [500, 2000];
/** Rows of the pyramid; fewer if the piles are small. */
const ROWS = 50;

/**
 * Stacks and piles of rigid bodies in Pliant, Havok, Rapier and Jolt, one step per frame. All of them run on one thread, so processor time
 * counts, which other load changes little; timed frames are taken in turns all the same. One narrow phase measures penetration on the poses
 * of all.
 *
 * @param frames of each scene, default 240 and more for piles: the second half, at most 60, is timed
 * @param piles numbers of bodies in the pile
 */
export async function rigidSuite(
  frames: number | undefined,
  piles: readonly number[] = PILES,
  progress?: Progress,
): Promise<RigidResult> {
  const casts = [await castOf("tower"), await castOf("heavy-stack")];
  for (const count of piles) casts.push(await castOf("pile", { count }));
  casts.push(await castOf("pyramid", { rows: Math.min(ROWS, Math.max(2, Math.floor(Math.min(...piles) / 10))) }));
  const rows: RigidRow[] = [];
  for (const [k, cast] of casts.entries()) {
    rows.push(...(await runCast(cast, frames ?? framesOf(cast))));
    progress?.update(k + 1, casts.length);
  }
  const names = ["@babylonjs/havok", "@dimforge/rapier3d-simd-compat"];
  return {
    suite: "rigid",
    machine: describeMachine(),
    adapter: "none",
    versions: { ...versions(), ...Object.fromEntries(names.map((name) => [name, packageVersion(name)])) },
    rows,
    growths: growthsOf(rows),
  };
}

function framesOf({ size, stands }: RigidCast): number {
  return stands ? FRAMES : FRAMES + Math.round(FRAMES_PER_BODY * size);
}

async function runCast(cast: RigidCast, frames: number): Promise<RigidRow[]> {
  const engines: RigidEngine[] = [
    pliantEngine(cast, "balanced"),
    pliantEngine(cast, "fast"),
    // Its purpose: heaps cannot be solved exactly, and attempts cost more.
    ...(cast.stands ? [pliantEngine(cast, "precise")] : []),
    havokEngine(cast, await loadHavok()),
    await rapierEngine(cast),
    await joltEngine(cast),
  ];
  try {
    const timedFrames = timedFrameCount(frames);
    const judges = engines.map(() => new Judge(cast));
    const times: number[][] = engines.map(() => []);
    for (const engine of engines) for (let frame = timedFrames; frame < frames; frame++) engine.step(FRAME);
    for (let frame = 0; frame < timedFrames; frame++)
      for (const [i, engine] of engines.entries()) {
        const start = process.cpuUsage();
        engine.step(FRAME);
        const { user, system } = process.cpuUsage(start);
        times[i].push((user + system) / 1000);
        if ((timedFrames - 1 - frame) % LOOK === 0) judges[i].look(engine);
      }
    return compared(
      engines.map(({ name, settings }, i) => {
        const { maxDrift, ...verdict } = judges[i].verdict;
        return {
          scene: cast.scene,
          size: cast.size,
          ...(name === "pliant" ? { backend: "cpu" as const } : { peer: name }),
          settings,
          frames,
          timedFrames,
          msPerFrame: quantile(times[i], 0.5),
          p95MsPerFrame: quantile(times[i], 0.95),
          ...verdict,
          ...(cast.stands ? { maxDrift } : {}),
        };
      }),
    );
  } finally {
    for (const engine of engines) engine.dispose();
  }
}

/** Adds the figures that the aims are about to Pliant's rows. */
function compared(rows: readonly RigidRow[]): RigidRow[] {
  const find = (name: string): RigidRow | undefined => rows.find((row) => "peer" in row && row.peer === name);
  const jolt = find("jolt-physics");
  const havok = find("havok");
  if (!jolt || !havok) return [...rows];
  return rows.map((row) =>
    "peer" in row
      ? row
      : {
          ...row,
          timesJolt: row.msPerFrame / jolt.msPerFrame,
          ...(havok.maxPenetration > 0 ? { penetrationOfHavok: row.maxPenetration / havok.maxPenetration } : {}),
        },
  );
}

function growthsOf(rows: readonly RigidRow[]): RigidGrowth[] {
  const groups = new Map<string, RigidRow[]>();
  for (const row of rows) {
    if (row.scene !== "pile") continue;
    const key = `${whoOf(row)}/${row.settings}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].flatMap((group) => {
    const contacts = group.map((row) => row.contacts);
    if (new Set(contacts).size < 2) return [];
    const exponent = fitExponent(
      contacts,
      group.map((row) => row.msPerFrame),
    );
    return [{ scene: "pile", contestant: whoOf(group[0]), settings: group[0].settings, contacts, exponent }];
  });
}

export function whoOf(row: RigidRow): string {
  return "peer" in row ? row.peer : `pliant ${row.backend}`;
}
