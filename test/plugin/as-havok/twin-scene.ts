import { expect } from "vitest";
import { havokScene, pliantScene, type PluginScene } from "../both-plugins";
import { havokMembers, interfaceMembers } from "../babylon-members";
import { recordCalls } from "./recorded-calls";

/** The result of a scene: numbers, which may differ slightly, or words, which may not. */
export type Reading = number | readonly number[] | string | readonly string[];
export type Readings = Readonly<Record<string, Reading>>;

/** A reading in which the plugins disagree. */
export interface Difference {
  /** which of the two is right, by physics or Babylon's documentation, and the other's behavior */
  readonly why: string;
  /** the right answer, in closed form, which Pliant must give */
  readonly pliant: Reading;
  /** Havok's answer; left out if it is not stable */
  readonly havok?: Reading;
  /** largest difference of a number from these answers; by default the tolerance of the reading */
  readonly within?: number;
}

/** One scene, written against Babylon alone. Both plugins play it. */
export interface TwinScene {
  readonly name: string;
  /** Builds the scene, runs it, and reads it. */
  readonly play: (t: PluginScene) => Readings | Promise<Readings>;
  /**
   * Largest difference of a number: of all readings, or of each by its name (words have none). About twice the measured one, or 1e-5 if
   * that was less. Differences of more than a few millimeters come from the time step: a falling body is at g t²/2 in Pliant, and 2 cm
   * further down after a second in Havok. Also Havok's boxes and hulls are rounded or have a margin.
   */
  readonly tolerance: number | Readonly<Record<string, number>>;
  readonly differs?: Readonly<Record<string, Difference>>;
}

/** Public members that Babylon's interface of a plugin, or its plugin for Havok, has. */
export const pluginMembers: readonly string[] = [...new Set([...interfaceMembers(), ...havokMembers()])];

/** Those of them that scenes have called on Pliant so far. */
export const calledOnPliant = new Set<string>();

async function playOn(make: () => Promise<PluginScene>, scene: TwinScene, calls?: Set<string>): Promise<Readings> {
  const t = await make();
  if (calls) recordCalls(t.plugin, pluginMembers, calls);
  try {
    return await scene.play(t);
  } finally {
    t.dispose();
  }
}

const played = new Map<TwinScene, Promise<Readings>>();

/** The readings of a scene on Pliant, played once. */
export function playOnPliant(scene: TwinScene): Promise<Readings> {
  const readings = played.get(scene) ?? playOn(pliantScene, scene, calledOnPliant);
  played.set(scene, readings);
  return readings;
}

/** Plays a scene on both plugins. Their readings must be equal within its tolerances, or differ as it states. */
export async function expectTwins(scene: TwinScene): Promise<void> {
  const pliant = await playOnPliant(scene);
  const havok = await playOn(havokScene, scene);
  expect(Object.keys(havok)).toEqual(Object.keys(pliant));
  const failed: string[] = [];
  const check = (what: string, got: Reading, wanted: Reading, tolerance: number): void => {
    if (!agree(got, wanted, tolerance)) failed.push(`${what}: ${shown(got)}, wanted ${shown(wanted)} ± ${tolerance}`);
  };
  for (const name of [...Object.keys(scene.differs ?? {}), ...namedTolerances(scene)])
    if (!(name in pliant)) failed.push(`${name} is no reading`);
  for (const [name, reading] of Object.entries(pliant)) {
    const tolerance = typeof scene.tolerance === "number" ? scene.tolerance : (scene.tolerance[name] ?? 0);
    const difference = scene.differs?.[name];
    if (!difference) {
      check(`${name} on Pliant, beside Havok`, reading, havok[name], tolerance);
      continue;
    }
    const within = difference.within ?? tolerance;
    check(`${name} on Pliant`, reading, difference.pliant, within);
    if (difference.havok !== undefined) check(`${name} on Havok`, havok[name], difference.havok, within);
    if (agree(reading, havok[name], tolerance)) failed.push(`${name} does not differ any more: ${shown(reading)}`);
  }
  expect(failed).toEqual([]);
}

const namedTolerances = ({ tolerance }: TwinScene): string[] =>
  typeof tolerance === "number" ? [] : Object.keys(tolerance);

function agree(a: Reading, b: Reading, tolerance: number): boolean {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) <= tolerance;
  if (typeof a !== "object" || typeof b !== "object") return a === b;
  return a.length === b.length && a.every((value, i) => agree(value, b[i], tolerance));
}

const shown = (reading: Reading): string =>
  JSON.stringify(reading, (_, value: unknown) =>
    typeof value === "number" ? (Number.isFinite(value) ? Number(value.toPrecision(6)) : String(value)) : value,
  );
