/**
 * Puts bodies of higher layers outside those of lower ones before the first step after either was put to its place. From then on contact
 * keeps them apart (collision/surface). It looks at states alone, so all solvers and backends begin with the same positions.
 */
import { putOutside } from "../../collision/surface/put-outside";
import { LEAST_GAP } from "../../collision/surface/surface-mesh";
import type { DeformableModel } from "../../solvers/deformable";
import type { GpbdOptions } from "../../solvers/gpbd/options";
import { distanceOf } from "../../solvers/gpbd/surfaces/encounters";
import { meanEdge } from "../../solvers/spacing";
import type { BodySettings } from "../backend/body-settings";

/** Part of a mean edge by which vertices go further out in a round. */
const STEP = 0.06;

/** A state that is known at once. */
interface Known {
  readonly positions: ArrayLike<number>;
  readonly velocities: ArrayLike<number>;
}

/** A body, as far as layers go. */
interface Wearable {
  readonly layer: number | undefined;
  readonly model: DeformableModel;
  readonly options: Readonly<BodySettings>;
  readonly known: Known | undefined;
  readonly stepper: object;
  _isPlaced: boolean;
  fetch(): Promise<void>;
  writeState(state: Known): void;
}

/** @returns false while states are on their way from a GPU: the world waits for them */
export function arrangeLayers(bodies: readonly Wearable[]): boolean {
  const layered = bodies.filter(({ layer, model }) => layer !== undefined && model.faces.length > 0);
  if (!layered.some(({ _isPlaced }) => _isPlaced)) return true;
  const unknown = layered.filter((body) => !knownOf(body));
  for (const body of unknown) void body.fetch().catch(() => undefined);
  if (unknown.length > 0) return false;
  const moved = new Set(layered.filter(({ _isPlaced }) => _isPlaced));
  const order = [...layered].sort((a, b) => a.layer! - b.layer!);
  for (const outer of order)
    for (const inner of order)
      if (inner.layer! < outer.layer! && (moved.has(inner) || moved.has(outer)) && arrange(outer, inner))
        moved.add(outer);
  for (const body of layered) body._isPlaced = false;
  return true;
}

/** @returns whether the outer one was put elsewhere */
function arrange(outer: Wearable, inner: Wearable): boolean {
  const state = knownOf(outer)!;
  const distance = (distanceOf(outer.options as GpbdOptions) + distanceOf(inner.options as GpbdOptions)) / 2;
  const positions = putOutside(
    { ...outer.model, positions: state.positions },
    { ...inner.model, positions: knownOf(inner)!.positions },
    { distance, least: LEAST_GAP * distance, step: (STEP * (meanEdge(outer.model) + meanEdge(inner.model))) / 2 },
  );
  if (positions) outer.writeState({ positions, velocities: state.velocities });
  return positions !== undefined;
}

function knownOf({ known, stepper }: Wearable): Known | undefined {
  return known ?? ("state" in stepper ? (stepper.state as Known) : undefined);
}
