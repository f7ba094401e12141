import type { BodyState, DeformableSolver, PinTable, Tear } from "../../solvers/deformable";
import type { GpbdModel } from "../../solvers/gpbd/model";
import type { TearingOptions } from "../../solvers/gpbd/tearing/tearable";
import { Tearing } from "../../solvers/gpbd/tearing/tearing";
import type { Backend } from "../backend/backend";
import type { Signal } from "../signal";

/**
 * Looks after every frame whether a body tears. On a GPU a look reads a copy that comes a frame or two later, and the state stays on the GPU.
 */
export class TearWatch {
  readonly tearing: Tearing;
  /** the particle that each new particle was split from, starting with the first spare particle */
  private readonly origins: number[] = [];
  /** longest time that the tears of a frame have taken so far [s] */
  longest = 0;
  /** ends the look that is under way */
  private finish: (() => void) | undefined;
  look: Promise<void> = Promise.resolve();

  /**
   * @param copy of the whole model, with spare particles
   * @throws PliantError as `Tearing` does
   */
  constructor(
    object: string,
    whole: GpbdModel,
    options: Readonly<TearingOptions>,
    copy: GpbdModel,
    private readonly onTear: Signal<Tear>,
  ) {
    this.tearing = new Tearing(object, whole, options, copy);
    Tearing.rehearse(object, whole, options);
  }

  /** Discards the result of a look that is under way. */
  forget(): void {
    this.finish?.();
    this.finish = undefined;
  }

  /** Starts a look after a frame. */
  lookAt(solver: DeformableSolver, backend: Backend, pins: PinTable, apply: (tear: Tear) => void): void {
    const { tearing } = this;
    if (this.finish || tearing.isExhausted) return;
    let done = (): void => undefined;
    const look = new Promise<void>((resolve) => (done = resolve));
    this.finish = done;
    const isUnderWay = backend.readLater(solver, ({ positions }) => {
      if (this.finish !== done) return;
      const began = performance.now();
      const tear = tearing.tear(positions, pins.pinned);
      if (tear) {
        for (const { from } of tear.splits) this.origins.push(from);
        apply(tear);
        this.longest = Math.max(this.longest, (performance.now() - began) / 1000);
        this.onTear.notify(tear);
      }
      this.forget();
    });
    if (isUnderWay) this.look = look;
    else this.forget();
  }

  /** See `BodyTears.complete`. */
  complete({ inUse }: Pick<BodyState, "inUse">, firstSpare: number, of: readonly Float64Array[]): void {
    const { particleCount } = this.tearing;
    for (let p = inUse ?? particleCount; p < particleCount; p++) {
      const origin = this.origins[p - firstSpare];
      for (const values of of) for (let c = 0; c < 3; c++) values[3 * p + c] = values[3 * origin + c]!;
    }
  }
}
