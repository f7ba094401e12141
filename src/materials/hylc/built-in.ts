import type { FabricCurves, MeasuredCurve } from "./from-curves";

/**
 * Fabrics with the character of five that HYLC was demonstrated with: weight, stretch, anisotropy and direction of curl
 * are similar. The curves are Pliant's own. x (warp, u) runs across the ribs of the rib knit, and along the courses of
 * stockinette.
 */
export const builtInCurves = {
  satin: {
    areaDensity: 0.42,
    warp: curve(0.02, 6, 0.06, 28, 0.12, 90, 0.25, 320),
    weft: curve(0.03, 6, 0.08, 26, 0.16, 85, 0.3, 280),
    shear: curve(0.1, 0.6, 0.3, 3, 0.6, 14, 0.8, 40),
    bendWarp: curve(60, 2.4e-4, 250, 7e-4),
    bendWeft: curve(60, 1.8e-4, 250, 5.5e-4),
    poissonRatio: 0.15,
  },
  basket: {
    areaDensity: 0.35,
    warp: curve(0.03, 5, 0.1, 24, 0.2, 75, 0.35, 220),
    weft: curve(0.03, 4.6, 0.1, 22, 0.2, 70, 0.35, 210),
    shear: curve(0.1, 0.4, 0.3, 1.8, 0.6, 9, 0.8, 28),
    bendWarp: curve(60, 3e-4, 250, 9e-4),
    bendWeft: curve(60, 2.8e-4, 250, 8.5e-4),
    poissonRatio: 0.2,
  },
  honeycomb: {
    areaDensity: 0.5,
    warp: curve(0.05, 2.5, 0.2, 13, 0.4, 42, 0.6, 120),
    weft: curve(0.05, 2.2, 0.2, 11, 0.4, 36, 0.6, 105),
    shear: curve(0.1, 0.5, 0.3, 2, 0.6, 8, 0.8, 22),
    bendWarp: curve(40, 4e-4, 150, 1.2e-3),
    bendWeft: curve(40, 3.6e-4, 150, 1.1e-3),
    naturalCurvature: [23, 23],
    poissonRatio: 0.1,
  },
  rib: {
    areaDensity: 0.31,
    warp: curve(0.2, 0.9, 0.5, 2.6, 0.8, 6, 1.1, 20),
    weft: curve(0.05, 2.4, 0.15, 9, 0.3, 28, 0.45, 75),
    shear: curve(0.1, 0.4, 0.3, 1.5, 0.6, 5, 0.8, 12),
    bendWarp: curve(40, 1.6e-4, 150, 5e-4),
    bendWeft: curve(40, 4e-4, 150, 1.2e-3),
    poissonRatio: 0.1,
  },
  stockinette: {
    areaDensity: 0.33,
    warp: curve(0.1, 1.4, 0.3, 5, 0.5, 12, 0.75, 45),
    weft: curve(0.1, 2, 0.25, 6.5, 0.4, 16, 0.6, 55),
    shear: curve(0.1, 0.35, 0.3, 1.3, 0.6, 5, 0.8, 13),
    bendWarp: curve(60, 3.6e-4, 250, 1.3e-3),
    bendWeft: curve(60, 3.6e-4, 250, 1.3e-3),
    naturalCurvature: [-114, 175],
    poissonRatio: 0.25,
  },
} satisfies Record<string, FabricCurves>;

/** Points of a curve, from their abscissas and ordinates in turn. */
/* @__NO_SIDE_EFFECTS__ */
function curve(...numbers: readonly number[]): MeasuredCurve {
  return Array.from({ length: numbers.length / 2 }, (_, i) => [numbers[2 * i], numbers[2 * i + 1]] as const);
}
