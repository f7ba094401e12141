import * as structs from "../../generated/structs";
import type { ColliderSet } from "./collider-set";
import { POSE } from "../shape/pose";

const LAYOUT = structs.ColliderPrimitive;
const F = LAYOUT.fields;

/** Bytes from one ColliderPrimitive to the next in a shader's array. */
export const PRIMITIVE_STRIDE = Math.ceil(LAYOUT.size / LAYOUT.align) * LAYOUT.align;

/**
 * Writes records of the set as the shaders' `ColliderPrimitive`, each at its place in the whole array.
 *
 * @param view memory for all primitives of the set, PRIMITIVE_STRIDE bytes each
 * @param first first primitive to write
 * @param count how many
 */
export function packPrimitives(set: ColliderSet, view: DataView, first = 0, count = set.primitiveCount): void {
  for (let k = first; k < first + count; k++) {
    const at = k * PRIMITIVE_STRIDE;
    writeFloats(view, at + F.startPosition.offset, set.startPoses, POSE * k, 3);
    writeFloats(view, at + F.startRotation.offset, set.startPoses, POSE * k + 3, 4);
    writeFloats(view, at + F.endPosition.offset, set.endPoses, POSE * k, 3);
    writeFloats(view, at + F.endRotation.offset, set.endPoses, POSE * k + 3, 4);
    writeFloats(view, at + F.size.offset, set.primitives[k].size, 0, 4);
    writeFloats(view, at + F.boundsMin.offset, set.bounds, 6 * k, 3);
    writeFloats(view, at + F.boundsMax.offset, set.bounds, 6 * k + 3, 3);
    view.setFloat32(at + F.friction.offset, set.friction[k], true);
    view.setUint32(at + F.frictionCombine.offset, set.frictionCombine[k], true);
    view.setUint32(at + F.kind.offset, set.primitives[k].kind, true);
    view.setUint32(at + F.moving.offset, set.moving[k], true);
    view.setUint32(at + F.dataOffset.offset, set.dataOffsets[k], true);
    view.setUint32(at + F.proxy.offset, 1 + set.proxyOf[k], true);
  }
}

/** The joined data of all primitives: `colliderData` of the shaders. */
export function packData(set: ColliderSet): Float32Array<ArrayBuffer> {
  const out = new Float32Array(set.dataLength);
  set.primitives.forEach((primitive, k) => out.set(primitive.data, set.dataOffsets[k]));
  return out;
}

function writeFloats(view: DataView, at: number, values: ArrayLike<number>, from: number, count: number): void {
  for (let i = 0; i < count; i++) view.setFloat32(at + 4 * i, values[from + i], true);
}
