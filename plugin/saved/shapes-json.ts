import type { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import type { Scene } from "@babylonjs/core/scene";
import type { ColliderShape, Quat, Vec3 } from "../../src/index";
import type { SurfaceMaterial } from "../materials";
import { checkedShapeData, type ShapeData } from "../shape/shape-data";
import { plainOf, revived, type Json } from "./plain";

/** A shape of a file, in units of the scene. */
export interface ShapeJson {
  readonly type: PhysicsShapeType;
  readonly geometry?: ColliderShape;
  readonly density: number;
  readonly material?: SurfaceMaterial;
  readonly membershipMask?: number;
  readonly collideMask?: number;
  readonly isTrigger?: boolean;
  /** numbers of shapes, with their places */
  readonly children?: readonly { shape: number; position?: Vec3; rotation?: Quat; scale?: Vec3 }[];
}

/** Lists shapes, each once: bodies and containers share them. */
export class ShapeList {
  readonly list: Json[] = [];
  private readonly numbers = new Map<ShapeData, number>();

  /** The number of a shape; its children have lower ones. */
  numberOf(data: ShapeData): number {
    const known = this.numbers.get(data);
    if (known !== undefined) return known;
    const children = data.children.map(({ data: child, ...place }) => ({ shape: this.numberOf(child), ...place }));
    const { type, geometry, density, material, membershipMask, collideMask, isTrigger } = data;
    const own = { type, geometry, density, material, membershipMask, collideMask, isTrigger, children };
    const number = this.list.push(plainOf(own) as Json) - 1;
    this.numbers.set(data, number);
    return number;
  }
}

/** Makes the shapes of a list. @throws PliantError naming shape, value and rule */
export function makeShapes(object: string, list: readonly ShapeJson[], scene: Scene): PhysicsShape[] {
  const made: ShapeData[] = [];
  return list.map((json, k) => {
    const { type, geometry, density, children = [], ...settings } = revived(json);
    const data = checkedShapeData(`${object} shape ${k}`, type, geometry, density);
    Object.assign(data, settings);
    for (const { shape, ...place } of children) data.children.push({ data: made[shape], ...place });
    made.push(data);
    const shape = new PhysicsShape({ pluginData: data }, scene);
    data.owner = shape;
    if (settings.isTrigger) shape.isTrigger = true;
    return shape;
  });
}
