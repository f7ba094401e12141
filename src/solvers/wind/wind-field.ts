/** Wind that differs from place to place and from time to time. */
import { invalid } from "../../errors";
import type { Vec3 } from "../../math/types";
import { type Modes, MODES, turbulentModes, wave } from "./turbulence";
import { checkField, type WindFieldOptions, type WindShelterOptions, type WindZoneOptions } from "./wind-options";
import { WindShelter, WindZone } from "./wind-places";

/** Most zones of a field, and most shelters: as in shaders/wind.wgsl. */
const MOST_PLACES = 16;
const STILL: Vec3 = [0, 0, 0];
/** Size of the largest eddies [m]. */
const EDDY = 2;

/**
 * The wind of a world: a mean velocity, gusts that it carries along, zones such as fans and whirls, and shelters with a
 * wake behind them. Bodies add their own `wind` to the mean velocity. All bodies that feel air feel the field at their
 * own places; see `WorldOptions` and `airDensity`.
 *
 *     u(x, t) = ∏ sⱼ(x) · (ū + Σₘ aₘ f(kₘ·x + φₘ(t))) + Σᵢ zᵢ(x)
 *
 * with the wake factors s of the shelters, the mean wind ū, the waves of the turbulence and the winds z of the zones.
 *
 * @example
 * ```ts
 * const world = await World.create({ backend: "cpu" });
 * world.wind = new WindField({ velocity: [6, 0, 0], turbulence: { speed: 2, size: 3 } });
 * const fan = world.wind.addZone({ shape: "cylinder", halfExtents: [1, 3, 1], direction: [0, 1, 0], speed: 5 });
 * world.wind.addShelter({ center: [-4, 1, 0], halfExtents: [0.5, 1, 2] });
 * fan.setOptions({ speed: 8 });
 * ```
 */
export class WindField {
  private options: WindFieldOptions = {};
  private modes: Modes | undefined;
  private readonly zoneList: WindZone[] = [];
  private readonly shelterList: WindShelter[] = [];
  /** way of the mean wind up to a time [m], then the way of the turbulence in itself [m] */
  private readonly ways = new Float64Array(4);
  /** that time [s] */
  private since = 0;
  private now = 0;
  private readonly phases = new Float64Array(MODES);
  private changes = 0;
  private readonly heard = (): void => void this.changes++;

  /** @throws PliantError `invalid-argument` for an option that is unknown or out of its range */
  constructor(options: WindFieldOptions = {}) {
    this.setOptions(options);
  }

  /** Mean velocity [m/s]. */
  get velocity(): Vec3 {
    return this.options.velocity ?? STILL;
  }

  get zones(): readonly WindZone[] {
    return this.zoneList;
  }

  get shelters(): readonly WindShelter[] {
    return this.shelterList;
  }

  /**
   * Changes the options that have a value. Eddies stay where they are if the mean velocity or the speed of the
   * turbulence changes.
   *
   * @throws PliantError `invalid-argument` for an option that is unknown or out of its range; nothing is changed then
   */
  setOptions(options: WindFieldOptions): void {
    checkField(options);
    this.ways.set(this.waysAt(this.now));
    this.since = this.now;
    const { velocity, turbulence } = options;
    if (velocity) this.options = { ...this.options, velocity: [velocity[0], velocity[1], velocity[2]] };
    if (turbulence) {
      this.options = { ...this.options, turbulence: { ...turbulence } };
      const { speed, size = EDDY, seed = 1 } = turbulence;
      this.modes = speed > 0 ? turbulentModes(speed, size, seed) : undefined;
    }
    this.begin(this.now);
    this.heard();
  }

  /**
   * @returns the zone, to change it or to take it out
   * @throws PliantError `invalid-argument` for an option that is unknown or out of its range, and beyond 16 zones
   */
  addZone(options: WindZoneOptions): WindZone {
    const zone: WindZone = new WindZone(options, this.heard, () => this.remove(this.zoneList, zone));
    this.put(this.zoneList, zone, "WindField.zones");
    return zone;
  }

  /**
   * @returns the shelter, to change it or to take it out
   * @throws PliantError `invalid-argument` for an option that is unknown or out of its range, and beyond 16 shelters
   */
  addShelter(options: WindShelterOptions): WindShelter {
    const shelter: WindShelter = new WindShelter(options, this.heard, () => this.remove(this.shelterList, shelter));
    this.put(this.shelterList, shelter, "WindField.shelters");
    return shelter;
  }

