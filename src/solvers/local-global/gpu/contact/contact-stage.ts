/**
 * Contact of a group on the GPU: detection once a pass, G and W, and in every iteration a solve that joins y = S r before
 * q ← q + Sᵀ y. Twin of the contact code of group.ts; the shaders describe each part.
 *
 * If a step finds more contacts, pairs of surfaces or entries of A⁻¹ than the buffers hold, it changes nothing, and is encoded again
 * with larger buffers: see frame-log.ts. The same holds if a step needs more passes than were encoded, or a frame more attempts: as many are
 * encoded as recent steps needed. The first buffers hold a contact for every vertex and every face, and in small
 * groups one for each of these with each obstacle.
 */
import type { ColliderBuffers } from "../../../../collision/obstacles/collider-buffers";
import * as constants from "../../../../generated/constants";
import * as structs from "../../../../generated/structs";
import type { GpuContext } from "../../../../gpu/device";
import type { PassRecorder } from "../../../../gpu/pass-recorder";
import type { GpuFrameInput } from "../../../deformable";
import type { GroupBody } from "../../body/group-body";
import { type LocalGlobalGroup, strictest } from "../../group";
import { GpuCables } from "./cable-stage";
import { surfacesMeet } from "../../contact/meeting";
import type { GpuContactStage, GpuSubstep, LocalGlobalBuffers, StepReport } from "../buffers";
import { dispatch, type Gate, openGate, PassGate } from "./pass-gate";
import {
  type ContactOwners,
  contactOwners,
  type ContactRoom,
  createFixedBuffers,
  createSizedBuffers,
  firstRoom,
  mostEntries,
  Slot,
  STEP_SLOTS,
} from "./contact-buffers";
import { type ContactKernels, createContactKernels } from "./contact-kernels";
import { ContactReport, MOST_ATTEMPTS } from "./contact-report";
import { ContactSteps, isJudged } from "./contact-steps";
import { UNIFORM_SLOT } from "../passes";
import { GpuSurfaceDetection } from "./surface-detection";
import { firstVertices } from "../tables";
import type { ElasticTables } from "../trust/trust-buffers";
import { GpuTrust } from "../trust/trust-stage";

const noOffsets = new Uint32Array(2);
const groupOffsets = structs.ContactGroups.fields;

export class GpuContactSolver implements GpuContactStage {
  readonly report: ContactReport;
  private readonly owners: ContactOwners = contactOwners(this.bodies, firstVertices(this.bodies));
  /** attempts that are encoded for a frame */
  attempts = 1;
  private readonly steps: ContactSteps;
  private readonly trust: GpuTrust;
  private readonly fixed;
  private sized: ReturnType<typeof createSizedBuffers>;
  private room: ContactRoom = { contacts: 1, values: 1, rigid: 0 };
  private kernels: ContactKernels | undefined;
  private surfaces: GpuSurfaceDetection | undefined;
  private colliderVersion = -1;
  private structures = 0;
  private readonly cables = new GpuCables(this.context, this.bodies);
  private readonly gate: PassGate;
  private cableVersion = 0;
  private colliderCount = 0;
  private mostPasses = 1;
  private rounds: ContactReport["rounds"] = { early: 0, last: 0 };
  /** of the last frame */
  private number = 0;
  private substeps = 1;
  private readonly offsets = new Uint32Array(1);

  constructor(
    private readonly context: GpuContext,
    private readonly system: LocalGlobalBuffers,
    private readonly bodies: readonly GroupBody[],
    elastic: ElasticTables,
    private readonly reference: LocalGlobalGroup,
    private readonly colliders: ColliderBuffers,
  ) {
    const slots = system.step.size / UNIFORM_SLOT;
    this.fixed = createFixedBuffers(context, this.owners, system.vertexCount, bodies.length, slots);
    this.steps = new ContactSteps(context, bodies, this.fixed, slots);
    this.sized = createSizedBuffers(context, this.room, system.vertexCount, system.bodyCount);
    this.trust = new GpuTrust(context, elastic, { bodies: bodies.length, vertices: system.vertexCount });
    this.gate = new PassGate(context, { control: this.fixed.control, trust: this.trust.trust });
    this.report = new ContactReport(context, this.fixed.control, bodies, reference);
  }

