import { unsupported } from "../../errors";
import type { BodyState, Tear } from "../../solvers/deformable";
import type { GpbdModel } from "../../solvers/gpbd/model";
import { requireSameMesh } from "../../solvers/alike";
import { tearableCopy, type TearingOptions } from "../../solvers/gpbd/tearing/tearable";
import { Signal } from "../signal";
import type { TearWatch } from "./tear-watch";
import type { BodyModel, BodySettings } from "../backend/body-settings";
import { tearingPart } from "../backend/solvers";

/** The tears of a body: checks after every frame whether to make one. */
export class BodyTears {
  readonly onTear = new Signal<Tear>();
  private whole: GpbdModel;
  /** model with spare particles, until `tearing` takes it over */
  private copy: GpbdModel;
  /** undefined until its code is loaded, which happens before the body moves */
  private watch: TearWatch | undefined;
  readonly firstSpare: number;

  /** @throws PliantError for a body that cannot tear; also throws as `Tearing` does */
  constructor(
    private readonly object: string,
    model: BodyModel,
    private readonly options: Readonly<TearingOptions>,
  ) {
    if (!("terms" in model) || model.solver === "local-global")
      throw unsupported(`${object}.tearing`, model.solver, "is for cloth of the solver gpbd");
    this.whole = model;
    this.copy = tearableCopy(object, model, options);
    this.firstSpare = model.particleCount;
    const begin = (part: { TearWatch: typeof TearWatch }): void => {
      this.watch = new part.TearWatch(object, this.whole, options, this.copy, this.onTear);
    };
    if (tearingPart.loaded) begin(tearingPart.loaded);
    // If loading fails, the body does not move, and `whenReady` rejects.
    else void tearingPart.load().then(begin, () => undefined);
  }

  /** the model with spare particles; each tear changes it */
  get model(): GpbdModel {
    return this.watch?.tearing.model ?? this.copy;
  }

  /** Changes the material; throws for a model of another mesh, or with elements other than triangles. */
  replaceModel(model: GpbdModel): GpbdModel {
    requireSameMesh(this.object, this.whole, model);
    if (this.watch) return this.watch.tearing.replaceModel(model);
    const { positions, faces } = this.copy;
    this.copy = { ...tearableCopy(this.object, model, this.options), positions, faces };
    this.whole = model;
    return this.copy;
  }

  /** particles in use */
  get particleCount(): number {
    return this.watch?.tearing.particleCount ?? this.firstSpare;
  }

  /** @throws PliantError for contact between surfaces, which does not support tears */
  static check(object: string, { selfCollision, bodyCollision }: BodySettings, layer: number | undefined): void {
    const found = selfCollision ? "selfCollision" : bodyCollision ? "bodyCollision" : layer !== undefined && "layer";
    if (found) throw unsupported(`${object}.tearing`, found, "is not for cloth that touches itself or other surfaces");
  }

  /** Longest time that the tears of a frame have taken so far [s]. */
  get longest(): number {
    return this.watch?.longest ?? 0;
  }

  /** Resolves when no check is under way. */
  settled(): Promise<void> {
    return this.watch?.look ?? Promise.resolve();
  }

  /** Discards the result of a check that is under way. */
  forget(): void {
    this.watch?.forget();
  }

  /** Starts a check after a frame. */
  lookAt(...of: Parameters<TearWatch["lookAt"]>): void {
    this.watch?.lookAt(...of);
  }

  /** Gives particles that were split off after a state the values of the particles that they were split from. */
  complete(state: Pick<BodyState, "inUse">, ...of: Float64Array[]): void {
    this.watch?.complete(state, this.firstSpare, of);
  }
}
