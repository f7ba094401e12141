import { PliantError } from "../errors";
import type { BodyState, DeformableSolver, PinTable, Tear } from "../solvers/deformable";
import type { GpbdModel } from "../solvers/gpbd/model";
import { requireSameMesh } from "../solvers/alike";
import { tearableCopy, type TearingOptions } from "../solvers/gpbd/tearing/tearable";
import type { Tearing } from "../solvers/gpbd/tearing/tearing";
import type { Backend } from "./backend/backend";
import { Signal } from "./signal";
import type { BodyModel, BodySettings } from "./backend/body-settings";
import { tearingPart } from "./backend/solvers";

/**
 * The tears of a body: checks after every frame whether to make one. On a GPU the check reads a copy that comes a frame
 * or two later, and the state stays on the GPU.
 */
export class BodyTears {
  readonly onTear = new Signal<Tear>();
  private whole: GpbdModel;
  /** model with spare particles, until `tearing` takes it over */
  private copy: GpbdModel;
  /** undefined until its code is loaded, which happens before the body moves */
  private tearing: Tearing | undefined;
  /** the particle that each new particle was split from, starting with the first spare particle */
  private readonly origins: number[] = [];
  readonly firstSpare: number;
  /** longest time that the tears of a frame have taken so far [s] */
  longest = 0;
  /** ends the check that is under way */
  private finish: (() => void) | undefined;
  private look: Promise<void> = Promise.resolve();

  /** @throws PliantError for a body that cannot tear; also throws as `Tearing` does */
  constructor(
    private readonly object: string,
    model: BodyModel,
    private readonly options: Readonly<TearingOptions>,
  ) {
    if (!("terms" in model) || model.solver === "local-global")
      throw new PliantError("unsupported", `${object}.tearing`, model.solver, "is for cloth of the solver gpbd");
    this.whole = model;
    this.copy = tearableCopy(object, model, options);
    this.firstSpare = model.particleCount;
    const begin = (part: { Tearing: typeof Tearing }): void => {
      this.tearing = new part.Tearing(object, this.whole, options, this.copy);
      part.Tearing.rehearse(object, this.whole, options);
    };
    if (tearingPart.loaded) begin(tearingPart.loaded);
    // If loading fails, the body does not move, and `whenReady` rejects.
    else void tearingPart.load().then(begin, () => undefined);
  }

  /** the model with spare particles; each tear changes it */
  get model(): GpbdModel {
    return this.tearing?.model ?? this.copy;
  }

  /** Changes the material; throws for a model of another mesh, or with elements other than triangles. */
  replaceModel(model: GpbdModel): GpbdModel {
    requireSameMesh(this.object, this.whole, model);
    if (this.tearing) return this.tearing.replaceModel(model);
    const { positions, faces } = this.copy;
    this.copy = { ...tearableCopy(this.object, model, this.options), positions, faces };
    this.whole = model;
    return this.copy;
  }

  /** particles in use */
  get particleCount(): number {
    return this.tearing?.particleCount ?? this.firstSpare;
  }

  /** @throws PliantError for contact between surfaces, which does not support tears */
  static check(object: string, { selfCollision, bodyCollision }: BodySettings): void {
    if (selfCollision === true || bodyCollision === true)
      throw new PliantError(
        "unsupported",
        `${object}.tearing`,
        selfCollision === true ? "selfCollision" : "bodyCollision",
        "is not for cloth that touches itself or other surfaces",
      );
  }

  /** Resolves when no check is under way. */
  settled(): Promise<void> {
    return this.look;
  }

  /** Discards the result of a check that is under way. */
  forget(): void {
    this.finish?.();
    this.finish = undefined;
  }

  /** Starts a check after a frame. */
  lookAt(solver: DeformableSolver, backend: Backend, pins: PinTable, apply: (tear: Tear) => void): void {
    const { tearing } = this;
    if (this.finish || !tearing || tearing.isExhausted) return;
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

  /** Gives particles that were split off after a state the values of the particles that they were split from. */
  complete({ inUse = this.particleCount }: Pick<BodyState, "inUse">, ...of: Float64Array[]): void {
    for (let p = inUse; p < this.particleCount; p++) {
      const origin = this.origins[p - this.firstSpare];
      for (const values of of) for (let c = 0; c < 3; c++) values[3 * p + c] = values[3 * origin + c]!;
    }
  }
}
