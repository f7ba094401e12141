import { optionNames } from "../option-names";
import type { Vec3 } from "../math/types";
import type { TearingOptions } from "../solvers/gpbd/tearing/tearable";
import type { WindField } from "../solvers/wind/wind-field";
import type { Backend } from "./backend/backend";
import type { PinMemory } from "./body-pins";
import type { SolverOptions } from "./backend/body-settings";
import { solverOptionNames } from "./backend/solvers";
import type { SystemHost } from "./backend/systems";

/** Options of a body. Among the options of solvers, those of the body's own solver count. */
export interface BodyOptions extends Partial<SolverOptions> {
  name?: string | undefined;
  /** particles held in place from the start */
  pins?: ArrayLike<number> | undefined;
  /** compliance of these pins, see `PinOptions.compliance` [m/N] */
  pinCompliance?: number | undefined;
  /** whether the body may fall asleep when it rests, default true; see `DeformableBody.isAsleep` */
  canSleep?: boolean | undefined;
  /**
   * order of garments over one another: a body of a higher layer is worn outside one of a lower layer, on the side of the normals of
   * that one's surface. An outer one that begins inside an inner one is put outside before the next step. Bodies of one layer, and
   * those without, have no order. Not for cloth that tears
   */
  layer?: number | undefined;
  /** cloth tears if it is stretched too much; see `onTear` */
  tearing?: TearingOptions | undefined;
}

export const bodyOptionNames = optionNames<BodyOptions>()(
  "name pins pinCompliance canSleep? layer tearing",
  solverOptionNames,
);

/** The data that a body starts its next step from, besides its state. */
export interface BodyMemory {
  readonly pins: PinMemory;
  readonly solver: readonly Float64Array[] | undefined;
}

/** The parts of a world that a body uses. */
export interface BodyHost extends SystemHost {
  /** numbers bodies in the order in which they are made */
  takeId(): number;
  readonly backend: Backend;
  readonly time: number;
  readonly gravity: Vec3;
  /** of the world, see `WindField` */
  readonly wind: WindField | undefined;
}