  get passes(): number {
    return Math.min(this.report.passes, this.mostPasses);
  }

  detect(substep: GpuSubstep): void {
    const { rigid, recallStep, writeCables } = this.current;
    const pass = substep.recorder.stage("contact detection");
    const slot = this.slot(substep, Slot.first);
    recallStep.dispatch(pass, this.listSize, slot);
    rigid.begin(pass, this.colliderCount, slot);
    writeCables.dispatch(pass, this.cables.list.length, slot);
    this.count(substep, Slot.first);
    this.build(substep, Slot.first);
  }

  detectAgain(substep: GpuSubstep): GpuSubstep {
    this.count(substep, Slot.later);
    const inPass = { ...substep, gate: this.gate.pass, isFirstPass: false };
    this.gate.encode(substep.recorder.stage("contact detection"));
    this.build(inPass, Slot.later);
    return inPass;
  }

  /** Counts contacts, and decides whether they need a pass. */
  private count({ recorder, offset, gate, attempt, slot: step }: GpuSubstep, kind: Slot): void {
    const { place, detect, surfaces, scan, haltBodies } = this.current;
    const pass = recorder.stage("contact detection");
    this.offsets[0] = offset;
    dispatch(gate, place, pass, this.system.vertexCount, this.offsets);
    this.surfaces?.search(pass, attempt);
    const slot = this.slot({ slot: step }, kind);
    dispatch(gate, detect, pass, this.owners.featureOwners, slot);
    if (surfaces) dispatch(gate, surfaces.judgeSurfaces, pass, this.surfaces!.owners, slot);
    scan.dispatchWorkgroups(pass, 1, slot);
    if (kind === Slot.check) haltBodies.dispatch(pass, this.system.bodyCount, slot);
  }

  /** Contacts, and W of them. */
  private build(substep: GpuSubstep, kind: Slot): void {
    const { detect, surfaces, listRows, listTouched, recall } = this.current;
    const { haltBodies, columns, readHeld, solveHeld, entries } = this.current;
    const { groups } = this.fixed;
    const { gate } = substep;
    const pass = substep.recorder.stage("contact detection");
    dispatch(gate, detect, pass, this.owners.featureOwners, this.slot(substep, Slot.write));
    const slot = this.slot(substep, kind);
    if (surfaces) dispatch(gate, surfaces.writeSurfaces, pass, this.surfaces!.owners, slot);
    gate.dispatchWorkgroups(listRows, pass, 1, slot);
    gate.dispatchWorkgroups(listTouched, pass, 1, slot);
    haltBodies.dispatch(pass, this.system.bodyCount, slot);
    recall.dispatchIndirect(pass, groups, slot, groupOffsets.contacts.offset);
    const forW = substep.recorder.stage("Schur");
    for (const [kernel, range] of columns) {
      this.offsets[0] = range;
      kernel.dispatchIndirect(forW, groups, this.offsets, groupOffsets.eachTouched.offset);
    }
    if (this.bodies.some(({ pinSolver }) => pinSolver.vertices.length > 0)) {
      for (const [kernel, range] of readHeld) {
        this.offsets[0] = range;
        kernel.dispatchIndirect(forW, groups, this.offsets, groupOffsets.eachTouched.offset);
      }
      solveHeld.dispatchIndirect(forW, groups, noOffsets, groupOffsets.eachTouched.offset);
    }
    entries.dispatchIndirect(forW, groups, noOffsets, groupOffsets.eachTouched.offset);
  }

  addLag(substep: GpuSubstep, iteration: number): void {
    const { takeTurns, takeArms, findDiagonals, recallForces, addLags } = this.current;
    const { groups } = this.fixed;
    const { bodyCount } = this.system;
    const pass = substep.recorder.stage("Schur");
    const { gate } = substep;
    const slot = this.slot(substep, Slot.first);
    if (iteration === 0) {
      dispatch(gate, takeTurns, pass, bodyCount, slot);
      takeArms.dispatchIndirect(pass, groups, slot, groupOffsets.touched.offset);
      findDiagonals.dispatchIndirect(pass, groups, slot, groupOffsets.contacts.offset);
      // where the iterations of a step begin forces have no lag
      if (substep.isFirstPass) return;
      recallForces.dispatchIndirect(pass, groups, slot, groupOffsets.touched.offset);
    }
    gate.dispatchWorkgroups(addLags, pass, bodyCount, slot);
  }