  /**
   * Velocity of the air at a place in the present frame [m/s], for particles and sounds.
   *
   * @param own `wind` of a body, which is added to the mean velocity [m/s]
   */
  velocityAt([x, y, z]: Vec3, own: Vec3 = STILL): Vec3 {
    const mean = this.velocity.map((value, c) => value + own[c]);
    const out = new Float64Array(3);
    this.at(x, y, z, mean, out);
    return [out[0], out[1], out[2]];
  }

  /** @internal most that gusts and zones add to the mean wind [m/s] */
  get topSpeed(): number {
    let speed = this.modes?.top ?? 0;
    for (const zone of this.zoneList) speed += zone.packed.top;
    return speed;
  }

  /** @internal speed that strong gusts and the strongest zone add to the mean wind, for a load that lasts [m/s] */
  get strongSpeed(): number {
    const gusts = this.modes ? this.options.turbulence!.speed : 0;
    return this.zoneList.reduce((most, { packed }) => Math.max(most, packed.top), 0) + gusts;
  }

  /** @internal whether the mean velocity is all that there is */
  get isUniform(): boolean {
    return !this.modes && this.zoneList.length === 0 && this.shelterList.length === 0;
  }

  /** @internal */
  get isTurbulent(): boolean {
    return this.modes !== undefined;
  }

  /** @internal counts changes by calls */
  get version(): number {
    return this.changes;
  }

  /** @internal time of the present frame [s] */
  get time(): number {
    return this.now;
  }

  /** @internal before a frame that starts at a time [s] */
  begin(time: number): void {
    this.now = time;
    const { modes, phases } = this;
    if (!modes) return;
    const [x, y, z, own] = this.waysAt(time);
    const { waves } = modes;
    modes.phases.forEach((first, m) => {
      const [kx, ky, kz] = [waves[3 * m], waves[3 * m + 1], waves[3 * m + 2]];
      // An eddy turns over while the air in it passes it once.
      const cycles = first - (kx * x + ky * y + kz * z) + Math.sqrt(kx * kx + ky * ky + kz * kz) * own;
      phases[m] = cycles - Math.floor(cycles);
    });
  }

  /** @internal the waves of the present frame: `waves`, `amplitudes` and phases */
  get present(): { readonly modes: Modes; readonly phases: Float64Array } | undefined {
    return this.modes && { modes: this.modes, phases: this.phases };
  }

  /**
   * @internal velocity of the air at a place [m/s]
   *
   * @param mean mean wind there [m/s]; it may be `out`
   * @param out its first three numbers are changed
   */
  at(x: number, y: number, z: number, mean: ArrayLike<number>, out: Float64Array): void {
    const { modes, phases, shelterList, zoneList } = this;
    let share = 1;
    for (let s = 0; s < shelterList.length; s++) share *= shelterList[s].share(x, y, z, mean);
    let ux = mean[0];
    let uy = mean[1];
    let uz = mean[2];
    if (modes) {
      const { waves: k, amplitudes: a } = modes;
      for (let m = 0, i = 0; i < k.length; m++, i += 3) {
        const f = wave(k[i] * x + k[i + 1] * y + k[i + 2] * z + phases[m]);
        ux += f * a[i];
        uy += f * a[i + 1];
        uz += f * a[i + 2];
      }
    }
    out[0] = share * ux;
    out[1] = share * uy;
    out[2] = share * uz;
    for (let i = 0; i < zoneList.length; i++) zoneList[i].add(x, y, z, out);
  }

  private waysAt(time: number): [number, number, number, number] {
    const { velocity, ways, options } = this;
    const passed = time - this.since;
    const own = options.turbulence?.speed ?? 0;
    return [
      ways[0] + velocity[0] * passed,
      ways[1] + velocity[1] * passed,
      ways[2] + velocity[2] * passed,
      ways[3] + own * passed,
    ];
  }

  private put<Place>(list: Place[], place: Place, name: string): void {
    if (list.length >= MOST_PLACES) throw invalid(name, list.length + 1, `must be at most ${MOST_PLACES}`);
    list.push(place);
    this.heard();
  }

  private remove<Place>(list: Place[], place: Place): void {
    const at = list.indexOf(place);
    if (at < 0) return;
    list.splice(at, 1);
    this.heard();
  }
}
