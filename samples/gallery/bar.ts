import { element, setPressed } from "./controls";
import { hasHeadset } from "./has-headset";
import { speeds, views, type SurfaceView } from "./query";

/** The actions of the playback bar. */
export interface BarActions {
  setPaused(paused: boolean): void;
  step(): void;
  reset(): void;
  setSpeed(speed: number): void;
  setView(view: SurfaceView): void;
  /** the scene before (−1) or after (1) the present one in the gallery */
  goTo(direction: -1 | 1): void;
  saveImage(): void;
  showInHeadset(): void;
}

/** Figures that change while a scene runs. */
export interface Pace {
  /** simulated time, s */
  readonly time: number;
  /** time between images, ms */
  readonly frameMs: number;
  /** a step on this thread, ms */
  readonly stepMs: number;
  /** simulated time of a step, ms */
  readonly frameTimeMs: number;
  /** simulated seconds in a second */
  readonly rate: number;
}

/** Outlines in a box of 24 × 24. */
const ICONS = {
  previous: "M14 6l-6 6 6 6",
  next: "M10 6l6 6-6 6",
  play: "M8 5.5v13l10-6.5z",
  pause: "M8 6v12M16 6v12",
  step: "M6 6v12l8-6zM18 6v12",
  reset: "M5 12a7 7 0 1 0 2.3-5.2M5 4v4h4",
  image: "M4 8h4l1.5-2h5L16 8h4v11H4zM12 16.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6",
  headset: "M3 8h18v9h-6l-1.5-2.5h-3L9 17H3z",
  fullscreen: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5",
} as const;

const VIEW_LABELS: Readonly<Record<SurfaceView, string>> = {
  cloth: "Material",
  strain: "Strain",
  wireframe: "Mesh",
};

/** The bar below the picture: playback, speed, view, pace. */
export class Bar {
  private readonly pause: HTMLButtonElement;
  private readonly pace = element("output", { className: "pace", ariaLabel: "Time and speed" });
  private readonly load = element("span", { className: "load" });
  private readonly speed: HTMLSelectElement;
  private readonly view: HTMLSelectElement;
  private paused = false;

  constructor(
    root: HTMLElement,
    private readonly actions: BarActions,
  ) {
    this.pause = icon("pause", "Pause (space)", () => this.setPaused(!this.paused));
    this.speed = choice(
      "Speed",
      speeds.map((value) => [String(value), `${value}×`]),
      (value) => actions.setSpeed(Number(value)),
    );
    this.view = choice(
      "View",
      views.map((value) => [value, VIEW_LABELS[value]]),
      (value) => actions.setView(value as SurfaceView),
    );
    this.speed.dataset.action = "speed";
    this.view.dataset.action = "view";
    root.replaceChildren(
      icon("previous", "Previous scene", () => actions.goTo(-1)),
      this.pause,
      icon("step", "One frame (.)", () => this.step()),
      icon("reset", "Start again (r)", () => actions.reset()),
      icon("next", "Next scene", () => actions.goTo(1)),
      this.speed,
      this.view,
      element("div", { className: "pace-box" }, this.pace, element("span", { className: "track" }, this.load)),
      icon("image", "Save a picture", () => actions.saveImage()),
      icon("fullscreen", "Full screen (f)", () => void toggleFullscreen()),
    );
    document.addEventListener("keydown", (event) => this.onKey(event));
    void hasHeadset().then((has) => {
      if (has) root.lastElementChild!.before(icon("headset", "Show in a headset", () => actions.showInHeadset()));
    });
  }

  show(speed: number, view: SurfaceView, paused: boolean): void {
    this.speed.value = String(speed);
    this.view.value = view;
    this.showPaused(paused);
  }

  showPace({ time, frameMs, stepMs, frameTimeMs, rate }: Pace): void {
    this.pace.textContent = `${time.toFixed(1)} s · ${(1000 / frameMs).toFixed(0)} fps · ${rate.toFixed(rate < 0.1 ? 2 : 1)}× real time`;
    const part = Math.min(1, stepMs / frameTimeMs);
    this.load.style.width = `${100 * part}%`;
    this.load.classList.toggle("over", stepMs > frameTimeMs);
    this.load.parentElement!.title = `a step takes ${stepMs.toFixed(1)} of ${frameTimeMs.toFixed(1)} ms on this thread`;
  }

  private setPaused(paused: boolean): void {
    this.showPaused(paused);
    this.actions.setPaused(paused);
  }

  private step(): void {
    this.showPaused(true);
    this.actions.step();
  }

  private showPaused(paused: boolean): void {
    this.paused = paused;
    draw(this.pause, paused ? "play" : "pause");
    setPressed(this.pause, paused);
    this.pause.setAttribute("aria-label", paused ? "Play (space)" : "Pause (space)");
  }

  private onKey(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, button, a, summary")) return;
    const actions: Readonly<Record<string, () => void>> = {
      " ": () => this.setPaused(!this.paused),
      ".": () => this.step(),
      r: () => this.actions.reset(),
      f: () => void toggleFullscreen(),
    };
    if (!(event.key in actions)) return;
    event.preventDefault();
    actions[event.key]();
  }
}

async function toggleFullscreen(): Promise<void> {
  if (document.fullscreenElement === null) await document.documentElement.requestFullscreen();
  else await document.exitFullscreen();
}

function icon(name: keyof typeof ICONS, label: string, onClick: () => void): HTMLButtonElement {
  const node = element("button", { type: "button", className: "icon", title: label });
  node.dataset.action = name;
  node.setAttribute("aria-label", label);
  draw(node, name);
  node.addEventListener("click", onClick);
  return node;
}

function draw(node: HTMLElement, name: keyof typeof ICONS): void {
  node.innerHTML = `<svg viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
}

function choice(
  label: string,
  options: readonly (readonly [value: string, text: string])[],
  onChange: (value: string) => void,
): HTMLSelectElement {
  const select = element("select", {}, ...options.map(([value, text]) => element("option", { value }, text)));
  select.setAttribute("aria-label", label);
  select.title = label;
  select.addEventListener("change", () => onChange(select.value));
  return select;
}
