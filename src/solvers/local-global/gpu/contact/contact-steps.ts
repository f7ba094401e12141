/** The uniforms that contact has for the steps of a frame: a slot for each purpose, of a frame in one part, in two and in four. */
import { ledSpeed } from "../../../../collision/obstacles/obstacle-motion";
import * as constants from "../../../../generated/constants";
import * as structs from "../../../../generated/structs";
import type { GpuContext } from "../../../../gpu/device";
import { StructWriter } from "../../../../gpu/struct";
import type { FrameInput } from "../../../deformable";
import type { GroupBody } from "../../body/group-body";
import { strictest } from "../../group";
import { slowSpeed, windSpeed } from "../../trust";
import { UNIFORM_SLOT } from "../passes";
import { Slot, STEP_SLOTS } from "./contact-buffers";

/** Stands for an energy without a bound, which f32 can tell from one [J]. */
const MOST_SUPPLY = 1e30;
const { PASS_OVERLAP, FIRST_PASS, LATER_PASS, PASS_CHECK, DEEP_THICKNESSES, MOST_PARTS } = constants;
const { fields } = structs.ContactStep;
type Field = keyof typeof fields;

/** Numbers of a frame beside its input. */
export interface FrameNumbers {
  readonly number: number;
  readonly substeps: number;
  /** whether it may be taken again */
  readonly isJudged: boolean;
}

/** Numbers that depend on the buffers as they are. */
export type RoomNumbers = Readonly<
  Record<"generation" | "capacity" | "valueCapacity" | "pairCapacity" | "mayGrow" | "hasRounds" | "attempts", number>
>;

export class ContactSteps {
  private readonly options: StructWriter<typeof structs.ContactOptions>;
  private readonly steps: StructWriter<typeof structs.ContactStep>;
  private readonly bytes: Uint8Array<ArrayBuffer>;

  /** @param slots of steps that there are */
  constructor(
    private readonly context: GpuContext,
    private readonly bodies: readonly GroupBody[],
    private readonly buffers: { readonly contactOptions: GPUBuffer; readonly contactStep: GPUBuffer },
    slots: number,
  ) {
    this.options = new StructWriter(structs.ContactOptions, bodies.length);
    this.steps = new StructWriter(structs.ContactStep, STEP_SLOTS, UNIFORM_SLOT);
    this.bytes = new Uint8Array(STEP_SLOTS * UNIFORM_SLOT * slots);
  }

  writeOptions(): void {
    const { options } = this;
    this.bodies.forEach((body, b) => {
      const { thickness, contactMargin: margin, friction } = body.options;
      const isSolid = body.model.tetrahedra ? 1 : 0;
      options.put(b, { isSolid, thickness, margin, friction, windSpeed: windSpeed(body) });
    });
    this.context.device.queue.writeBuffer(this.buffers.contactOptions, 0, options.bytes);
  }

  /** Parameters of the steps of a frame, of which `write` makes all. @param sizes fields that tell sizes */
  plan(
    frame: FrameInput,
    { number, substeps, isJudged }: FrameNumbers,
    sizes: Readonly<Partial<Record<Field, number>>>,
  ): ArrayBuffer {
    const { steps, bodies } = this;
    const { colliders, dt, gravity } = frame;
    const settings = strictest(bodies);
    for (let kind: Slot = 0; kind < STEP_SLOTS; kind++)
      steps.put(kind, {
        ...sizes,
        detection: kind === Slot.later ? LATER_PASS : kind === Slot.check ? PASS_CHECK : FIRST_PASS,
        writes: kind === Slot.write ? 1 : 0,
        overlap: kind === Slot.deep ? 0 : PASS_OVERLAP * settings.thickness,
        overlapThicknesses: kind === Slot.deep ? DEEP_THICKNESSES : 0,
        colliderCount: colliders.primitives.length,
        number,
        frame: frame.frame,
        newtonIterations: settings.newtonIterations,
        constraintIterations: settings.constraintIterations,
        ncp: settings.complementarity === "minimum-map" ? 0 : 1,
        isGuarded: settings.guarded ? 1 : 0,
        isLast: kind === Slot.lastIteration ? 1 : 0,
        usesMass: settings.complementarityScale === "mass-inverse" ? 1 : 0,
        stepTime: dt / substeps,
        frameTime: dt,
        gravity,
        isJudged: isJudged ? 1 : 0,
        rigidSupply: Math.min(MOST_SUPPLY, colliders.supply),
        ledSpeed: ledSpeed(colliders, dt),
        slowSpeed: slowSpeed(frame),
      });
    return steps.bytes.slice(0);
  }

  /** Writes the steps of a frame, with as many attempts as are encoded. */
  write(planned: ArrayBuffer, substeps: number, room: RoomNumbers): void {
    const { bytes } = this;
    const view = new DataView(bytes.buffer);
    const plan = new Uint8Array(planned);
    const h = new DataView(planned).getFloat32(fields.stepTime.offset, true);
    let at = 0;
    for (let parts = 1; parts <= MOST_PARTS && parts < 2 ** room.attempts; parts *= 2)
      for (let n = 0; n < parts * substeps; n++)
        for (let kind = 0; kind < STEP_SLOTS; kind++, at += UNIFORM_SLOT) {
          bytes.set(plan.subarray(kind * UNIFORM_SLOT, (kind + 1) * UNIFORM_SLOT), at);
          view.setFloat32(at + fields.fraction0.offset, n / (parts * substeps), true);
          view.setFloat32(at + fields.fraction1.offset, (n + 1) / (parts * substeps), true);
          view.setFloat32(at + fields.stepTime.offset, h / parts, true);
          view.setUint32(at + fields.parts.offset, parts, true);
          for (const name in room)
            view.setUint32(at + fields[name as keyof RoomNumbers].offset, room[name as keyof RoomNumbers], true);
        }
    this.context.device.queue.writeBuffer(this.buffers.contactStep, 0, bytes, 0, at);
  }
}

/** Whether a frame was planned to be judged. */
export function isJudged(planned: ArrayBuffer): boolean {
  return new DataView(planned).getUint32(fields.isJudged.offset, true) === 1;
}
