import { checkNotNegative, checkPositive } from "../checks";
import { invalid } from "../errors";
import { checkNames, optionNames } from "../option-names";
import { builtInCurves } from "./hylc/built-in";
import { tableFromCurves, type FabricCurves } from "./hylc/from-curves";
import { restStiffness } from "./hylc/rest-stiffness";
import { readHylcTable, validateHylcTable, type HylcTable } from "./hylc/table";

/** A woven or knitted sheet, described by numbers that a textile laboratory measures. Warp is u, weft is v. */
export interface Fabric {
  /** mass per area [kg/m²] */
  areaDensity: number;
  /** tensile stiffness along the warp: Young's modulus × thickness [N/m] */
  stretchWarp: number;
  /** tensile stiffness along the weft [N/m] */
  stretchWeft: number;
  /** in-plane shear stiffness [N/m] */
  shear: number;
  /** Poisson's ratio, which couples warp and weft, in [0, 1) */
  poissonRatio: number;
  /** bending stiffness of a strip cut along the warp, per width [N·m] */
  bendingWarp: number;
  /** bending stiffness of a strip cut along the weft, per width [N·m] */
  bendingWeft: number;
  /** Kelvin-Voigt damping time of stretch and shear [s] */
  stretchDamping: number;
  /** damping time of bending [s] */
  bendingDamping: number;
  /**
   * the same of the stretch of a pinned sheet as a whole, while rigid bodies lie on it or hang on it [s], default 0: their swing
   * dies down as the fabric's loss factor wants, which is 2π times this and their frequency, and `stretchDamping` would take stiffness for that
   */
  swingDamping?: number | undefined;
  /** friction coefficient */
  friction: number;
  /**
   * An energy table in HYLC's form, which replaces the stiffnesses above. These are then the table's slopes at rest,
   * for models that cannot use the table. `stretchDamping` is then also the damping time of bending.
   */
  table?: HylcTable | undefined;
}

/** Properties of a fabric that its table does not have. */
export interface TableFabricOptions {
  /** Kelvin-Voigt damping time [s], default 5e-3 */
  damping?: number | undefined;
  /** friction coefficient, default 0.4 */
  friction?: number | undefined;
}

const fabricNumberNames = optionNames<Fabric>()(`
  areaDensity stretchWarp stretchWeft shear poissonRatio bendingWarp bendingWeft stretchDamping bendingDamping friction
  swingDamping table
`);

const tableOptionNames = optionNames<TableFabricOptions>()("damping friction");

export type FabricName =
  | "cotton"
  | "silk"
  | "denim"
  | "canvas"
  | "rubber-sheet"
  | "satin"
  | "basket"
  | "honeycomb"
  | "rib"
  | "stockinette";

/** Makes fabrics whose energy is a table, either from measured curves or loaded. */
export const Fabric = {
  /**
   * A fabric from measured curves:
   *
   *     Fabric.fromCurves({ areaDensity: 0.3, warp: [[0.1, 2], [0.3, 12]], weft: …, shear: …, bendWarp: …, bendWeft: … })
   *
   * @throws PliantError as `tableFromCurves`, and for a negative damping time or friction
   */
  fromCurves(curves: Readonly<FabricCurves>, options: TableFabricOptions = {}, name = "fabric"): Fabric {
    return fabricOfTable(tableFromCurves(curves, name), options, name);
  },

  /**
   * A fabric from a table in the format of the HYLC code: JSON text, the parsed object, or a `HylcTable`.
   *
   * @throws PliantError as `readHylcTable`, and for a negative damping time or friction
   */
  fromTable(source: string | object | HylcTable, options: TableFabricOptions = {}, name = "fabric"): Fabric {
    if (typeof source !== "object" || source === null || !("surfaces" in source))
      return fabricOfTable(readHylcTable(source, name), options, name);
    validateHylcTable(source, name);
    return fabricOfTable(source, options, name);
  },
};

function fabricOfTable(table: HylcTable, options: TableFabricOptions, name: string): Fabric {
  checkNames(name, options, tableOptionNames);
  const { damping = 5e-3, friction = 0.4 } = options;
  const fabric: Fabric = {
    areaDensity: table.areaDensity,
    ...restStiffness(table),
    stretchDamping: damping,
    bendingDamping: damping,
    friction,
    table,
  };
  resolveFabric(name, fabric);
  return fabric;
}

/**
 * Typical values. Areal densities and bending stiffnesses lie in the ranges that the Kawabata evaluation system reports
 * for such fabrics (bending of apparel 0.01 to 0.5 gf·cm²/cm; 1 gf·cm²/cm = 9.8e-5 N·m; denim and coated sheets above);
 * tensile stiffness is the slope of the first percent of the load-extension curve.
 */
