import { checkPositive } from "../../checks";
import { invalid, nonFinite } from "../../errors";
import { checkNames, optionNames } from "../../option-names";
import type { Vec3 } from "../../math/types";
import { stuffLattice, type Solid } from "./lattice-stuffing";
import type { TetMesh } from "./tet-mesh";
import { lengthOf } from "../../math/vectors";

/**
 * A ball of well-shaped tetrahedra, the same along all three axes.
 *
 * @param ball radius [m], cubes of the lattice along its diameter (from 2), middle [m] (default the origin)
 * @throws PliantError `invalid-argument`
 */
export function ballTetrahedra(ball: { radius: number; resolution: number; center?: Vec3 | undefined }): TetMesh {
  checkNames("ball", ball, optionNames<typeof ball>()("radius resolution center"));
  const { radius, resolution, center = [0, 0, 0] } = ball;
  checkPositive(radius, "ball.radius");
  if (!(resolution >= 2 && Number.isFinite(resolution)))
    throw invalid("ball.resolution", resolution, "must be at least 2");
  if (!center.every(Number.isFinite)) throw nonFinite("ball.center", center, "must be finite");
  const solid: Solid = {
    min: center.map((c) => c - radius) as unknown as Vec3,
    max: center.map((c) => c + radius) as unknown as Vec3,
    contains: (x, y, z) => lengthOf(x - center[0], y - center[1], z - center[2]) < radius,
    crossing: (x, a, b) => {
      // ‖u + t d‖ = r from a point inside
      let [dd, ud, uu] = [0, 0, -radius * radius];
      for (let c = 0; c < 3; c++) {
        const u = x[3 * a + c] - center[c];
        const d = x[3 * b + c] - x[3 * a + c];
        dd += d * d;
        ud += u * d;
        uu += u * u;
      }
      return (Math.sqrt(ud * ud - dd * uu) - ud) / dd;
    },
  };
  return stuffLattice(solid, (2 * radius) / resolution, 0);
}
