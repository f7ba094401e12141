import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Matrix } from "@babylonjs/core/Maths/math.vector";
import type { GroundMesh } from "@babylonjs/core/Meshes/groundMesh";
import type { PhysicsShapeParameters } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { degenerate, invalid } from "../../src/errors";
import type { ColliderShape } from "../../src/index";
import { transformPoints } from "../geometry/mesh-transform";

/**
 * A heightfield from Babylon's numbers. Babylon stores the rows of an image: the first row is at the largest z, and
 * heights in a row go along x.
 *
 * @throws PliantError if a number is missing
 */
export function heightfieldFromData(object: string, options: PhysicsShapeParameters): ColliderShape {
  const { heightFieldSizeX, heightFieldSizeZ, numHeightFieldSamplesX, numHeightFieldSamplesZ, heightFieldData } =
    options;
  if (!heightFieldSizeX || !heightFieldSizeZ || !numHeightFieldSamplesX || !numHeightFieldSamplesZ || !heightFieldData)
    throw invalid(
      object,
      undefined,
      "needs heightFieldSizeX and Z, numHeightFieldSamplesX and Z and heightFieldData, or a groundMesh",
    );
  return {
    type: "heightfield",
    sizeX: heightFieldSizeX,
    sizeZ: heightFieldSizeZ,
    samplesX: numHeightFieldSamplesX,
    samplesZ: numHeightFieldSamplesZ,
    heights: rowsReversed(heightFieldData, numHeightFieldSamplesX, numHeightFieldSamplesZ),
  };
}

function rowsReversed(data: ArrayLike<number>, columns: number, rows: number): Float64Array {
  const heights = new Float64Array(data.length);
  for (let i = 0; i < data.length; i++) {
    const row = Math.floor(i / columns);
    heights[(rows - 1 - row) * columns + (i % columns)] = data[i];
  }
  return heights;
}

/**
 * A heightfield from a ground mesh, whose vertices are a grid in the plane of x and z. The scaling of the mesh is baked
 * in.
 *
 * @throws PliantError if the vertices are no such grid
 */
export function heightfieldFromGround(ground: GroundMesh): ColliderShape {
  const object = `ground mesh "${ground.name}"`;
  const samplesX = ground.subdivisionsX + 1;
  const samplesZ = ground.subdivisionsY + 1;
  const local = ground.getVerticesData(VertexBuffer.PositionKind);
  if (!local || local.length !== 3 * samplesX * samplesZ)
    throw degenerate(object, (local?.length ?? 0) / 3, `must have ${samplesX} × ${samplesZ} vertices in a grid`);
  ground.computeWorldMatrix(true);
  const scaling = ground.absoluteScaling;
  const points = transformPoints(local, Matrix.Scaling(scaling.x, scaling.y, scaling.z));
  const [lowX, highX] = extent(points, 0);
  const [lowZ, highZ] = extent(points, 2);
  const heights = new Float64Array(samplesX * samplesZ);
  const filled = new Uint8Array(heights.length);
  for (let i = 0; i < points.length; i += 3) {
    const column = Math.round(((points[i] - lowX) / (highX - lowX)) * (samplesX - 1));
    const row = Math.round(((points[i + 2] - lowZ) / (highZ - lowZ)) * (samplesZ - 1));
    heights[row * samplesX + column] = points[i + 1];
    filled[row * samplesX + column] = 1;
  }
  if (filled.includes(0)) throw degenerate(object, filled.indexOf(0), "must have a vertex at every point of its grid");
  const shape: ColliderShape = {
    type: "heightfield",
    sizeX: highX - lowX,
    sizeZ: highZ - lowZ,
    samplesX,
    samplesZ,
    heights,
  };
  const x = (lowX + highX) / 2;
  const z = (lowZ + highZ) / 2;
  const size = Math.max(highX - lowX, highZ - lowZ);
  if (Math.abs(x) + Math.abs(z) < 1e-6 * size) return shape;
  return { type: "container", children: [{ shape, position: [x, 0, z] }] };
}

function extent(points: ArrayLike<number>, axis: number): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = axis; i < points.length; i += 3) {
    low = Math.min(low, points[i]);
    high = Math.max(high, points[i]);
  }
  return [low, high];
}
