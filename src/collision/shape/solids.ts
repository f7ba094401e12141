import { boxOf } from "../../geometry/box";
import type { Quat, Vec3 } from "../../math/types";
import { type Affine, alongAxis, compose, decompose, nearlyEqual, transformPoint, transformPoints } from "./affine";
import type { ColliderShape, HeightfieldShape, MeshShape } from "./shape";
import { boxPoints, capsulePoints, cylinderPoints, spherePoints } from "./tessellation";

/** Makes the parts that a shape consists of. Capsules and cylinders are along Y; the half of a capsule is without its caps. */
export interface SolidMaker<Part> {
  sphere(radius: number, position: Vec3): Part;
  box(halfExtents: Vec3, position: Vec3, rotation: Quat): Part;
  capsule(half: number, radius: number, position: Vec3, rotation: Quat): Part;
  cylinder(half: number, radius: number, position: Vec3, rotation: Quat): Part;
  /** @param points relative to the middle of their box, whose half sides follow */
  hull(points: Float64Array, middle: Vec3, half: Vec3, object: string, maxVertices?: number): Part;
  mesh(shape: MeshShape, map: Affine, object: string): Part;
  heightfield(shape: HeightfieldShape, map: Affine, object: string): Part;
}

/**
 * Flattens a shape that `map` takes to another frame. The geometry takes over scales of containers. If the scaled shape is none of the
 * basic kinds (a sphere with unequal factors, a sheared box), a convex hull of points on its surface replaces it.
 *
 * @param object name of the owner of the shape, for messages
 */
export function solidsOf<Part>(shape: ColliderShape, map: Affine, object: string, make: SolidMaker<Part>): Part[] {
  const hull = (frame: Affine, surface: ArrayLike<number>, maxVertices?: number): Part[] => {
    const points = transformPoints(frame, surface);
    const { min, max } = boxOf(points);
    // Planes and corners are given relative to the middle, where rounding to f32 hurts least.
    const middle: Vec3 = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2, (min[2] + max[2]) / 2];
    const half: Vec3 = [(max[0] - min[0]) / 2, (max[1] - min[1]) / 2, (max[2] - min[2]) / 2];
    const centered = points.map((value, i) => value - middle[i % 3]);
    return [make.hull(centered, middle, half, object, maxVertices)];
  };
  switch (shape.type) {
    case "sphere": {
      const frame: Affine = { a: map.a, t: transformPoint(map, shape.center ?? [0, 0, 0]) };
      const [sx, sy, sz] = decompose(frame)?.scale.map(Math.abs) ?? [0, 0, 1];
      if (!nearlyEqual(sx, sy) || !nearlyEqual(sx, sz)) return hull(frame, spherePoints(shape.radius));
      return [make.sphere(shape.radius * sx, frame.t)];
    }
    case "box": {
      const frame = compose(map, shape.center, shape.rotation);
      const split = decompose(frame);
      if (!split) return hull(frame, boxPoints(shape.halfExtents));
      const [x, y, z] = split.scale.map((factor, axis) => Math.abs(factor) * shape.halfExtents[axis]);
      return [make.box([x, y, z], frame.t, split.rotation)];
    }
    case "capsule":
    case "cylinder": {
      const { type, radius } = shape;
      const isCapsule = type === "capsule";
      const { half, frame } = alongAxis(map, shape);
      const split = decompose(frame);
      const [sx, sy, sz] = split?.scale.map(Math.abs) ?? [0, 0, 1];
      if (!split || !nearlyEqual(sx, sz) || (isCapsule && !nearlyEqual(sx, sy)))
        return hull(frame, (isCapsule ? capsulePoints : cylinderPoints)(half, radius));
      return [make[type](half * (isCapsule ? sx : sy), radius * sx, frame.t, split.rotation)];
    }
    case "convex-hull":
      return hull(map, shape.positions, shape.maxVertices);
    case "mesh":
      return [make.mesh(shape, map, object)];
    case "heightfield":
      return [make.heightfield(shape, map, object)];
    case "container":
      return shape.children.flatMap((child, index) => {
        const local = compose(map, child.position, child.rotation, child.scale);
        return solidsOf(child.shape, local, `${object}.children[${index}]`, make);
      });
  }
}