  solve(substep: GpuSubstep, _iteration: number, isLast: boolean): void {
    const { readTouched, readMany, solve, wide, applyContacts, applyTurns } = this.current;
    const { vertexCount, bodyCount } = this.system;
    const pass = substep.recorder.stage("constraint solve");
    const { gate } = substep;
    const slot = this.slot(substep, isLast ? Slot.lastIteration : Slot.first);
    readTouched.dispatchIndirect(pass, this.fixed.groups, noOffsets, groupOffsets.read.offset);
    readMany.dispatchIndirect(pass, this.fixed.groups, noOffsets, groupOffsets.readMany.offset);
    gate.dispatchWorkgroups(solve, pass, 1, slot);
    if (this.hasRounds) {
      const { wanted: contacts, touched } = this.report;
      const sizes = { contacts, touched, vertices: vertexCount, nodes: bodyCount + this.room.rigid };
      wide.encode(gate, substep.attempt, pass, isLast ? this.rounds.last : this.rounds.early, sizes, slot);
    }
    const correction = substep.recorder.stage("correction");
    dispatch(gate, applyContacts, correction, vertexCount, slot);
    dispatch(gate, applyTurns, correction, bodyCount, slot);
  }

  endPass(substep: GpuSubstep): void {
    const pass = substep.recorder.stage("finish");
    const { keepPass, haltBodies } = this.current;
    const slot = this.slot(substep, Slot.first);
    dispatch(substep.gate, keepPass, pass, this.listSize, slot);
    if (this.hasRounds) haltBodies.dispatch(pass, this.system.bodyCount, slot);
    this.trust.join(substep.recorder, substep.gate, slot);
  }

  finish(substep: GpuSubstep): void {
    const { list } = this.cables;
    const { keepTensions, keepStep, rigid } = this.current;
    if (this.passes < this.mostPasses) this.count(substep, Slot.check);
    else this.noteDeep(substep);
    const pass = substep.recorder.stage("finish");
    const slot = this.slot(substep, Slot.first);
    keepTensions.dispatch(pass, list.length, slot);
    rigid.finish(pass, slot);
    keepStep.dispatch(pass, this.listSize, slot);
    this.surfaces?.keep(pass);
  }

  /** Whether the last pass that there may be leaves a body deep in an obstacle. */
  private noteDeep(substep: GpuSubstep): void {
    const { recorder, offset } = substep;
    const { place, detect, noteDeep } = this.current;
    const pass = recorder.stage("contact detection");
    const gate = this.gate.pass;
    this.gate.encode(pass);
    this.offsets[0] = offset;
    dispatch(gate, place, pass, this.system.vertexCount, this.offsets);
    const slot = this.slot(substep, Slot.deep);
    dispatch(gate, detect, pass, this.owners.featureOwners, slot);
    gate.dispatchWorkgroups(noteDeep, pass, 1, slot);
  }

  open(recorder: PassRecorder): void {
    this.trust.begin(recorder, this.sizes, this.firstSlot(1));
  }

  openAttempt(recorder: PassRecorder, parts: number): Gate {
    if (this.attempts === 1) return openGate;
    if (parts > 1) this.trust.openAttempt(recorder, this.firstSlot(parts));
    this.gate.encode(recorder.stage("trust"));
    return this.gate.attempt;
  }

  judge(recorder: PassRecorder, parts: number): void {
    this.trust.judge(recorder, this.sizes, this.firstSlot(parts));
  }

  close(recorder: PassRecorder, h: number): void {
    if (this.attempts === MOST_ATTEMPTS) {
      const last = this.firstSlot(constants.MOST_PARTS);
      this.trust.hold(recorder, this.gate, this.sizes, last);
      this.current.haltBodies.dispatch(recorder.stage("finish"), this.system.bodyCount, last);
    }
    this.report.encode(recorder, h, this.sized.contacts, this.room.contacts, this.cables.list);
  }

