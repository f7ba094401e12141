import type { IInspectable } from "@babylonjs/core/Misc/iInspectable";
import type { Scene } from "@babylonjs/core/scene";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";
import { pluginOf } from "../plugin-of";
import { DeformableViewer } from "./deformable-viewer";
import { rowsOf, type Row } from "./inspected-rows";

/** Frames from one refresh of what is shown to the next. */
const REFRESH = 15;

/**
 * Gives the meshes of cloth, soft bodies and ropes lines in Babylon's Inspector, in its section "Custom": solver, size, cost, pins, sleep,
 * views of strain and of what is simulated, wind, options of the steps, and the material, which may all be changed while the scene runs.
 * Bodies that are made later get theirs with the next frame. Values that a body refuses leave it as it is; the console tells why.
 *
 * @example
 * ```ts
 * // before or after ShowInspector(scene)
 * const inspector = new DeformableInspector(scene);
 * ```
 */
export class DeformableInspector {
  private readonly inspected = new Map<DeformableAggregate, InspectedBody>();
  private viewer: DeformableViewer | undefined;
  private frame = 0;
  private readonly stop: () => void;

  /** @throws PliantError for a scene without the plugin */
  constructor(private readonly scene: Scene) {
    pluginOf("DeformableInspector", scene);
    const drawing = scene.onBeforeRenderObservable.add(() => this.follow());
    const disposal = scene.onDisposeObservable.add(() => this.dispose());
    this.stop = () => {
      scene.onBeforeRenderObservable.remove(drawing);
      scene.onDisposeObservable.remove(disposal);
    };
    this.follow();
  }

  dispose(): void {
    this.stop();
    for (const body of this.inspected.values()) body.dispose();
    this.inspected.clear();
    this.viewer?.dispose();
    this.viewer = undefined;
  }

  private follow(): void {
    for (const aggregate of pluginOf("DeformableInspector", this.scene).deformableAggregates)
      if (!this.inspected.has(aggregate)) this.add(aggregate);
    const refreshes = this.frame++ % REFRESH === 0;
    for (const body of this.inspected.values()) body.follow(refreshes);
  }

  private add(aggregate: DeformableAggregate): void {
    const rows = rowsOf(aggregate, () => (this.viewer ??= new DeformableViewer(this.scene)));
    this.inspected.set(aggregate, new InspectedBody(aggregate, rows));
    aggregate.onDisposeObservable.addOnce(() => {
      this.inspected.get(aggregate)?.dispose();
      this.inspected.delete(aggregate);
    });
  }
}

/** Lines of the Inspector for a body, with a property of its mesh each. */
class InspectedBody {
  /** changes that the next frame makes: a slider moves many times a frame, and a new material takes time */
  private readonly pending = new Map<Row, unknown>();
  private readonly target: Record<string, unknown> = this.aggregate.mesh as unknown as Record<string, unknown>;
  private isGone = false;

  constructor(
    private readonly aggregate: DeformableAggregate,
    private readonly rows: readonly Row[],
  ) {
    const { mesh } = aggregate;
    mesh.inspectableCustomProperties = [...inspectedOf(mesh), ...rows];
    for (const row of rows)
      Object.defineProperty(mesh, row.propertyName, {
        configurable: true,
        get: () => this.read(row),
        set: (value: unknown) => {
          this.change(row, value);
        },
      });
  }

  /** Makes the changes, and tells the Inspector, which watches its writes, of values that changed by themselves. */
  follow(refreshes: boolean): void {
    const { plugin } = this.aggregate;
    const hasChanged = this.pending.size > 0;
    for (const [row, value] of this.pending) {
      this.pending.delete(row);
      plugin._problems.attempt(this.aggregate, () => row.write?.(value), row);
    }
    if (!refreshes && !hasChanged) return;
    for (const { propertyName } of this.rows) this.target[propertyName] = SAME;
  }

  dispose(): void {
    if (this.isGone) return;
    this.isGone = true;
    const { mesh } = this.aggregate;
    for (const { propertyName } of this.rows) delete this.target[propertyName];
    mesh.inspectableCustomProperties = inspectedOf(mesh).filter((row) => !this.rows.includes(row as Row));
  }

  private read(row: Row): unknown {
    if (this.isGone || this.aggregate.isDisposed) return undefined;
    return this.pending.has(row) ? this.pending.get(row) : row.read();
  }

  private change(row: Row, value: unknown): void {
    if (row.write && value !== SAME) this.pending.set(row, value);
  }
}

/** A write that changes nothing. */
const SAME = Symbol("same");

/** Babylon types the list as if it were always there. */
function inspectedOf(mesh: { inspectableCustomProperties?: IInspectable[] }): readonly IInspectable[] {
  return mesh.inspectableCustomProperties ?? [];
}
