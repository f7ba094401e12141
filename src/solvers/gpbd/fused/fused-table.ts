import { buildIncidence } from "../../../geometry/surface/incidence";
import { packElements } from "../elements/gpu-elements";
import type { EnergyTerm, GpbdModel } from "../model";
import { TETHERS } from "../tethers/tethers";

/** Places of a table of vec4u, each with room for a part of it. */
export interface TablePlaces {
  readonly membranes: number;
  readonly membraneRows: number;
  readonly membraneEntries: number;
  readonly membraneColors: number;
  readonly bendings: number;
  readonly bendingRows: number;
  readonly bendingEntries: number;
  readonly bendingColors: number;
  readonly faces: number;
  readonly faceRows: number;
  readonly faceEntries: number;
  readonly pins: number;
  readonly pinLimits: number;
  readonly tethers: number;
  readonly substepTable: number;
}

/** Bytes of an entry. */
export const ENTRY = 16;
/** Most substeps that the options allow. */
const MOST_SUBSTEPS = 1000;
/** Entries of a substep. */
export const SUBSTEP_ENTRIES = 2;

/**
 * All that is constant in a frame of a body, in one table; pins, tethers and substeps are written later.
 *
 * @param bending undefined for cloth without
 * @param isAtOnce of each term: whether its elements are swept all at once, and not color after color
 */
export function fusedTable(
  model: GpbdModel,
  membrane: EnergyTerm,
  bending: EnergyTerm | undefined,
  isAtOnce: { readonly membrane: boolean; readonly bending: boolean },
): { readonly places: TablePlaces; readonly bytes: Uint8Array<ArrayBuffer> } {
  const parts: { at: number; data: ArrayBufferView }[] = [];
  let size = 0;
  const reserve = (bytes: number): number => {
    const at = size;
    size += Math.max(1, Math.ceil(bytes / ENTRY));
    return at;
  };
  const add = (data: ArrayBufferView): number => {
    const at = reserve(data.byteLength);
    parts.push({ at, data });
    return at;
  };
  const { particleCount, faces } = model;
  const ofTerm = (term: EnergyTerm | undefined, atOnce: boolean) => {
    if (!term) return { elements: 0, rows: 0, entries: 0, colors: 0 };
    const incidence = buildIncidence(term.indices, particleCount);
    const colors = atOnce ? Uint32Array.of(0, term.elementCount) : Uint32Array.from(term.colours);
    return {
      elements: add(packElements(term, incidence)),
      rows: add(incidence.offsets),
      entries: add(incidence.entries),
      colors: add(colors),
    };
  };
  const [stretch, bend] = [ofTerm(membrane, isAtOnce.membrane), ofTerm(bending, isAtOnce.bending)];
  const corners = new Uint32Array((faces.length / 3) * 4);
  for (let i = 0; i < faces.length; i++) corners[4 * Math.floor(i / 3) + (i % 3)] = faces[i];
  const around = buildIncidence(faces, particleCount);
  const places = {
    membranes: stretch.elements,
    membraneRows: stretch.rows,
    membraneEntries: stretch.entries,
    membraneColors: stretch.colors,
    bendings: bend.elements,
    bendingRows: bend.rows,
    bendingEntries: bend.entries,
    bendingColors: bend.colors,
    faces: add(corners),
    faceRows: add(around.offsets),
    faceEntries: add(around.entries),
    pins: reserve(ENTRY * particleCount),
    pinLimits: reserve(4 * particleCount),
    tethers: reserve(8 * TETHERS * particleCount),
    substepTable: reserve(ENTRY * SUBSTEP_ENTRIES * MOST_SUBSTEPS),
  };
  const bytes = new Uint8Array(ENTRY * size);
  for (const { at, data } of parts)
    bytes.set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), ENTRY * at);
  return { places, bytes };
}