  private get sizes() {
    const { system, room } = this;
    return { bodies: system.bodyCount, vertices: system.vertexCount, rigid: room.rigid, contacts: room.contacts };
  }

  /** Of the first step of an attempt. */
  private firstSlot(parts: number): Uint32Array {
    return this.slot({ slot: (parts - 1) * this.substeps }, Slot.first).slice();
  }

  dispose(): void {
    this.report.dispose();
    this.cables.dispose();
    this.gate.dispose();
    this.surfaces?.dispose();
    this.trust.dispose();
    for (const buffer of [...Object.values(this.fixed), ...Object.values(this.sized)]) buffer.destroy();
  }

  private get hasRounds(): boolean {
    return this.rounds.early + this.rounds.last > 0;
  }

  private get current(): ContactKernels {
    return this.kernels!;
  }

  /** Dynamic offset of what a substep is told. */
  private slot({ slot }: { readonly slot: number }, kind: Slot): Uint32Array {
    this.offsets[0] = UNIFORM_SLOT * (STEP_SLOTS * slot + kind);
    return this.offsets;
  }

  begin(frame: GpuFrameInput, substeps: number): { number: number; steps: ArrayBuffer } {
    const { bodies, steps, owners, system, reference } = this;
    this.cables.update(reference.cables);
    this.colliderCount = frame.colliders.primitives.length;
    this.makeRoom(frame.recorder);
    this.number++;
    steps.writeOptions();
    this.mostPasses = strictest(bodies).contactPasses;
    this.gate.begin();
    // Motors of cables give energy, and the tables of pins that give are of the whole step.
    const isJudged = !reference.hasCables && !bodies.some(({ pinSolver }) => pinSolver.isSoft);
    const planned = steps.plan(
      frame,
      { number: this.number, substeps, isJudged },
      {
        vertexCount: system.vertexCount,
        bodyCount: system.bodyCount,
        rigidCount: this.room.rigid,
        featureOwners: owners.featureOwners,
        innerOwners: owners.innerOwners,
        surfaceOwners: this.surfaces?.owners ?? 0,
        cableCount: this.cables.list.length,
        cableRecords: this.cables.records,
      },
    );
    this.again(planned, substeps);
    return { number: this.number, steps: planned };
  }

  again(planned: ArrayBuffer, substeps: number): void {
    const { room, report, surfaces, mostValues } = this;
    this.rounds = report.rounds;
    this.substeps = substeps;
    this.attempts = isJudged(planned) ? report.attempts : 1;
    this.steps.write(planned, substeps, {
      generation: report.generation,
      capacity: room.contacts,
      valueCapacity: room.values,
      pairCapacity: surfaces?.capacity ?? 0,
      mayGrow: room.values < mostValues ? 1 : 0,
      hasRounds: this.hasRounds ? 1 : 0,
      attempts: this.attempts,
    });
    surfaces?.beginFrame(this.bodies);
  }

  forget(): void {
    this.report.generation++;
    const { haltedAt } = structs.ContactControl.fields;
    this.context.device.queue.writeBuffer(this.fixed.control, haltedAt.offset, Uint32Array.of(0));
  }

  resume(recorder: PassRecorder): boolean {
    const { report, surfaces } = this;
    this.forget();
    if (report.wanted > this.mostContacts || surfaces?.holds(report.wantedPairs) === false) return false;
    this.makeRoom(recorder);
    return true;
  }

  read(): Promise<StepReport> {
    return this.report.ask();
  }

  get onReport(): (report: StepReport) => void {
    return this.report.onReport;
  }

  set onReport(tell: (report: StepReport) => void) {
    this.report.onReport = tell;
  }

  set onRepeated(tell: (() => void) | undefined) {
    this.report.onRepeated = tell;
  }

  get inputs(): readonly GPUBuffer[] {
    return [this.fixed.contactOptions, this.colliders.primitives, this.cables.buffers.cables];
  }

  get generation(): number {
    return this.report.generation;
  }

  get structure(): number {
    return this.structures;
  }

  /** contacts that the device holds */
  private get mostContacts(): number {
    return Math.floor(this.mostBytes / Math.max(structs.SoftContactWork.size, 2 * structs.SoftContact.size));
  }

