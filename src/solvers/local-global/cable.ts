/**
 * Cables: bilateral constraints with compliance, or unilateral ones that only pull, on the length of a path through vertices
 * (section 5 of paper 2; its gripper is driven by such). Rows of the contact problem like any other: linearised once per step,
 *
 *     δ = L − ℓ(q),   δ + e λ = 0, or 0 ≤ δ + e λ ⊥ λ ≥ 0 for one that only pulls
 *
 * ℓ  length of the path [m], L what it may be [m], e compliance [m/N], λ tension [N];  z = h² λ [kg m]
 * A cable slides without friction through the vertices on its way, so its tension is the same all along.
 */
import type { Vec3 } from "../../math/types";
import { distance, dot } from "../../math/vectors";
import type { GroupBody } from "./group-body";

/** A vertex on the way of a cable, or a place that is fixed in the world [m]. */
export type CablePoint = Vec3 | { readonly body: { readonly model: unknown }; readonly vertex: number };

/** What a solver knows of a cable. */
export interface CableState {
  readonly points: readonly CablePoint[];
  /** L [m]; undefined until the first step, where it is to be what ℓ is */
  length: number | undefined;
  /** e [m/N] */
  readonly compliance: number;
  /** whether it also pushes: a bilateral constraint */
  readonly pushes: boolean;
  /** λ in the last step [N] */
  tension: number;
}

/** ℓ [m] of a way through places [m]. */
function pathLength(points: readonly Vec3[]): number {
  let sum = 0;
  for (let i = 1; i < points.length; i++) sum += distance(points[i - 1]!, points[i]!);
  return sum;
}

/** The cables all whose bodies are stepped. */
export function stretchedCables(
  cables: readonly CableState[],
  bodies: readonly { readonly model: unknown }[],
): readonly CableState[] {
  const models = new Set<unknown>(bodies.map(({ model }) => model));
  return cables.filter(({ points }) => points.every((point) => !("body" in point) || models.has(point.body.model)));
}

/** Rows of all cables in a step. */
export class CableRows {
  count = 0;
  cables: readonly CableState[] = [];
  /** entries of row k are start[k] to start[k + 1] */
  start: number[] = [0];
  body: number[] = [];
  vertex: number[] = [];
  /** −∂ℓ/∂x of each entry, three numbers */
  direction: number[] = [];
  /** δ = direction · q − offset [m] */
  offset: number[] = [];
  /** e / h² [1/kg] */
  compliance: number[] = [];

  /** Rows of the cables all whose bodies are stepped, at the positions where the step begins. */
  build(cables: readonly CableState[], bodies: readonly GroupBody[], h: number): void {
    this.start = [0];
    this.body = [];
    this.vertex = [];
    this.direction = [];
    this.offset = [];
    this.compliance = [];
    const placeOf = new Map<unknown, number>(bodies.map((body, i) => [body.model, i]));
    this.cables = stretchedCables(cables, bodies);
    this.count = this.cables.length;
    for (const cable of this.cables) this.addRow(cable, bodies, placeOf, h);
  }

  private addRow(
    cable: CableState,
    bodies: readonly GroupBody[],
    placeOf: ReadonlyMap<unknown, number>,
    h: number,
  ): void {
    const places = cable.points.map((point): Vec3 => {
      if (!("body" in point)) return point;
      const { start } = bodies[placeOf.get(point.body.model)!]!;
      return [start[3 * point.vertex]!, start[3 * point.vertex + 1]!, start[3 * point.vertex + 2]!];
    });
    let along = 0;
    cable.points.forEach((point, i) => {
      if (!("body" in point)) return;
      const g = pull(places, i);
      this.body.push(placeOf.get(point.body.model)!);
      this.vertex.push(point.vertex);
      this.direction.push(...g);
      along += dot(g, places[i]!);
    });
    this.start.push(this.body.length);
    const length = pathLength(places);
    cable.length ??= length;
    this.offset.push(along - (cable.length - length));
    this.compliance.push(cable.compliance / (h * h));
  }
}

/** −∂ℓ/∂xᵢ: towards the neighbours on the way. */
function pull(places: readonly Vec3[], i: number): Vec3 {
  const g: [number, number, number] = [0, 0, 0];
  for (const next of [places[i - 1], places[i + 1]]) {
    const length = next ? distance(places[i]!, next) : 0;
    if (!next || length === 0) continue;
    for (let c = 0; c < 3; c++) g[c]! += (next[c]! - places[i]![c]!) / length;
  }
  return g;
}
