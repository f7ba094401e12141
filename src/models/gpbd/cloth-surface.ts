import type { RestTriangle } from "../../geometry/material-frame";
import type { buildEdges } from "../../geometry/surface/edges";
import type { Vec3 } from "../../math/types";

/** A welded mesh with its rest shape, for the builders of terms. */
export interface ClothSurface {
  readonly name: string;
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
  readonly edges: ReturnType<typeof buildEdges>;
  readonly triangles: readonly RestTriangle[];
  /** unit warp direction of each triangle */
  readonly warps: readonly Vec3[];
}