export const fabrics: Readonly<Record<FabricName, Readonly<Fabric>>> = {
  // Plain weave shirting.
  cotton: {
    areaDensity: 0.15,
    stretchWarp: 2000,
    stretchWeft: 1500,
    shear: 150,
    poissonRatio: 0.2,
    bendingWarp: 8e-6,
    bendingWeft: 5e-6,
    stretchDamping: 5e-5,
    bendingDamping: 2e-2,
    swingDamping: 8e-3,
    friction: 0.5,
  },
  // Light habotai.
  silk: {
    areaDensity: 0.06,
    stretchWarp: 1200,
    stretchWeft: 800,
    shear: 60,
    poissonRatio: 0.2,
    bendingWarp: 1.5e-6,
    bendingWeft: 1e-6,
    stretchDamping: 5e-5,
    bendingDamping: 1e-2,
    swingDamping: 8e-3,
    friction: 0.25,
  },
  // Twill of 12 oz/yd².
  denim: {
    areaDensity: 0.4,
    stretchWarp: 5000,
    stretchWeft: 3500,
    shear: 600,
    poissonRatio: 0.25,
    bendingWarp: 1.2e-4,
    bendingWeft: 7e-5,
    stretchDamping: 1e-4,
    bendingDamping: 3e-2,
    swingDamping: 8e-3,
    friction: 0.6,
  },
  // Cotton duck no. 8, 18 oz/yd², for what bears people: hammocks, trampolines, slings, tents. Weft is stiffer than warp (Janas and others 2022).
  // Its stiffness is an estimate: a twentieth of that of straight fibers, 4 N/tex, half of the mass along each: the rest goes into crimp and twist. Bending, too, is
  // that of a bending length of 4 cm (Peirce 1930), B = 9.81 m/s² × areaDensity × length³.
  canvas: {
    areaDensity: 0.61,
    stretchWarp: 5e4,
    stretchWeft: 6e4,
    shear: 4000,
    poissonRatio: 0.2,
    bendingWarp: 4e-4,
    bendingWeft: 3e-4,
    stretchDamping: 1e-4,
    bendingDamping: 3e-2,
    swingDamping: 8e-3,
    friction: 0.6,
  },
  // 1 mm of natural rubber: E 1.5 MPa, ν near one half, bending E t³ / 12 (1 − ν²).
  "rubber-sheet": {
    areaDensity: 0.93,
    stretchWarp: 1500,
    stretchWeft: 1500,
    shear: 500,
    poissonRatio: 0.49,
    bendingWarp: 1.6e-4,
    bendingWeft: 1.6e-4,
    stretchDamping: 2e-4,
    bendingDamping: 3e-2,
    friction: 0.9,
  },
  // These fabrics have tables in HYLC's form, with the damping times of HYLC's scenes.
  satin: Fabric.fromCurves(builtInCurves.satin, { damping: 0.0135, friction: 0.3 }),
  basket: Fabric.fromCurves(builtInCurves.basket, { damping: 0.0135 }),
  honeycomb: Fabric.fromCurves(builtInCurves.honeycomb, { damping: 0.004, friction: 0.5 }),
  rib: Fabric.fromCurves(builtInCurves.rib, { damping: 0.0065, friction: 0.5 }),
  stockinette: Fabric.fromCurves(builtInCurves.stockinette, { damping: 0.002, friction: 0.5 }),
};

/**
 * @param fabric a name, or custom values
 * @throws PliantError if the name is unknown or a number is out of range
 */
export function resolveFabric(object: string, fabric: FabricName | Readonly<Fabric>): Readonly<Fabric> {
  if (typeof fabric === "string") {
    // Only own keys count: "constructor" is no fabric.
    if (!Object.hasOwn(fabrics, fabric))
      throw invalid(`${object}.fabric`, fabric, `must be one of ${Object.keys(fabrics)}`);
    return fabrics[fabric];
  }
  checkNames(`${object}.fabric`, fabric, fabricNumberNames);
  const positive = ["areaDensity", "stretchWarp", "stretchWeft", "shear"] as const;
  const atLeastZero = ["bendingWarp", "bendingWeft", "stretchDamping", "bendingDamping", "friction"] as const;
  for (const key of positive) checkPositive(fabric[key], `${object}.fabric.${key}`);
  for (const key of atLeastZero) checkNotNegative(fabric[key], `${object}.fabric.${key}`);
  if (fabric.swingDamping !== undefined) checkNotNegative(fabric.swingDamping, `${object}.fabric.swingDamping`);
  if (fabric.table) validateHylcTable(fabric.table, `${object}.fabric.table`);
  if (!(fabric.poissonRatio >= 0 && fabric.poissonRatio < 1))
    throw invalid(`${object}.fabric.poissonRatio`, fabric.poissonRatio, "must be in [0, 1)");
  return fabric;
}
