import type { Vec3 } from "../math/types";
import type { PinTable } from "../solvers/deformable";
import { grainOf } from "../solvers/spacing";
import type { BodyModel, BodySettings, SolverOptions } from "./backend/body-settings";
import { solverKindOf } from "./backend/solvers";
import { norm } from "../math/vectors";

/** The options of a body: those that the user chose, and for all others those that suit its model. */
export class ChosenOptions {
  private chosen: Partial<SolverOptions>;
  values: BodySettings;

  /** @throws PliantError for a value out of its range; `object` names the body in the message */
  constructor(
    object: string,
    private model: BodyModel,
    options: Partial<SolverOptions>,
    private readonly world: { readonly gravity: Vec3 },
  ) {
    this.chosen = withValues(options);
    solverKindOf(model).validate(object, this.chosen);
    this.values = this.suited();
  }

  /** Those of another model. */
  follow(model: BodyModel): void {
    this.model = model;
    this.values = this.suited();
  }

  give(options: Partial<SolverOptions>): void {
    this.chosen = { ...this.chosen, ...options };
    this.values = "budget" in options ? this.suited() : { ...this.values, ...options };
  }

  /** The options for a step. Loads and pressure change the number of substeps, unless the user has set it. */
  inStep(pins: PinTable): BodySettings {
    if (this.chosen.substeps !== undefined) return this.values;
    return solverKindOf(this.model).loaded?.(this.model, pins, this.values) ?? this.values;
  }

  private suited(): BodySettings {
    const grain = grainOf(norm(this.world.gravity));
    return { ...solverKindOf(this.model).defaults(this.model, this.chosen, grain), ...this.chosen };
  }
}

/** Options that have a value. An undefined option keeps its earlier value. */
export function withValues(options: Partial<SolverOptions>): Partial<SolverOptions> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
