/** The wind field of a world on the GPU, for a body or for several that are solved together. */
import { WindField as Layout, WindMode, WindShelter, WindZone } from "../../generated/structs";
import type { GpuContext } from "../../gpu/device";
import { type ReflectedStruct, StructWriter } from "../../gpu/struct";
import type { WindField } from "./wind-field";

interface Packed {
  readonly bytes: ArrayBuffer;
  readonly key: string;
}

/** Bodies share the bytes of a frame. */
const known = new WeakMap<WindField, Packed>();

const keyOf = (field: WindField): string => `${field.version} ${field.isTurbulent ? field.time : 0}`;

function packed(field: WindField): Packed {
  const key = keyOf(field);
  const last = known.get(field);
  if (last?.key === key) return last;
  const whole = new StructWriter(Layout, 1);
  const bytes = new Uint8Array(whole.bytes);
  const fill = (at: "modes" | "zones" | "shelters", writer: StructWriter<ReflectedStruct>): void =>
    bytes.set(new Uint8Array(writer.bytes), Layout.fields[at].offset);
  const { present, zones, shelters } = field;
  const modeCount = present?.phases ? present.modes.phases.length : 0;
  if (present) {
    const modes = new StructWriter(WindMode, modeCount);
    const three = (list: Float64Array, m: number): Float64Array => list.subarray(3 * m, 3 * m + 3);
    for (let m = 0; m < modeCount; m++)
      modes.put(m, {
        wave: three(present.modes.waves, m),
        phase: present.phases[m],
        amplitude: three(present.modes.amplitudes, m),
      });
    fill("modes", modes);
  }
  const inZones = new StructWriter(WindZone, zones.length);
  zones.forEach(({ packed: { top: _, ...values } }, i) => inZones.put(i, values));
  if (zones.length > 0) fill("zones", inZones);
  const inShelters = new StructWriter(WindShelter, shelters.length);
  shelters.forEach((shelter, i) => inShelters.put(i, shelter.packed));
  if (shelters.length > 0) fill("shelters", inShelters);
  whole.put(0, { modeCount, zoneCount: zones.length, shelterCount: shelters.length });
  const next = { bytes: whole.bytes, key };
  known.set(field, next);
  return next;
}

/** A uniform with the wind field of the present frame: without a field, it adds nothing to the mean wind. */
export class GpuWind {
  readonly buffer: GPUBuffer;
  private written: { readonly field: WindField | undefined; readonly key: string } = { field: undefined, key: "" };

  constructor(
    private readonly context: GpuContext,
    name: string,
  ) {
    this.buffer = context.createUniformBuffer(`${name} wind`, Layout.size);
  }

  write(field: WindField | undefined): void {
    const key = field ? keyOf(field) : "";
    if (this.written.field === field && this.written.key === key) return;
    this.written = { field, key };
    const bytes = field ? packed(field).bytes : new ArrayBuffer(Layout.size);
    this.context.device.queue.writeBuffer(this.buffer, 0, bytes);
  }
}
