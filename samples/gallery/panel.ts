import { describeValid } from "../parameters";
import type { Metric, Parameter, ParameterValue, ParameterValues } from "../scene";
import { button, choiceRow, element, formatted, parameterField, section, setPressed, toggle } from "./controls";
import type { Backend } from "./query";
import type { Action, Playable } from "./session";
import { isAdvanced, labelOf } from "./words";

/** The actions of the panel. */
export interface PanelActions {
  setParameter(name: string, value: ParameterValue): void;
  setBackend(backend: Backend): void;
  restoreDefaults(): void;
  setMeasuring(measuring: boolean): void;
}

export interface PanelState {
  readonly scene: Playable;
  readonly parameters: readonly Parameter[];
  readonly values: ParameterValues;
  /** buttons of the scene itself */
  readonly actions: readonly Action[];
  readonly backend: Backend;
  readonly measuring: boolean;
}

/** Figures that change while a scene runs. */
export interface Figures {
  readonly frameMs: number;
  readonly stepMs: number;
  /** undefined if the device has no timestamps */
  readonly gpuMs: number | undefined;
  readonly backend: string;
  readonly particles: number;
  readonly triangles: number;
}

const TABS = ["Controls", "Code", "Figures"] as const;
type Tab = (typeof TABS)[number];

/** The strip at the side of the page, on a phone a sheet at its foot. */
export class Panel {
  private readonly figures = element("dl");
  private readonly metrics = element("dl");
  private readonly code = element("pre");
  private readonly pages: Readonly<Record<Tab, HTMLElement>> = {
    Controls: element("div", { className: "page" }),
    Code: element("div", { className: "page" }),
    Figures: element("div", { className: "page" }),
  };
  private readonly tabs = new Map<Tab, HTMLButtonElement>();
  private readonly advanced = element("details");
  private shownCode: string | undefined;
  private tab: Tab = "Controls";

  constructor(
    private readonly root: HTMLElement,
    private readonly actions: PanelActions,
  ) {
    for (const name of TABS) {
      const tab = button(name, () => this.choose(name));
      tab.dataset.tab = name;
      this.tabs.set(name, tab);
    }
    const fold = toggle("Hide", false, (hidden) => {
      document.body.classList.toggle("folded", hidden);
      fold.textContent = hidden ? "Show" : "Hide";
      window.dispatchEvent(new Event("resize"));
    });
    fold.dataset.action = "fold";
    root.replaceChildren(
      element("nav", { className: "row" }, ...this.tabs.values(), fold),
      ...Object.values(this.pages),
    );
    this.choose("Controls");
  }

  /** Fills the panel: after another scene was chosen, or its parameters were reset. */
  show(state: PanelState): void {
    const { activeElement } = document;
    const focused = activeElement instanceof HTMLElement ? activeElement.dataset.parameter : undefined;
    this.figures.replaceChildren();
    this.metrics.replaceChildren();
    this.fillControls(state);
    this.pages.Code.replaceChildren(...this.codeOf(state.scene));
    this.pages.Figures.replaceChildren(section("This page", this.figures));
    if (state.scene.metrics.length > 0) this.pages.Figures.append(this.metricSection(state));
    if (this.tab === "Code") void this.loadCode(state.scene.name);
    this.pages.Code.dataset.scene = state.scene.name;
    if (focused !== undefined) this.root.querySelector<HTMLElement>(`[data-parameter="${focused}"]`)?.focus();
  }

  showFigures(figures: Figures): void {
    this.figures.replaceChildren(
      ...entry("between images", `${figures.frameMs.toFixed(1)} ms`),
      ...entry("step on this thread", `${figures.stepMs.toFixed(1)} ms`),
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

  private choose(tab: Tab): void {
    this.tab = tab;
    for (const [name, node] of this.tabs) {
      setPressed(node, name === tab);
      this.pages[name].hidden = name !== tab;
    }
    const { scene } = this.pages.Code.dataset;
    if (tab === "Code" && scene !== undefined) void this.loadCode(scene);
  }

  private fillControls({ parameters, values, actions, backend }: PanelState): void {
    const field = (parameter: Parameter): HTMLElement =>
      parameterField(
        { ...parameter, label: labelOf(parameter), help: `${parameter.description} (${describeValid(parameter)})` },
        values[parameter.name],
        (value) => this.actions.setParameter(parameter.name, value),
      );
    const plain = parameters.filter((parameter) => !isAdvanced(parameter));
    const buttons = actions.map((action) => button(labelOf(action), () => action.press()));
    const backends = choiceRow<Backend>(["auto", "webgpu", "cpu"], backend, (choice) =>
      this.actions.setBackend(choice),
    );
    this.advanced.replaceChildren(
      element("summary", {}, "Advanced"),
      section("Backend", backends),
      section("Solver", ...parameters.filter(isAdvanced).map(field)),
    );
    this.pages.Controls.replaceChildren(
      ...plain.map(field),
      element(
        "div",
        { className: "actions" },
        ...buttons,
        button("Defaults", () => this.actions.restoreDefaults()),
      ),
      this.advanced,
    );
  }

  private codeOf({ name, about, alone }: Playable): HTMLElement[] {
    const copy = button("Copy", () => void navigator.clipboard.writeText(this.code.textContent ?? ""));
    copy.dataset.action = "copy";
    const open = element("a", { href: `sources/${name}.ts.txt`, target: "_blank", rel: "noopener" }, "Open the file");
    const links = [open];
    if (alone !== undefined)
      links.push(element("a", { href: alone, target: "_blank", rel: "noopener" }, "Run it alone"));
    return [element("p", { className: "dim" }, about), element("div", { className: "row" }, copy, ...links), this.code];
  }

  private async loadCode(name: string): Promise<void> {
    if (this.shownCode === name) return;
    this.shownCode = name;
    this.code.textContent = "…";
    const answer = await fetch(`sources/${name}.ts.txt`);
    if (this.shownCode === name) this.code.textContent = answer.ok ? await answer.text() : "The file is not here.";
  }

  private metricSection(state: PanelState): HTMLElement {
    const measure = toggle("Measure", state.measuring, (measuring) => this.actions.setMeasuring(measuring));
    measure.dataset.action = "measure";
    measure.title = "Reads the state back after every step, which is slow";
    return section("Metrics", measure, this.metrics);
  }
}

function entry(name: string, value: string): [HTMLElement, HTMLElement] {
  return [element("dt", {}, name), element("dd", {}, value)];
}
