import type { Vec3 } from "../../math/types";
import { type Affine, compose, IDENTITY, transformPoint } from "./affine";
import type { ColliderShape } from "./shape";
import { lengthOf } from "../../math/vectors";

/** Axis-aligned box, meters. */
export interface Bounds {
  readonly min: [number, number, number];
  readonly max: [number, number, number];
}

/** Smallest axis-aligned box around a shape that `map` takes to another frame. */
export function shapeBounds(shape: ColliderShape, map: Affine = IDENTITY): Bounds {
  switch (shape.type) {
    case "sphere":
      return around(compose(map, shape.center), (row) => shape.radius * lengthOf(...row));
    case "box": {
      const frame = compose(map, shape.center, shape.rotation);
      const [a, b, c] = shape.halfExtents;
      return around(frame, (row) => Math.abs(row[0]) * a + Math.abs(row[1]) * b + Math.abs(row[2]) * c);
    }
    case "capsule": {
      const reach = (row: Vec3): number => shape.radius * lengthOf(...row);
      return union([shape.pointA, shape.pointB].map((p) => around(compose(map, p), reach)));
    }
    case "cylinder": {
      const axis = direction(shape.pointA, shape.pointB);
      const reach = (row: Vec3): number => {
        const along = row[0] * axis[0] + row[1] * axis[1] + row[2] * axis[2];
        return (
          shape.radius * Math.sqrt(Math.max(0, row[0] * row[0] + row[1] * row[1] + row[2] * row[2] - along * along))
        );
      };
      return union([shape.pointA, shape.pointB].map((p) => around(compose(map, p), reach)));
    }
    case "convex-hull":
    case "mesh":
      return pointBounds(shape.positions, map);
    case "heightfield": {
      const low = Math.min(...extremes(shape.heights));
      const high = Math.max(...extremes(shape.heights));
      const x = shape.sizeX / 2;
      const z = shape.sizeZ / 2;
      const corners = [-x, x].flatMap((cx) => [low, high].flatMap((cy) => [-z, z].flatMap((cz) => [cx, cy, cz])));
      return pointBounds(corners, map);
    }
    case "container":
      return union(
        shape.children.map((child) =>
          shapeBounds(child.shape, compose(map, child.position, child.rotation, child.scale)),
        ),
      );
  }
}

/** Box around all boxes; the origin if the list is empty. */
export function union(boxes: readonly Bounds[]): Bounds {
  if (boxes.length === 0) return { min: [0, 0, 0], max: [0, 0, 0] };
  const pick = (choose: (...values: number[]) => number, key: keyof Bounds): [number, number, number] => [
    choose(...boxes.map((box) => box[key][0])),
    choose(...boxes.map((box) => box[key][1])),
    choose(...boxes.map((box) => box[key][2])),
  ];
  return { min: pick(Math.min, "min"), max: pick(Math.max, "max") };
}

/** Box around the frame's origin; `reach` gives its half extent for each row of the frame's matrix. */
function around(frame: Affine, reach: (row: Vec3) => number): Bounds {
  const r = [0, 1, 2].map((i) => reach([frame.a[3 * i], frame.a[3 * i + 1], frame.a[3 * i + 2]]));
  const [x, y, z] = frame.t;
  return { min: [x - r[0], y - r[1], z - r[2]], max: [x + r[0], y + r[1], z + r[2]] };
}

function pointBounds(points: ArrayLike<number>, map: Affine): Bounds {
  const min: [number, number, number] = [Infinity, Infinity, Infinity];
  const max: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < points.length; i += 3)
    transformPoint(map, points, i).forEach((value, axis) => {
      min[axis] = Math.min(min[axis], value);
      max[axis] = Math.max(max[axis], value);
    });
  return { min, max };
}

function extremes(values: ArrayLike<number>): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    low = Math.min(low, values[i]);
    high = Math.max(high, values[i]);
  }
  return [low, high];
}

function direction(from: Vec3, to: Vec3): Vec3 {
  const d = [to[0] - from[0], to[1] - from[1], to[2] - from[2]] as const;
  const size = lengthOf(...d);
  return [d[0] / size, d[1] / size, d[2] / size];
}
