import { checkFinite } from "../../checks";
import { invalid, unsupported } from "../../errors";
import { checkNames, optionNames } from "../../option-names";
import type { ArticulatedModel } from "../model";

/**
 * Numbers that differ from world to world, world after world. A scale may have one number for each world, or one for each of its links or
 * actuators too.
 */
export interface WorldParameters {
  /** worlds × 3 [m/s²] */
  readonly gravity?: ArrayLike<number>;
  /** Factors of the masses and inertias of links, positive: worlds, or worlds × links. */
  readonly massScale?: ArrayLike<number>;
  /** Factors of all coefficients of friction: worlds. */
  readonly frictionScale?: ArrayLike<number>;
  /** Dampers of joints: worlds × nv. */
  readonly damping?: ArrayLike<number>;
  /** Armature of joints: worlds × nv. Ball and free joints that nothing else holds have none. */
  readonly armature?: ArrayLike<number>;
  /** Factors of gain and bias of motors and servos: worlds, or worlds × actuators. */
  readonly gainScale?: ArrayLike<number>;
}

export const worldParameterNames = optionNames<WorldParameters>()(
  "gravity massScale frictionScale damping armature gainScale",
);

type Kind = keyof WorldParameters;

/** Fields of `BatchParameters` that say where the rows of a kind begin. */
export const rowFields = {
  gravity: "gravityRow",
  massScale: "massRow",
  frictionScale: "frictionRow",
  damping: "dampingRow",
  armature: "armatureRow",
  gainScale: "gainRow",
} as const satisfies Record<Kind, string>;

/** The facts of a batch that `Variations` needs. */
interface Layout {
  readonly model: ArticulatedModel;
  readonly worlds: number;
  /** coordinate of each actuator */
  readonly driven: readonly number[];
  /** 1 for coordinates of rotations that have no armature */
  readonly isFree: Uint8Array;
  /** of hulls and ways, in the first rows */
  readonly tables: Float32Array;
}

/** The parameters of all worlds, in the layout of the shaders: rows × worlds. */
export class Variations {
  /** rows of each kind that is set, in order */
  private readonly rows = new Map<Kind, Float32Array>();

  constructor(private readonly layout: Layout) {}

  /**
   * Sets kinds of parameters; others stay as they are.
   *
   * @returns whether there are kinds that were not there before
   * @throws PliantError for unknown names, wrong lengths, and numbers that are out of range; nothing is changed then
   */
  set(parameters: WorldParameters): boolean {
    checkNames("BatchSimulation.setParameters", parameters, worldParameterNames);
    const given = (Object.keys(worldParameterNames) as Kind[]).flatMap((kind) => {
      const values = parameters[kind];
      return values === undefined ? [] : [[kind, this.rowsOf(kind, values)] as const];
    });
    const isNew = given.some(([kind]) => !this.rows.has(kind));
    for (const [kind, rows] of given) this.rows.set(kind, rows);
    return isNew;
  }

  /** All numbers, and the rows where those of each kind begin. */
  pack(): { readonly data: Float32Array; readonly first: ReadonlyMap<Kind, number> } {
    const { worlds, tables } = this.layout;
    const first = new Map<Kind, number>();
    let size = Math.ceil(tables.length / worlds) * worlds;
    for (const [kind, rows] of this.rows) {
      first.set(kind, size / worlds);
      size += rows.length;
    }
    const data = new Float32Array(size);
    data.set(tables);
    for (const [kind, rows] of this.rows) data.set(rows, first.get(kind)! * worlds);
    return { data, first };
  }

  /** Values from world after world to row after row. */
  private rowsOf(kind: Kind, values: ArrayLike<number>): Float32Array {
    const { model, worlds, driven } = this.layout;
    const object = `BatchSimulation.setParameters ${kind}`;
    const widths: Record<Kind, readonly number[]> = {
      gravity: [3],
      massScale: [1, model.linkCount],
      frictionScale: [1],
      damping: [model.nv],
      armature: [model.nv],
      gainScale: [1, driven.length],
    };
    const width = widths[kind].find((count) => count > 0 && values.length === count * worlds);
    if (width === undefined) {
      const rule = `length must be ${widths[kind].map((count) => count * worlds).join(" or ")}`;
      throw invalid(object, values.length, rule);
    }
    for (let i = 0; i < values.length; i++) this.check(kind, values[i], i % width, `${object}[${i}]`);
    // Factors of actuators stand in the rows of the coordinates that they drive.
    const isDriven = kind === "gainScale";
    const full = isDriven ? model.nv : kind === "massScale" ? model.linkCount : width;
    const rows = new Float32Array(full * worlds).fill(1);
    for (let row = 0; row < full; row++) {
      const column = isDriven ? driven.indexOf(row) : row;
      if (column < 0) continue;
      for (let w = 0; w < worlds; w++) rows[row * worlds + w] = values[w * width + (width === 1 ? 0 : column)];
    }
    return rows;
  }

  private check(kind: Kind, value: number, column: number, object: string): void {
    checkFinite(value, object);
    if (kind === "gravity") return;
    if (value < 0 || (value === 0 && kind === "massScale"))
      throw invalid(object, value, value < 0 ? "must not be negative" : "must be positive");
    if (kind === "armature" && value > 0 && this.layout.isFree[column] === 1)
      throw unsupported(object, value, "must be 0 for a ball or free joint that nothing else holds");
  }
}
