/** Report of contact on the GPU to the host, a frame late: the room that it needs, residuals, and the contacts themselves. */
import { SoftContact, ContactControl } from "../../../../generated/structs";
import type { GpuContext } from "../../../../gpu/device";
import { readBuffer, ReadbackRing } from "../../../../gpu/readback";
import type { CableState } from "../../contact/cable";
import type { ContactList } from "../../../../collision/soft/contact-list";
import { CONTACT_VERTICES } from "../../../../collision/soft/contact-table";
import type { LocalGlobalGroup } from "../../group";
import type { GroupBody } from "../../body/group-body";
import type { PassRecorder } from "../../../../gpu/pass-recorder";
import type { StepReport } from "../buffers";
import { firstVertices } from "../tables";

const NO_VERTEX = 0xffffffff;
/** A pass is no longer encoded after this many frames that have not needed it. */
const QUIET_FRAMES = 120;
/** All attempts are no longer encoded after this many frames that have not needed them. */
const TRUSTED_FRAMES = 30;
/** In one part, in two, in four. */
export const MOST_ATTEMPTS = 3;
/** Rounds to begin with. */
const FIRST_ROUNDS = 64;

export class ContactReport {
  /** contacts that were found in a frame, and values of S and G that they needed; the most of all reports */
  wanted = 0;
  wantedValues = 0;
  wantedPairs = 0;
  /** passes that are encoded for a step: as many as one has needed of late */
  passes = 1;
  private quietFrames = 0;
  /** attempts that are encoded for a frame: all as long as frames of late needed more than one */
  attempts = 1;
  private repeated = 0;
  private trustedFrames = 0;
  /** rounds of contact/wide.wgsl that are encoded for the last iteration of a pass, and for one before */
  rounds = { early: 0, last: 0 };
  /** touched vertices of the last step */
  touched = 0;
  /** see `GpuContactStage` */
  onReport: (report: StepReport) => void = () => {};
  /** see `GpuContactStage` */
  onRepeated: (() => void) | undefined;
  /** reports of steps that were encoded again since are ignored */
  generation = 0;
  private readonly control = new ReadbackRing(this.context, this.source, ContactControl.size);
  private list: { ring: ReadbackRing; copy: GPUBuffer } | undefined;
  /** of each vertex */
  private readonly bodyOf: readonly number[];
  private readonly first: readonly number[] = firstVertices(this.bodies);

  /** @param reference the group that users ask about contacts; it gets the contacts that were found here */
  constructor(
    private readonly context: GpuContext,
    private readonly source: GPUBuffer,
    private readonly bodies: readonly GroupBody[],
    private readonly reference: LocalGlobalGroup,
  ) {
    this.bodyOf = bodies.flatMap((_, b) => new Array<number>(this.first[b + 1] - this.first[b]).fill(b));
  }

  /** Sends the contacts of the frame; comes after its passes. @param room for contacts, at the start of their buffer */
  encode(recorder: PassRecorder, h: number, contacts: GPUBuffer, room: number, cables: readonly CableState[]): void {
    recorder.end();
    const { encoder } = recorder;
    const size = SoftContact.size * room;
    if (this.list?.copy.size !== size) this.watch(size);
    const { ring, copy } = this.list!;
    let control: DataView | undefined;
    let report: StepReport | undefined;
    const sendControl = this.control.encode(encoder, (bytes) => {
      control = new DataView(bytes.slice(0));
      report = this.count(control);
    });
    if (!sendControl) return;
    encoder.copyBufferToBuffer(contacts, 0, copy, 0, size);
    const sendList = ring.encode(encoder, (bytes) => {
      if (control && report?.haltedAt === 0) this.receive(control, new DataView(bytes), h, cables);
    });
    // the frame is submitted before this runs
    queueMicrotask(() => {
      void sendControl().then(() => report && this.onReport(report));
      void sendList?.();
    });
  }

  /** See `GpuContactStage`. */
  async ask(): Promise<StepReport> {
    const report = this.count(new DataView(await readBuffer(this.context, this.source)));
    return report ?? { number: 0, haltedAt: 0, generation: this.generation };
  }

  /** Takes over how much room is wanted; undefined for what was encoded again since. */
  private count(control: DataView): StepReport | undefined {
    const count = (field: keyof typeof ContactControl.fields): number =>
      control.getUint32(ContactControl.fields[field].offset, true);
    if (count("generation") !== this.generation) return undefined;
    this.wanted = count("wanted");
    this.wantedValues = count("wantedValues");
    this.wantedPairs = count("wantedPairs");
    this.touched = count("touched");
    this.countPasses(count("wantedPasses"), count("passes"));
    this.countAttempts(count("wantedParts"), count("usedParts"));
    for (; this.repeated < count("repeated"); this.repeated++) this.onRepeated?.();
    this.rounds = {
      early: roundsAfter(this.rounds.early, count("rounds")),
      last: roundsAfter(this.rounds.last, count("lastRounds")),
    };
    return { number: count("number"), haltedAt: count("haltedAt"), generation: this.generation };
  }

