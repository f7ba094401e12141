import { BoundingBox } from "@babylonjs/core/Culling/boundingBox";
import { Vector3, type Quaternion } from "@babylonjs/core/Maths/math.vector";
import type { PhysicsShapeParameters, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsMaterial } from "@babylonjs/core/Physics/v2/physicsMaterial";
import type { PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import { invalid, outOfRange } from "../../src/errors";
import { requireFiniteVector, requirePositive, requireRotation, toQuat, toVec3 } from "../geometry/convert";
import { completeMaterial, defaultMaterial } from "../materials";
import type { SceneFrame } from "../scene-frame";
import { shapeBounds } from "../../src/collision/shape/shape-bounds";
import { contains, createShapeData, dataOf, wholeGeometry, type ShapeData } from "../shape/shape-data";

/** The methods of Babylon's physics plugins about shapes. */
export abstract class ShapeMethods {
  /** @throws PliantError `disposed` if the plugin was disposed of */
  protected abstract check(): void;

  /** The place of the engine's world in the scene. */
  abstract readonly frame: SceneFrame;

  /** Most corners of a hull; undefined for all. */
  abstract readonly maxHullVertices: number | undefined;

  /** @throws PliantError naming shape, value and rule */
  initShape(shape: PhysicsShape, type: PhysicsShapeType, options: PhysicsShapeParameters): void {
    this.check();
    const data = createShapeData(type, options, this.frame.unitsPerMetre, this.maxHullVertices);
    data.owner = shape;
    shape._pluginData = data;
  }

  getShapeType(shape: PhysicsShape): PhysicsShapeType {
    return dataOf(shape).type;
  }

  setShapeFilterMembershipMask(shape: PhysicsShape, membershipMask: number): void {
    change(shape, (data) => (data.membershipMask = membershipMask));
  }

  getShapeFilterMembershipMask(shape: PhysicsShape): number {
    return dataOf(shape).membershipMask ?? ~0;
  }

  setShapeFilterCollideMask(shape: PhysicsShape, collideMask: number): void {
    change(shape, (data) => (data.collideMask = collideMask));
  }

  getShapeFilterCollideMask(shape: PhysicsShape): number {
    return dataOf(shape).collideMask ?? ~0;
  }

  setMaterial(shape: PhysicsShape, material: PhysicsMaterial): void {
    const complete = completeMaterial(material);
    change(shape, (data) => (data.material = complete));
  }

  getMaterial(shape: PhysicsShape): PhysicsMaterial {
    return { ...(dataOf(shape).material ?? defaultMaterial) };
  }

  /** @param density kg/m³ */
  setDensity(shape: PhysicsShape, density: number): void {
    requirePositive("PhysicsShape.density", density);
    change(shape, (data) => (data.density = density / this.frame.unitsPerMetre ** 3));
  }

  getDensity(shape: PhysicsShape): number {
    return dataOf(shape).density * this.frame.unitsPerMetre ** 3;
  }

  addChild(
    shape: PhysicsShape,
    newChild: PhysicsShape,
    translation?: Vector3,
    rotation?: Quaternion,
    scale?: Vector3,
  ): void {
    const parent = dataOf(shape);
    const data = dataOf(newChild);
    if (parent.geometry) throw invalid("PhysicsShape.addChild", parent.geometry.type, "needs a container");
    if (contains(data, parent)) throw invalid("PhysicsShape.addChild", "child", "must not contain its container");
    if (translation) requireFiniteVector("PhysicsShape.addChild translation", translation);
    if (rotation) requireRotation("PhysicsShape.addChild rotation", rotation);
    if (scale) requireFiniteVector("PhysicsShape.addChild scale", scale);
    if (scale && scale.x * scale.y * scale.z === 0)
      throw invalid("PhysicsShape.addChild scale", toVec3(scale), "no factor may be zero");
    const child = {
      data,
      position: translation && toVec3(translation),
      rotation: rotation && toQuat(rotation),
      scale: scale && toVec3(scale),
    };
    change(shape, () => parent.children.push(child));
  }

  removeChild(shape: PhysicsShape, childIndex: number): void {
    const { children } = dataOf(shape);
    if (!children[childIndex])
      throw outOfRange("PhysicsShape.removeChild", childIndex, `must be below ${children.length}`);
    change(shape, () => children.splice(childIndex, 1));
  }

  getNumChildren(shape: PhysicsShape): number {
    return dataOf(shape).children.length;
  }

  /** Box around the shape in its own frame. */
  getBoundingBox(shape: PhysicsShape): BoundingBox {
    const geometry = wholeGeometry(dataOf(shape));
    const { min, max } = geometry ? shapeBounds(geometry) : { min: [0, 0, 0], max: [0, 0, 0] };
    return new BoundingBox(Vector3.FromArray(min), Vector3.FromArray(max));
  }

  /** Disposes of a shape. A body that still has the shape keeps its geometry. */
  disposeShape(shape: PhysicsShape): void {
    const data = shape._pluginData as ShapeData | undefined;
    if (data) data.disposed = true;
  }
}

/** Changes a shape; the bodies that share it notice in the next step. */
function change(shape: PhysicsShape, act: (data: ShapeData) => void): void {
  const data = dataOf(shape);
  act(data);
  data.version++;
}
