/** Zones and shelters of a wind field. */
import type { Quat, Vec3 } from "../../math/types";
import { turn } from "../../math/quaternions";
import { checkShelter, checkZone, type WindShelterOptions, type WindZoneOptions } from "./wind-options";

/** Values of an option that is undefined stay as they are. */
function given<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}

/** Rows of the matrix that takes offsets from a center to the unit ball or cube [1/m]. */
function rowsOf(rotation: Quat, halfExtents: Vec3): readonly [Vec3, Vec3, Vec3] {
  const axis = (i: number): Vec3 => {
    const [x, y, z] = turn(
      rotation,
      [0, 1, 2].map((c) => Number(c === i)),
    );
    return [x / halfExtents[i], y / halfExtents[i], z / halfExtents[i]];
  };
  return [axis(0), axis(1), axis(2)];
}

/** Product of a row with an offset. */
const along = (row: Vec3, x: number, y: number, z: number): number => row[0] * x + row[1] * y + row[2] * z;

/** 0 below a, 1 above b, and smooth between them. */
function smoothstep(a: number, b: number, x: number): number {
  const s = Math.min(1, Math.max(0, (x - a) / (b - a)));
  return s * s * (3 - 2 * s);
}

type Settled<Options> = Required<{ [Name in keyof Options]: NonNullable<Options[Name]> }>;

/** A part of a wind field whose options may change. */
abstract class WindPlace<Options extends object, Packed> {
  private options: Settled<Options>;
  private values!: Packed;

  protected constructor(
    defaults: Settled<Options>,
    options: Options,
    private readonly way: {
      readonly check: (options: Options) => void;
      readonly pack: (options: Settled<Options>) => Packed;
      readonly changed: () => void;
      readonly leave: () => void;
    },
  ) {
    this.options = defaults;
    this.setOptions(options);
  }

  /** @throws PliantError `invalid-argument` for a value out of its range; nothing is changed then */
  setOptions(options: Options): void {
    this.way.check(options);
    this.options = { ...this.options, ...given(options) };
    this.values = this.way.pack(this.options);
    this.way.changed();
  }

  /** Its numbers, by the names in shaders/wind.wgsl. */
  get packed(): Packed {
    return this.values;
  }

  /** Takes it out of its field. */
  dispose(): void {
    this.way.leave();
  }
}

/** Falloff of zones that have none: they end at once. */
const LEAST_FALLOFF = 1e-6;

const zoneDefaults = {
  center: [0, 0, 0],
  halfExtents: [1, 1, 1],
  rotation: [0, 0, 0, 1],
  shape: "sphere",
  kind: "directional",
  direction: [0, 1, 0],
  speed: 1,
  falloff: 0.5,
} as const;

function packedZone(options: Settled<WindZoneOptions>) {
  const { center, shape, kind, halfExtents, rotation, direction, speed, falloff } = options;
  const [row0, row1, row2] = rowsOf(rotation, halfExtents);
  const turned = turn(rotation, direction);
  const size = Math.sqrt(turned.reduce((sum, value) => sum + value * value, 0));
  const reach = Math.max(...halfExtents);
  // A box has corners beyond its half extents.
  const corner = kind === "vortex" ? Math.sqrt(3) : 1;
  return {
    center,
    shape: ["sphere", "box", "cylinder"].indexOf(shape),
    row0,
    kind: ["directional", "radial", "vortex"].indexOf(kind),
    row1,
    falloff: Math.max(LEAST_FALLOFF, falloff),
    row2,
    reach,
    direction: turned.map((value) => value / size) as unknown as Vec3,
    speed,
    top: corner * Math.abs(speed),
  };
}

/** Wind that is added within a part of space; `WindField.addZone` makes it. */
export class WindZone extends WindPlace<WindZoneOptions, ReturnType<typeof packedZone>> {
  /** @internal */
  constructor(options: WindZoneOptions, changed: () => void, leave: () => void) {
    super(zoneDefaults, options, { check: checkZone, pack: packedZone, changed, leave });
  }

