import type { ParameterValues, SceneDefinition } from "../samples/scene";
import type { Backend } from "./arguments";
import { rapierClothContestant } from "./cloth/rapier-cloth";
import type { Contestant } from "./contestant";
import { joltSolidContestant } from "./gpbd/jolt-solid";
import { rapierSolidContestant } from "./gpbd/rapier-solid";
import { joltContestant, type JoltSettings } from "./jolt";
import { pliantContestant } from "./pliant";

/** A scene at one size, in which contestants take turns. */
export interface Heat {
  readonly scene: SceneDefinition;
  readonly values: ParameterValues;
  /** segments along the longer side of the cloth, or cells along an edge; null if the scene has no resolution */
  readonly size: number | null;
  /** Pliant on the CPU with other values of the scene, such as another solver; one contestant each */
  readonly others?: readonly ParameterValues[];
  /** one contestant each */
  readonly jolt: readonly JoltSettings[];
  /** iterations of Jolt's springs in the cube of `soft-cube`, one contestant each */
  readonly joltSprings?: readonly number[];
  /** iterations of Rapier's constraints in the cube of `soft-cube`, one contestant each */
  readonly rapier?: readonly number[];
  /** iterations of Rapier with the cloth of `hanging-cloth`, one contestant each */
  readonly rapierCloth?: readonly number[];
  /** used unless the command line gives a number, and in place of the suite's number */
  readonly frames?: number;
}

/**
 * Builds the contestants of a heat: Pliant on each backend, then its peers.
 *
 * @param gpu needed by the backend `webgpu`
 */
export async function contestantsOf(
  heat: Heat,
  backends: readonly Backend[],
  gpu: GPU | undefined,
): Promise<Contestant[]> {
  const { scene, values } = heat;
  const makers = [
    ...backends.map((backend) => () => pliantContestant(scene, values, backend, gpu)),
    ...(backends.includes("cpu") ? (heat.others ?? []) : []).map(
      (other) => () => pliantContestant(scene, other, "cpu", gpu),
    ),
    ...(heat.joltSprings ?? []).map((iterations) => () => joltSolidContestant(scene, values, iterations)),
    ...(heat.rapier ?? []).map((iterations) => () => rapierSolidContestant(scene, values, iterations)),
    ...(heat.rapierCloth ?? []).map((iterations) => () => rapierClothContestant(scene, values, iterations)),
    ...heat.jolt.map((settings) => () => joltContestant(scene, values, settings)),
  ];
  const contestants: Contestant[] = [];
  try {
    for (const make of makers) contestants.push(await make());
    return contestants;
  } catch (error) {
    for (const contestant of contestants) contestant.dispose();
    throw error;
  }
}
