import { deviceLimit } from "../../../src/errors";

/** Floats of a drawn vertex: position and normal. */
export const FLOATS = 6;

/** Bytes of a vertex in the largest of the buffers. */
export const BYTES_PER_VERTEX = FLOATS * Float32Array.BYTES_PER_ELEMENT;

/** @throws PliantError `device-limit` if a mesh has more vertices than one binding of the device can hold */
export function requireRoom(object: string, device: GPUDevice, vertexCount: number): void {
  const { maxStorageBufferBindingSize, maxBufferSize } = device.limits;
  const most = Math.floor(Math.min(maxStorageBufferBindingSize, maxBufferSize) / BYTES_PER_VERTEX);
  if (vertexCount > most)
    throw deviceLimit(object, `${vertexCount} vertices`, `must have at most ${most} on this device`);
}
