import { checkNames, optionNames } from "../../../option-names";
import type { BlockTree } from "../../../math/sparse/block-tree";
import {
  requireBytes,
  SparseInverse,
  symbolicInverse,
  type SymbolicInverse,
} from "../../../math/sparse/sparse-inverse";
import { runControlNames } from "../../../tasks/run-control";
import type { FactorControl, FactorHandle, FactorState } from "../../deformable";
import { BodySystem } from "../body/body-system";
import { hasSameElements, type LocalGlobalModel } from "../model";
import { systemMatrix } from "../body/system-matrix";
import { factorTasks } from "./background";

const factorControlNames = optionNames<FactorControl>()("timeStep", runControlNames);

/** The model and time step that a factor is for. */
interface Purpose {
  readonly model: LocalGlobalModel;
  /** [s] */
  readonly h: number;
}

/**
 * The factor of a local-global body, for one material and time step, and the next one while the worker makes it. Meanwhile the old
 * one serves on; before the first, the body stands still.
 */
export class Factorization implements FactorHandle {
  /** whether factors are kept for the next start */
  isKept = true;
  /** @internal throws PliantError for a factor that has no room where the body is solved */
  check: ((tree: BlockTree) => void) | undefined;
  /** of factors made on this thread; other materials and time steps have entries at the same places */
  private symbolic: SymbolicInverse | undefined;
  private current: BodySystem | undefined;
  private wanted: Purpose | undefined;
  private work: { readonly controller: AbortController; readonly done: Promise<void> } | undefined;
  private failure: unknown;
  private share = 0;
  private readonly listeners = new Set<(share: number) => void>();

  constructor(private newest: LocalGlobalModel) {}

  /** The model of factors that are asked for from now on. */
  get model(): LocalGlobalModel {
    return this.newest;
  }

  get state(): FactorState {
    if (this.work) return "pending";
    if (this.failure !== undefined) return "failed";
    return this.wanted && isFor(this.current, this.wanted) ? "ready" : "none";
  }

  /** Share of the factor in the making that is done, 0 to 1; 1 if none is being made. */
  get progress(): number {
    return this.work ? this.share : 1;
  }

  /** @internal the system that the body is stepped with: that of the newest factor that is done */
  get system(): BodySystem | undefined {
    return this.current;
  }

  /** @internal why the newest factor is not there */
  get error(): unknown {
    return this.failure;
  }

  async whenReadyAsync(control: FactorControl = {}): Promise<void> {
    checkNames("factorization.whenReadyAsync", control, factorControlNames);
    const { signal, onProgress, timeStep = 1 / 60 } = control;
    signal?.throwIfAborted();
    const cancel = (): void => this.cancel(signal?.reason);
    signal?.addEventListener("abort", cancel);
    if (onProgress) this.listeners.add(onProgress);
    try {
      if (!this.work && this.state !== "ready") this.start(this.wanted?.h ?? timeStep);
      while (this.work) await this.work.done;
      if (this.failure !== undefined) throw this.failure;
    } finally {
      signal?.removeEventListener("abort", cancel);
      if (onProgress) this.listeners.delete(onProgress);
    }
  }

  cancel(reason?: unknown): void {
    if (!this.work) return;
    this.failure = reason ?? new DOMException("the factor was given up", "AbortError");
    this.work.controller.abort(this.failure);
    this.work = undefined;
  }

  /** @internal has the factor for steps of h [s] made in the worker, unless that is so already, or failed */
  request(h: number): void {
    if (this.wanted?.h !== h || this.wanted.model !== this.model) this.start(h);
  }

  /**
   * @internal before the first step, of what is made on this thread: finds how large the factor is going to be
   *
   * @throws PliantError `device-limit` for one that there is no room for
   */
  plan(model = this.model): void {
    const symbolic = symbolicInverse(systemMatrix(model, 1), { coordinates: model.restPositions });
    requireBytes(`body "${model.name}"`, symbolic.offsets);
    this.check?.(symbolic.tree);
    this.symbolic = symbolic;
  }

  /**
   * @internal has factors from now on be of another model
   *
   * @throws PliantError as `plan`, for a model of other elements; nothing is changed then
   */
  replace(model: LocalGlobalModel): void {
    const { terms } = this.model;
    const isAlike =
      terms.length === model.terms.length && terms.every((term, k) => hasSameElements(term, model.terms[k]));
    if (this.symbolic && !isAlike) this.plan(model);
    this.newest = model;
  }

  /** @internal the system for steps of h [s], made here if need be */
  require(h: number): BodySystem {
    this.wanted = { model: this.model, h };
    if (!isFor(this.current, this.wanted)) {
      const system = new BodySystem(this.model, h, undefined, this.symbolic);
      this.check?.(system.inverse.tree);
      this.current = system;
      this.drop();
    }
    return this.current!;
  }

  /** @internal the body is gone */
  dispose(): void {
    this.cancel();
    this.listeners.clear();
  }

  private start(h: number): void {
    this.drop();
    const purpose = { model: this.model, h };
    this.wanted = purpose;
    if (isFor(this.current, purpose)) return;
    const controller = new AbortController();
    this.share = 0;
    this.work = { controller, done: this.make(purpose, controller.signal) };
  }

  /** Cancels the factor in the making. */
  private drop(): void {
    this.work?.controller.abort();
    this.work = undefined;
    this.failure = undefined;
  }

  private async make({ model, h }: Purpose, signal: AbortSignal): Promise<void> {
    const matrix = systemMatrix(model, h);
    const task = { name: `body "${model.name}"`, matrix, coordinates: model.restPositions, isKept: this.isKept };
    const onProgress = (share: number): void => {
      if (signal.aborted) return;
      this.share = share;
      for (const listener of this.listeners) listener(share);
    };
    try {
      const { inverse } = await factorTasks.run(task, { signal, onProgress });
      if (signal.aborted) return;
      this.check?.(inverse.tree);
      this.current = new BodySystem(model, h, { matrix, inverse: new SparseInverse(inverse) });
    } catch (error) {
      if (signal.aborted) return;
      this.failure = error;
    }
    this.work = undefined;
  }
}

function isFor(system: BodySystem | undefined, { model, h }: Purpose): boolean {
  return system?.model === model && system.h === h;
}