  /**
   * @param wanted by a step that has halted, 0 where none has
   * @param used by the last step
   */
  private countPasses(wanted: number, used: number): void {
    this.quietFrames = used < this.passes ? this.quietFrames + 1 : 0;
    if (wanted > this.passes || this.quietFrames > QUIET_FRAMES) {
      this.passes = Math.max(1, wanted, used);
      this.quietFrames = 0;
    }
  }

  /**
   * @param wanted by a frame that has halted, 0 where none has
   * @param used by the last frame
   */
  private countAttempts(wanted: number, used: number): void {
    this.trustedFrames = used > 1 ? 0 : this.trustedFrames + 1;
    if (wanted > 0) [this.attempts, this.trustedFrames] = [MOST_ATTEMPTS, 0];
    else if (this.trustedFrames > TRUSTED_FRAMES) this.attempts = 1;
  }

  dispose(): void {
    this.onReport = () => {};
    this.control.dispose();
    this.list?.ring.dispose();
    this.list?.copy.destroy();
  }

  /** The list may be replaced by a longer one while a copy is under way. */
  private watch(size: number): void {
    this.list?.ring.dispose();
    this.list?.copy.destroy();
    const copy = this.context.createBuffer("local-global contact report", size);
    this.list = { ring: new ReadbackRing(this.context, copy, size), copy };
  }

  private receive(control: DataView, list: DataView, h: number, cables: readonly CableState[]): void {
    const count = (field: keyof typeof ContactControl.fields): number =>
      control.getUint32(ContactControl.fields[field].offset, true);
    const measure = (field: keyof typeof ContactControl.fields): number =>
      control.getFloat32(ContactControl.fields[field].offset, true);
    h /= Math.max(1, count("parts"));
    const first = this.readCables(list, h, cables);
    const contacts = count("count") - first;
    this.reference.takeReport(
      (out) => {
        out.clear();
        for (let n = 0; n < contacts; n++) this.read(list, SoftContact.size * (first + n), out);
      },
      {
        contacts,
        complementarity: measure("complementarity"),
        frictionCone: Math.max(0, measure("frictionCone")),
        cables: measure("cables"),
        stickingSlip: measure("stickingSlip"),
      },
      this.bodies,
      h,
    );
  }

  /** Tensions, and lengths that nobody gave. @returns how many records they have */
  private readCables(list: DataView, h: number, cables: readonly CableState[]): number {
    let n = 0;
    for (const cable of cables) {
      const at = SoftContact.size * n;
      cable.tension = list.getFloat32(at + SoftContact.fields.z.offset, true) / (h * h);
      cable.length ??= list.getFloat32(at + SoftContact.fields.point.offset, true);
      n += cable.points.length - 1;
    }
    return n;
  }

  /** Appends the contact at a place in bytes. */
  private read(view: DataView, at: number, out: ContactList): void {
    const n = out.add();
    const { fields } = SoftContact;
    const float = (field: keyof typeof fields, c = 0): number =>
      view.getFloat32(at + fields[field].offset + 4 * c, true);
    for (let i = 0; i < CONTACT_VERTICES; i++) {
      const vertex = view.getUint32(at + fields.vertices.offset + 4 * i, true);
      if (vertex === NO_VERTEX) continue;
      const body = this.bodyOf[vertex];
      out.body[CONTACT_VERTICES * n + i] = body;
      out.vertex[CONTACT_VERTICES * n + i] = vertex - this.first[body];
      out.weight[CONTACT_VERTICES * n + i] = float("weights", i);
    }
    const [x, y, z] = [0, 1, 2].map((c) => float("normal", c)) as [number, number, number];
    const [u, v, w] = [0, 1, 2].map((c) => float("tangent", c)) as [number, number, number];
    out.frame.set([x, y, z, u, v, w, y * w - z * v, z * u - x * w, x * v - y * u], 9 * n);
    for (let c = 0; c < 3; c++) {
      out.z[3 * n + c] = float("z", c);
      out.offset[3 * n + c] = float("offset", c);
      out.point[3 * n + c] = float("point", c);
    }
    out.friction[n] = float("friction");
    out.rigid[n] = view.getUint32(at + fields.proxy.offset, true) - 1;
    out.setKey(n, -1, -1, -1, -1);
  }
}

/**
 * Number of rounds to encode: a quarter more than steps of late have taken.
 *
 * @param now rounds that are encoded now
 * @param used by the last frame; more than `now` if it has halted for want of rounds
 */
function roundsAfter(now: number, used: number): number {
  return used > now ? Math.max(FIRST_ROUNDS, 2 * now) : Math.max(Math.ceil(1.25 * used), Math.floor(0.8 * now));
}
