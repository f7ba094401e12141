import type { WindField } from "../solvers/wind/wind-field";
import type { BodySettings } from "./backend/body-settings";

/** The wind of a world. */
export class WorldWind {
  private own: WindField | undefined;
  private version = -1;

  get field(): WindField | undefined {
    return this.own;
  }

  set field(field: WindField | undefined) {
    this.own = field;
    this.version = NaN;
  }

  /**
   * Before a frame.
   *
   * @param time at its start [s]
   * @returns whether calls have changed the wind since the last frame: bodies that lie still may not lie still in it
   */
  begin(time: number): boolean {
    this.own?.begin(time);
    const { version } = this;
    this.version = this.own?.version ?? -1;
    return version !== this.version;
  }
}

/** Options of a step in the wind of the world. */
export function inWind(settings: BodySettings, field: WindField | undefined): BodySettings {
  if (!field) return settings;
  const { velocity: u, isUniform } = field;
  const { wind: own } = settings;
  const wind = [own[0] + u[0], own[1] + u[1], own[2] + u[2]] as const;
  return { ...settings, wind, windField: isUniform ? undefined : field };
}
