import { buildIncidence } from "../../../geometry/surface/incidence";
import type { TermParts } from "../elements/gpu-term";
import type { GpbdModel } from "../model";

/** Bytes of an entry of the table. */
export const ENTRY = 16;
/** Entries of a substep. */
export const SUBSTEP_ENTRIES = 2;
/** Most substeps that the options allow. */
export const MOST_SUBSTEPS = 1000;
/** Bytes of the tethers of a particle. */
const TETHER_BYTES = 32;

/**
 * All that is constant in a frame of a body, in one table, with the first entry of each part as `FusedBody` names it. Pins, tethers and
 * substeps are written later.
 */
export function fusedTable({ particleCount, faces }: GpbdModel, [membrane, bending]: readonly TermParts[]) {
  const parts: { at: number; data: ArrayBufferView }[] = [];
  let size = 0;
  const reserve = (bytes: number): number => {
    const at = size;
    size += Math.ceil(bytes / ENTRY);
    return at;
  };
  const add = (data: ArrayBufferView | undefined): number => {
    if (data) parts.push({ at: size, data });
    return reserve(data?.byteLength ?? 0);
  };
  const corners = new Uint32Array((faces.length / 3) * 4);
  faces.forEach((vertex, i) => (corners[4 * Math.floor(i / 3) + (i % 3)] = vertex));
  const around = buildIncidence(faces, particleCount);
  const places = {
    membranes: add(membrane.elements),
    membraneRows: add(membrane.incidence.offsets),
    membraneEntries: add(membrane.incidence.entries),
    membraneColors: add(membrane.colours),
    bendings: add(bending?.elements),
    bendingRows: add(bending?.incidence.offsets),
    bendingEntries: add(bending?.incidence.entries),
    bendingColors: add(bending?.colours),
    faces: add(corners),
    faceRows: add(around.offsets),
    faceEntries: add(around.entries),
    pins: reserve(ENTRY * particleCount),
    pinLimits: reserve(4 * particleCount),
    tethers: reserve(TETHER_BYTES * particleCount),
    substepTable: reserve(ENTRY * SUBSTEP_ENTRIES * MOST_SUBSTEPS),
  };
  const bytes = new Uint8Array(ENTRY * size);
  for (const { at, data } of parts)
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), ENTRY * at);
  return { places, bytes };
}
