/** Kernels of the stages of contact over the buffers of a group, made anew when these are. */
import type { ColliderBuffers } from "../../../../collision/obstacles/collider-buffers";
import { shaders } from "../../../../generated/shaders/local-global";
import type { GpuContext } from "../../../../gpu/device";
import { Kernel } from "../../../../gpu/kernel";
import type { LocalGlobalBuffers } from "../buffers";
import type { GpuCables } from "./cable-stage";
import type { ContactOwners, createFixedBuffers, createSizedBuffers } from "./contact-buffers";
import { GpuRigidStage } from "./rigid-stage";
import type { GpuSurfaceDetection, SurfaceContactKernels } from "./surface-detection";
import { WideSolve } from "./wide-solve";

/** In the order of their use; a second value is a number of invocations, or an offset of `ValueRange`. */
export interface ContactKernels {
  /** where vertices would go without contact, and where they are */
  readonly place: Kernel;
  readonly detect: Kernel;
  readonly surfaces: SurfaceContactKernels | undefined;
  readonly scan: Kernel;
  readonly writeCables: Kernel;
  readonly keepTensions: Kernel;
  readonly rigid: GpuRigidStage;
  readonly listRows: Kernel;
  readonly listTouched: Kernel;
  readonly recall: Kernel;
  readonly recallStep: Kernel;
  readonly halt: Kernel;
  readonly noteDeep: Kernel;
  readonly keepPass: Kernel;
  readonly keepStep: Kernel;
  readonly columns: readonly (readonly [Kernel, number])[];
  readonly readHeld: readonly (readonly [Kernel, number])[];
  readonly solveHeld: Kernel;
  readonly entries: Kernel;
  readonly turns: Kernel;
  readonly arms: Kernel;
  readonly diagonals: Kernel;
  readonly recallForces: Kernel;
  readonly lags: Kernel;
  readonly read: Kernel;
  readonly readMany: Kernel;
  readonly solve: Kernel;
  readonly wide: WideSolve;
  readonly apply: Kernel;
  readonly applyTurns: Kernel;
}

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

export function createContactKernels(sources: ContactKernelSources): ContactKernels {
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
  const name = "local-global/detect/obstacles";
  const detect = shaders[name];
  const placing = shaders["local-global/detect/places"];
  const finish = shaders["local-global/delassus/finish"];
  const finishing = (entry: keyof typeof finish.entryPoints): Kernel =>
    Kernel.create(context, "local-global/delassus/finish", finish, entry, all);
  const keeping = shaders["local-global/detect/keep-contacts"];
  const apply = shaders["local-global/contact/apply"];
  const copying = shaders["local-global/delassus/columns"];
  const stretching = shaders["local-global/cables"];
  const holding = shaders["local-global/delassus/held"];
  const reading = shaders["local-global/contact/read"];
  return {
    place: Kernel.create(context, "local-global/detect/places", placing, "placeSurface", all),
    detect: Kernel.create(context, name, detect, "detectOwners", all, constants),
    surfaces: surfaces?.createContactKernels(all),
    scan: Kernel.create(context, "local-global/contact/scan", shaders["local-global/contact/scan"], "scanOwners", all),
    writeCables: Kernel.create(context, "local-global/cables", stretching, "writeCables", all),
    keepTensions: Kernel.create(context, "local-global/cables", stretching, "keepTensions", all),
    rigid: new GpuRigidStage(context, colliders, all),
    listRows: Kernel.create(
      context,
      "local-global/contact/incidence",
      shaders["local-global/contact/incidence"],
      "listRows",
      all,
    ),
    listTouched: Kernel.create(
      context,
      "local-global/contact/touched",
      shaders["local-global/contact/touched"],
      "listTouched",
      all,
    ),
    recallStep: Kernel.create(context, "local-global/detect/keep-contacts", keeping, "recallStep", all),
    halt: Kernel.create(context, "local-global/detect/keep-contacts", keeping, "haltBodies", all),
    noteDeep: Kernel.create(context, "local-global/detect/keep-contacts", keeping, "noteDeep", all),
    keepPass: Kernel.create(context, "local-global/detect/keep-contacts", keeping, "keepPass", all),
    keepStep: Kernel.create(context, "local-global/detect/keep-contacts", keeping, "keepStep", all),
    recall: Kernel.create(
      context,
      "local-global/contact/recall",
      shaders["local-global/contact/recall"],
      "recallContacts",
      all,
    ),
    columns: chunks.map(({ values, range }) => [
      Kernel.create(context, "local-global/delassus/columns", copying, "copyColumns", { ...all, values }),
      range,
    ]),
    readHeld: chunks.map(({ values, range }) => [
      Kernel.create(context, "local-global/delassus/held", holding, "readHeld", { ...all, values }),
      range,
    ]),
    solveHeld: Kernel.create(context, "local-global/delassus/held", holding, "solveHeld", all),
    entries: Kernel.create(
      context,
      "local-global/delassus/entries",
      shaders["local-global/delassus/entries"],
      "findEntries",
      all,
    ),
    turns: finishing("takeTurns"),
    arms: finishing("takeArms"),
    diagonals: finishing("findDiagonals"),
    recallForces: finishing("recallForces"),
    lags: finishing("addLags"),
    read: Kernel.create(context, "local-global/contact/read", reading, "readTouched", all),
    readMany: Kernel.create(context, "local-global/contact/read", reading, "readMany", all),
    solve: Kernel.create(
      context,
      "local-global/contact/solve",
      shaders["local-global/contact/solve"],
      "solveContacts",
      all,
      { LANES: lanesFor(owners.vertexOwners) },
    ),
    wide: new WideSolve(context, all),
    apply: Kernel.create(context, "local-global/contact/apply", apply, "applyContacts", all),
    applyTurns: Kernel.create(context, "local-global/contact/apply", apply, "applyTurns", all),
  };
}

/** Invocations that solve: more only where there is work for them, since they wait for each other hundreds of times. */
function lanesFor(surfaceVertices: number): number {
  if (surfaceVertices <= 256) return 16;
  return surfaceVertices <= 2048 ? 64 : 256;
}