  /** Values of S that held vertices and cables add. */
  private get extraValues(): number {
    const held = this.bodies.reduce(
      (sum, { surface, pinSolver }) => sum + surface.length * pinSolver.vertices.length,
      0,
    );
    return held + this.cables.values;
  }

  /** values in `delassus` of which more are of no use, or than which the device does not hold more */
  private get mostValues(): number {
    const { owners, extraValues } = this;
    const all = owners.columnValues + owners.innerValues + extraValues + mostEntries(owners, extraValues);
    return Math.min(all, Math.floor(this.mostBytes / 4));
  }

  private get mostBytes(): number {
    const { maxStorageBufferBindingSize, maxBufferSize } = this.context.device.limits;
    return Math.min(maxStorageBufferBindingSize, maxBufferSize);
  }

  /** Invocations for a list of contacts and where its owners' are, and for all vertices. */
  private get listSize(): number {
    const owners = this.owners.featureOwners + (this.surfaces?.owners ?? 0);
    return Math.max(owners + 1, this.room.contacts, this.system.vertexCount);
  }

  /** Other options are other surfaces, and more pairs need more room; returns whether kernels have to be made anew. */
  private updateSurfaces(recorder: PassRecorder): boolean {
    const { bodies, surfaces } = this;
    if (surfaces ? surfacesMeet(bodies) && surfaces.fits(bodies) : !surfacesMeet(bodies))
      return surfaces?.makeRoom(this.report.wantedPairs, recorder) ?? false;
    surfaces?.dispose();
    this.surfaces = surfacesMeet(bodies) ? new GpuSurfaceDetection(this.context, bodies, this.fixed) : undefined;
    this.structures++;
    return true;
  }

  /** Buffers and kernels for what the last frames have wanted. */
  private makeRoom(recorder: PassRecorder): void {
    const haveSurfacesChanged = this.updateSurfaces(recorder);
    const { room, report, owners, colliders, cables, surfaces, colliderCount: obstacles } = this;
    const first = firstRoom(owners, obstacles, this.extraValues, surfaces !== undefined);
    first.contacts += cables.records;
    const grown = (now: number, least: number, wanted: number): number =>
      wanted > 0.7 * now ? Math.max(least, 2 * wanted) : Math.max(least, now);
    // all that there may be needs no more
    const contacts =
      !surfaces && room.contacts >= cables.records + obstacles * owners.featureOwners
        ? room.contacts
        : Math.min(this.mostContacts, grown(room.contacts, first.contacts, report.wanted));
    const values = Math.min(this.mostValues, grown(room.values, first.values, report.wantedValues));
    const rigid = colliders.proxies.count;
    const isRoomy = contacts === room.contacts && values === room.values && rigid === room.rigid;
    const isSame = colliders.version === this.colliderVersion && cables.version === this.cableVersion;
    if (isRoomy && isSame && !haveSurfacesChanged) return;
    if (!isRoomy) {
      const { keptContacts: kept, ...old } = this.sized;
      for (const buffer of Object.values(old)) buffer.destroy();
      this.room = { contacts, values, rigid };
      this.sized = createSizedBuffers(this.context, this.room, this.system.vertexCount, this.system.bodyCount);
      const next = this.sized.keptContacts;
      recorder.end();
      recorder.encoder.copyBufferToBuffer(kept, 0, next, 0, Math.min(kept.size, next.size));
      // the copy is still to be done
      void this.context.device.queue.onSubmittedWorkDone().then(() => kept.destroy());
    }
    if (!isSame) this.structures++;
    this.colliderVersion = colliders.version;
    this.cableVersion = cables.version;
    const buffers = { ...this.fixed, ...this.sized, ...cables.buffers };
    const { context, system } = this;
    this.kernels = createContactKernels({ context, system, buffers, colliders, owners, surfaces: this.surfaces });
    const { primitives, proxies } = colliders;
    this.trust.connect({
      bindings: {
        ...system,
        ...buffers,
        colliders: primitives,
        proxies: proxies.proxies,
        proxyStates: proxies.states,
      },
      others: this.surfaces?.kept ?? [],
    });
  }
}
