/** Kernels of the stages of contact over the buffers of a group, made anew when these are. */
import type { ColliderBuffers } from "../../../../collision/obstacles/collider-buffers";
import { shaders } from "../../../../generated/shaders/local-global";
import type { GpuContext } from "../../../../gpu/device";
import { KernelMaker } from "../../../../gpu/kernel";
import type { LocalGlobalBuffers } from "../buffers";
import type { GpuCables } from "./cable-stage";
import type { ContactOwners, createFixedBuffers, createSizedBuffers } from "./contact-buffers";
import { GpuRigidStage } from "./rigid-stage";
import type { GpuSurfaceDetection } from "./surface-detection";
import { WideSolve } from "./wide-solve";

/** In the order of their use; a second value is a number of invocations, or an offset of `ValueRange`. */
export type ContactKernels = ReturnType<typeof createContactKernels>;

export interface ContactKernelSources {
  readonly context: GpuContext;
  readonly system: LocalGlobalBuffers;
  readonly buffers: ReturnType<typeof createFixedBuffers> &
    ReturnType<typeof createSizedBuffers> &
    GpuCables["buffers"];
  readonly colliders: ColliderBuffers;
  readonly owners: ContactOwners;
  readonly surfaces: GpuSurfaceDetection | undefined;
}

export function createContactKernels(sources: ContactKernelSources) {
  const { context, system, buffers, colliders, owners, surfaces } = sources;
  const { primitives, data, constants } = colliders;
  const { vertexCount: _vertexCount, bodyCount: _bodyCount, chunks, ...shared } = system;
  const all = {
    ...shared,
    ...buffers,
    mostPairs: surfaces?.mostPairs ?? buffers.mostPairs,
    colliders: primitives,
    colliderData: data,
    range: system.ranges,
  };
  const make = new KernelMaker(context, shaders);
  const keeping = ["recallStep", "haltBodies", "noteDeep", "keepPass", "keepStep"] as const;
  const finishing = ["takeTurns", "takeArms", "findDiagonals", "recallForces", "addLags"] as const;
  return {
    // where vertices would go without contact, and where they are
    place: make.one("local-global/detect/places", "placeSurface", all),
    detect: make.one("local-global/detect/obstacles", "detectOwners", all, constants),
    surfaces: surfaces?.createContactKernels(all),
    scan: make.one("local-global/contact/scan", "scanOwners", all),
    ...make.some("local-global/cables", ["writeCables", "keepTensions"], all),
    rigid: new GpuRigidStage(context, colliders, all),
    listRows: make.one("local-global/contact/incidence", "listRows", all),
    listTouched: make.one("local-global/contact/touched", "listTouched", all),
    ...make.some("local-global/detect/keep-contacts", keeping, all),
    recall: make.one("local-global/contact/recall", "recallContacts", all),
    columns: chunks.map(
      ({ values, range }) =>
        [make.one("local-global/delassus/columns", "copyColumns", { ...all, values }), range] as const,
    ),
    readHeld: chunks.map(
      ({ values, range }) => [make.one("local-global/delassus/held", "readHeld", { ...all, values }), range] as const,
    ),
    solveHeld: make.one("local-global/delassus/held", "solveHeld", all),
    entries: make.one("local-global/delassus/entries", "findEntries", all),
    ...make.some("local-global/delassus/finish", finishing, all),
    ...make.some("local-global/contact/read", ["readTouched", "readMany"], all),
    solve: make.one("local-global/contact/solve", "solveContacts", all, { LANES: lanesFor(owners.vertexOwners) }),
    wide: new WideSolve(context, all),
    ...make.some("local-global/contact/apply", ["applyContacts", "applyTurns"], all),
  };
}

/** Invocations that solve: more only where there is work for them, since they wait for each other hundreds of times. */
function lanesFor(surfaceVertices: number): number {
  if (surfaceVertices <= 256) return 16;
  return surfaceVertices <= 2048 ? 64 : 256;
}
