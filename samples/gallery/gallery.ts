import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import { numberOf, resolveParameters } from "../parameters";
import type { ParameterValue, ParameterValues, SceneDefinition } from "../scene";
import { Panel, type Backend, type ClothView, type PanelActions } from "./panel";
import type { Query } from "./query";
import { Session } from "./session";

/** Most frames per drawn image: a slow machine shows slow motion. */
const MOST_STEPS = 2;
/** s between refreshes of the figures */
const FIGURE_INTERVAL = 0.5;

/** The page: one session at a time, driven by the panel. */
export class Gallery implements PanelActions {
  private readonly panel: Panel;
  private session: Session | undefined;
  private definition!: SceneDefinition;
  /** parameters that are set; others have their defaults, or depend on these */
  private settings: Readonly<Record<string, ParameterValue>> = {};
  private backend: Backend;
  private view: ClothView = "cloth";
  private paused = false;
  private measuring = false;
  /** frames that still run before the page pauses */
  private framesLeft: number;
  /** sessions are made one after the other */
  private changing: Promise<void> = Promise.resolve();
  /** time that was displayed but not simulated yet, s */
  private behind = 0;
  private sinceFigures = 0;
  private gpuMs: number | undefined;
  /** number of sessions so far; the page shows it as `data-session`, and the frame as `data-frame`, to tests and scripts */
  private sessions = 0;

  constructor(
    private readonly engine: AbstractEngine,
    query: Query,
  ) {
    this.backend = query.backend;
    this.framesLeft = query.frames ?? Infinity;
    this.panel = new Panel(document.querySelector<HTMLElement>("#panel")!, this);
    window.addEventListener("resize", () => engine.resize());
    engine.runRenderLoop(() => this.drawFrame());
  }

  /** Shows a scene; resolves when its first image can be drawn. */
  show(definition: SceneDefinition, settings: Readonly<Record<string, ParameterValue>>): Promise<void> {
    this.definition = definition;
    this.settings = settings;
    this.showPanel();
    return this.rebuild();
  }

  chooseScene(definition: SceneDefinition): void {
    this.framesLeft = Infinity;
    history.replaceState(null, "", `?scene=${definition.name}`);
    void this.show(definition, {});
  }

  setParameter(name: string, value: ParameterValue): void {
    void this.show(this.definition, { ...this.settings, [name]: value });
  }

  restoreDefaults(): void {
    void this.show(this.definition, {});
  }

  setBackend(backend: Backend): void {
    this.backend = backend;
    void this.rebuild();
  }

  setView(view: ClothView): void {
    this.view = view;
    if (this.session !== undefined) this.session.view = view;
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
    this.behind = 0;
  }

  step(): void {
    this.paused = true;
    this.session?.step();
    this.showFigures();
  }

  reset(): void {
    void this.rebuild();
  }

  setMeasuring(measuring: boolean): void {
    this.measuring = measuring;
    if (this.session !== undefined) this.session.measuring = measuring;
  }

  private get values(): ParameterValues {
    return resolveParameters(this.definition, this.settings);
  }

  /** Replaces the session by a fresh one with the current settings; the camera keeps its place. */
  private rebuild(): Promise<void> {
    this.changing = this.changing.then(() => this.replaceSession());
    return this.changing;
  }

  private async replaceSession(): Promise<void> {
    const old = this.session;
    this.session = undefined;
    this.gpuMs = undefined;
    document.documentElement.dataset.frame = "0";
    try {
      const session = await Session.create(this.engine, {
        definition: this.definition,
        values: this.values,
        backend: this.backend,
        shadowSize: 2048,
        timestamps: true,
      });
      if (old !== undefined && old.definition === this.definition) {
        const { alpha, beta, radius, target } = old.stage.camera;
        Object.assign(session.stage.camera, { alpha, beta, radius });
        session.stage.camera.setTarget(target.clone());
      }
      session.view = this.view;
      session.measuring = this.measuring;
      await session.stage.scene.whenReadyAsync();
      this.session = session;
      document.documentElement.dataset.session = String(this.sessions++);
      this.complain(undefined);
    } catch (error) {
      this.complain(error instanceof Error ? error.message : String(error));
    } finally {
      old?.dispose();
    }
  }

  private drawFrame(): void {
    const { session } = this;
    if (session === undefined) return;
    const elapsed = this.engine.getDeltaTime() / 1000;
    if (!this.paused) this.advance(session, elapsed);
    session.stage.scene.render();
    this.sinceFigures += elapsed;
    if (this.sinceFigures < FIGURE_INTERVAL) return;
    this.sinceFigures = 0;
    this.showFigures();
    void this.measure(session);
  }

  private advance(session: Session, elapsed: number): void {
    const frameTime = numberOf(this.values, "frameTime");
    this.behind = Math.min(this.behind + elapsed, MOST_STEPS * frameTime);
    // A display slightly faster than 60 Hz still gets a step with every image.
    while (this.behind > 0.75 * frameTime && this.framesLeft > 0) {
      if (session.busy || !session.step()) return;
      this.behind -= frameTime;
      this.framesLeft--;
    }
    document.documentElement.dataset.frame = String(session.plugin.world.frame);
  }

  private async measure(session: Session): Promise<void> {
    this.gpuMs = await session.gpuMs();
    if (!this.measuring) return;
    const metrics = await session.instance.measure();
    if (session === this.session) this.panel.showMetrics(this.definition.metrics, metrics);
  }

  private showPanel(): void {
    const { definition: scene, values, backend, view, paused, measuring } = this;
    this.panel.show({ scene, values, backend, view, paused, measuring });
    const caption = document.querySelector<HTMLElement>("#caption")!;
    caption.querySelector("h1")!.textContent = scene.title;
    caption.querySelector("p")!.textContent = scene.description;
  }

  private showFigures(): void {
    const { session } = this;
    if (session === undefined) return;
    const { world } = session.plugin;
    document.documentElement.dataset.frame = String(world.frame);
    this.panel.showFigures({
      time: world.time,
      frameMs: 1000 / this.engine.getFps(),
      stepMs: session.stepMs,
      gpuMs: this.gpuMs,
      backend: world.backend,
      particles: session.particles,
      triangles: session.triangles,
    });
  }

  private complain(message: string | undefined): void {
    const banner = document.querySelector<HTMLElement>("#message")!;
    banner.textContent = message ?? "";
    banner.hidden = message === undefined;
  }
}