  /** Adds its velocity at a place to three numbers [m/s]. */
  add(px: number, py: number, pz: number, out: Float64Array): void {
    const { center, shape, row0, row1, row2, falloff, kind, direction: d, speed, reach } = this.packed;
    const x = px - center[0];
    const y = py - center[1];
    const z = pz - center[2];
    const a = along(row0, x, y, z);
    const b = along(row1, x, y, z);
    const c = along(row2, x, y, z);
    let rho: number;
    if (shape === 1) rho = Math.max(Math.abs(a), Math.abs(b), Math.abs(c));
    else if (shape === 2) rho = Math.max(Math.sqrt(a * a + c * c), Math.abs(b));
    else rho = Math.sqrt(a * a + b * b + c * c);
    if (rho >= 1) return;
    const share = speed * smoothstep(0, 1, (1 - rho) / falloff);
    if (kind === 0) for (let i = 0; i < 3; i++) out[i] += share * d[i];
    else if (kind === 1) {
      const part = share / Math.sqrt(x * x + y * y + z * z + 0.01 * reach * reach);
      out[0] += part * x;
      out[1] += part * y;
      out[2] += part * z;
    } else {
      const part = share / reach;
      out[0] += part * (d[1] * z - d[2] * y);
      out[1] += part * (d[2] * x - d[0] * z);
      out[2] += part * (d[0] * y - d[1] * x);
    }
  }
}

const shelterDefaults = {
  center: [0, 0, 0],
  halfExtents: [1, 1, 1],
  rotation: [0, 0, 0, 1],
  strength: 0.9,
  spread: 0.1,
} as const;

function packedShelter(options: Settled<WindShelterOptions>) {
  const { center, halfExtents, rotation, strength, spread } = options;
  const [row0, row1, row2] = rowsOf(rotation, halfExtents);
  // Of a wall, whatever its thickness, and of a pole, whatever its height.
  const radius = [...halfExtents].sort((a, b) => a - b)[1];
  return { center, strength, row0, spread: spread / radius, row1, row2 };
}

/**
 * An ellipsoid with a wake of slow air behind it, in the direction of the mean wind; `WindField.addShelter` makes it. In the frame in
 * which it is a unit ball, the wake has the radius r = 1 + spread · s / h at the distance s behind it, with its middle half extent h, and
 * strength / r² of the wind is missing in it (Jensen 1983, A note on wind generator interaction), with a soft border.
 */
export class WindShelter extends WindPlace<WindShelterOptions, ReturnType<typeof packedShelter>> {
  /** @internal */
  constructor(options: WindShelterOptions, changed: () => void, leave: () => void) {
    super(shelterDefaults, options, { check: checkShelter, pack: packedShelter, changed, leave });
  }

  /** Part of a mean wind [m/s] that comes to a place. */
  share(px: number, py: number, pz: number, mean: ArrayLike<number>): number {
    const { center, row0, row1, row2, strength, spread } = this.packed;
    const x = px - center[0];
    const y = py - center[1];
    const z = pz - center[2];
    const a = along(row0, x, y, z);
    const b = along(row1, x, y, z);
    const c = along(row2, x, y, z);
    const u = along(row0, mean[0], mean[1], mean[2]);
    const v = along(row1, mean[0], mean[1], mean[2]);
    const w = along(row2, mean[0], mean[1], mean[2]);
    const speed = Math.sqrt(u * u + v * v + w * w);
    if (!(speed > 0)) return 1;
    const way = (a * u + b * v + c * w) / speed;
    const part = way / speed;
    const p = a - part * u;
    const q = b - part * v;
    const r = c - part * w;
    const aside = Math.sqrt(p * p + q * q + r * r);
    const mx = mean[0];
    const my = mean[1];
    const mz = mean[2];
    const distance = (x * mx + y * my + z * mz) / Math.sqrt(mx * mx + my * my + mz * mz);
    const radius = 1 + spread * Math.max(distance, 0);
    const within = 1 - smoothstep(0.75, 1.25, aside / radius);
    return 1 - (strength / (radius * radius)) * within * smoothstep(-1, 0.5, way);
  }
}
