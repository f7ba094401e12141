import type { Metric, ParameterValue, ParameterValues, SceneDefinition } from "../scene";
import { scenes } from "../scenes/index";
import { button, choiceRow, element, formatted, parameterField, section, toggle } from "./controls";

export type Backend = "auto" | "webgpu" | "cpu" | "reference";
export type ClothView = "cloth" | "strain" | "wireframe";

/** The actions of the user. */
export interface PanelActions {
  chooseScene(scene: SceneDefinition): void;
  setParameter(name: string, value: ParameterValue): void;
  setBackend(backend: Backend): void;
  setView(view: ClothView): void;
  setPaused(paused: boolean): void;
  step(): void;
  reset(): void;
  restoreDefaults(): void;
  setMeasuring(measuring: boolean): void;
}

export interface PanelState {
  readonly scene: SceneDefinition;
  readonly values: ParameterValues;
  readonly backend: Backend;
  readonly view: ClothView;
  readonly paused: boolean;
  readonly measuring: boolean;
}

/** Figures that change while a scene runs. */
export interface Figures {
  readonly time: number;
  readonly frameMs: number;
  readonly stepMs: number;
  /** undefined if the device has no timestamps */
  readonly gpuMs: number | undefined;
  readonly backend: string;
  readonly particles: number;
  readonly triangles: number;
}

/** The dark strip at the side of the page. */
export class Panel {
  private readonly figures = element("dl");
  private readonly metrics = element("dl");

  constructor(
    private readonly root: HTMLElement,
    private readonly actions: PanelActions,
  ) {}

  /** Rebuilds the panel: after another scene was chosen, or its parameters were reset. */
  show(state: PanelState): void {
    const focused =
      document.activeElement instanceof HTMLElement ? document.activeElement.dataset.parameter : undefined;
    this.figures.replaceChildren();
    this.metrics.replaceChildren();
    this.root.replaceChildren(
      this.sceneList(state.scene),
      this.runSection(state),
      this.solverSection(state),
      this.parameterSection(state),
      section("Figures", this.figures),
      this.metricSection(state),
    );
    if (focused !== undefined) this.root.querySelector<HTMLElement>(`[data-parameter="${focused}"]`)?.focus();
  }

  showFigures(figures: Figures): void {
    this.figures.replaceChildren(
      ...entry("time", `${figures.time.toFixed(2)} s`),
      ...entry("frame", `${figures.frameMs.toFixed(1)} ms`),
      ...entry("step", `${figures.stepMs.toFixed(1)} ms`),
      ...entry("step on the GPU", figures.gpuMs === undefined ? "–" : `${figures.gpuMs.toFixed(2)} ms`),
      ...entry("backend", figures.backend),
      ...entry("particles", String(figures.particles)),
      ...entry("triangles", String(figures.triangles)),
    );
  }

  showMetrics(definitions: readonly Metric[], values: Readonly<Record<string, number>>): void {
    const rows = definitions.map((metric) => {
      const value = values[metric.name];
      const [name, figure] = entry(metric.name, value === undefined ? "–" : formatted(value, metric.unit));
      name.title = metric.description;
      figure.classList.toggle("broken", value !== undefined && metric.bound !== undefined && value > metric.bound);
      return [name, figure];
    });
    this.metrics.replaceChildren(...rows.flat());
  }

  private sceneList(current: SceneDefinition): HTMLElement {
    const list = element("div", { className: "scenes" });
    for (const scene of scenes) {
      const node = button(scene.title, () => this.actions.chooseScene(scene));
      node.dataset.scene = scene.name;
      node.title = scene.description;
      node.setAttribute("aria-current", String(scene === current));
      list.append(node);
    }
    return section("Scenes", list);
  }

  private runSection(state: PanelState): HTMLElement {
    const pause = toggle("Pause", state.paused, (paused) => this.actions.setPaused(paused));
    const step = button("Step", () => {
      pause.setAttribute("aria-pressed", "true");
      this.actions.step();
    });
    const reset = button("Reset", () => this.actions.reset());
    for (const [node, name] of [
      [pause, "pause"],
      [step, "step"],
      [reset, "reset"],
    ] as const)
      node.dataset.action = name;
    return section("Run", element("div", { className: "row" }, pause, step, reset));
  }

  private solverSection(state: PanelState): HTMLElement {
    const backends = choiceRow<Backend>(["auto", "webgpu", "cpu"], state.backend, (choice) =>
      this.actions.setBackend(choice),
    );
    const views = choiceRow<ClothView>(["cloth", "strain", "wireframe"], state.view, (choice) =>
      this.actions.setView(choice),
    );
    views.style.marginTop = "6px";
    return section("Backend and view", backends, views);
  }

  private parameterSection(state: PanelState): HTMLElement {
    const fields = state.scene.parameters.map((parameter) =>
      parameterField(parameter, state.values[parameter.name], (value) =>
        this.actions.setParameter(parameter.name, value),
      ),
    );
    return section(
      "Parameters",
      ...fields,
      button("Defaults", () => this.actions.restoreDefaults()),
    );
  }

  private metricSection(state: PanelState): HTMLElement {
    const measure = toggle("Measure", state.measuring, (measuring) => this.actions.setMeasuring(measuring));
    measure.dataset.action = "measure";
    measure.style.marginBottom = "8px";
    return section("Metrics", measure, this.metrics);
  }
}

function entry(name: string, value: string): [HTMLElement, HTMLElement] {
  return [element("dt", {}, name), element("dd", {}, value)];
}
