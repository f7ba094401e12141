/**
 * Needs of a body on a device: the buffers of gpu-system.ts that grow with it, in bytes, and invocations. Needs of its model are
 * known when it is added, the rest with the places of the entries of its factor. Several bodies are one system, so needs add up.
 */
import { deviceLimit } from "../../../../errors";
import * as structs from "../../../../generated/structs";
import type { BlockTree } from "../../../../math/sparse/block-tree";
import type { LocalGlobalModel } from "../../model";
import { type Pieces, quadShape, wholeQuads } from "../quad-tables";

/** Invocations of a workgroup. */
const WIDTH = 64;

export interface DeviceNeeds {
  /** by their content [bytes] */
  readonly buffers: Readonly<Record<string, number>>;
  /** dispatches */
  readonly threads: Readonly<Record<string, number>>;
}

export type DeviceLimits = Pick<
  GPUSupportedLimits,
  "maxStorageBufferBindingSize" | "maxBufferSize" | "maxComputeWorkgroupsPerDimension"
>;

/** Bytes that a buffer may have. */
export function mostBytes({ maxStorageBufferBindingSize, maxBufferSize }: DeviceLimits): number {
  return Math.min(maxStorageBufferBindingSize, maxBufferSize);
}

export function modelNeeds({ particleCount, terms }: LocalGlobalModel): DeviceNeeds {
  const vertices = wholeQuads(particleCount);
  let [corners, elements, duals, outputs] = [0, 0, 0, 0];
  for (const { kind, columns, elementCount, indices, restCurvatures } of terms) {
    corners += indices.length + (restCurvatures?.length ?? 0) / 3;
    elements += elementCount;
    outputs += columns * elementCount;
    if (kind === "hyperelastic") duals += columns * elementCount;
  }
  return {
    buffers: {
      vertices: 16 * vertices,
      corners: structs.LocalGlobalCorner.size * corners,
      elements: structs.LocalGlobalElement.size * elements,
      incidence: 8 * corners,
      stresses: 2 * 16 * duals,
      outputs: 16 * outputs,
    },
    threads: { vertices, elements },
  };
}

/** Tables of S and sums of its products, without its values: these are spread over as many buffers as needed. */
export function factorNeeds(tree: BlockTree, limit: number): DeviceNeeds {
  const { forward, backward } = quadShape([{ tree }], limit);
  const [there, back] = [pieceCount(forward), pieceCount(backward)];
  return {
    buffers: {
      columns: structs.SparseColumn.size * wholeQuads(tree.size),
      "sums of pieces of S b": 4 * 16 * there,
      "sums of pieces of Sᵀ y": 4 * 16 * back,
    },
    threads: { "pieces of S b": there, "pieces of Sᵀ y": back },
  };
}

/**
 * @param object how the message calls the body
 * @param all needs of the bodies of a system
 * @throws PliantError `device-limit` naming the need and the limit
 */
export function requireRoom(object: string, all: readonly DeviceNeeds[], limits: DeviceLimits): void {
  const [buffer, bytes] = greatest(all.map(({ buffers }) => buffers));
  const limit = mostBytes(limits);
  if (bytes > limit) throw deviceLimit(object, bytes, `must not need more than ${limit} bytes for ${buffer}`);
  const [dispatch, threads] = greatest(all.map((needs) => needs.threads));
  const workgroups = Math.ceil(threads / WIDTH);
  const most = limits.maxComputeWorkgroupsPerDimension;
  if (workgroups > most)
    throw deviceLimit(object, workgroups, `must not need more than ${most} workgroups for ${dispatch}`);
}

/** The largest of the sums. */
function greatest(records: readonly Readonly<Record<string, number>>[]): readonly [string, number] {
  const sums = new Map<string, number>();
  for (const record of records)
    for (const [name, value] of Object.entries(record)) sums.set(name, (sums.get(name) ?? 0) + value);
  return [...sums].reduce((most, entry) => (entry[1] > most[1] ? entry : most), ["nothing", 0]);
}

function pieceCount({ list }: Pieces): number {
  return list.length / 2;
}
