import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import { numberOf } from "../parameters";
import type { ParameterValue } from "../scene";
import { Bar, type BarActions } from "./bar";
import { catalogue } from "./catalogue";
import { Legend } from "./legend";
import { Panel, type PanelActions } from "./panel";
import { PLACE, placeOf, putCamera, type Place } from "./place";
import { addressOf, type Backend, type Query, type SurfaceView } from "./query";
import { playableNamed } from "./playables";
import type { Playable, Session } from "./session";

/** Most frames per drawn image: a slow machine shows slow motion. */
const MOST_STEPS = 2;
/** s between refreshes of the figures */
const FIGURE_INTERVAL = 0.5;
const HINT_MS = 8000;

/** The page of a scene: one session at a time, driven by the panel and the bar. */
export class Gallery implements PanelActions, BarActions {
  private readonly panel: Panel;
  private readonly bar: Bar;
  private readonly legend: Legend;
  private session: Session | undefined;
  private definition!: Playable;
  /** name of the scene of the last session */
  private started: string | undefined;
  /** parameters that are set; others have their defaults, or depend on these */
  private settings: Readonly<Record<string, ParameterValue>> = {};
  private backend: Backend;
  private view: SurfaceView;
  private speed: number;
  /** as the address asks for it: the browser may lack it */
  private readonly graphics: Query["engine"];
  private paused: boolean;
  /** the place that the camera has by the address, or that its visitor gave it; otherwise it is the scene's */
  private place: Partial<Place>;
  /** the place of the camera as a session put it there */
  private begun: Place | undefined;
  private measuring = false;
  /** frames that still run before the page pauses */
  private framesLeft: number;
  /** sessions are made one after the other */
  private changing: Promise<void> = Promise.resolve();
  /** simulated time that is due but was not simulated yet, s */
  private behind = 0;
  /** simulated time since the figures were shown, s */
  private sinceShown = 0;
  private sinceFigures = 0;
  private gpuMs: number | undefined;
  /** number of sessions so far; the page shows it as `data-session`, and the frame as `data-frame`, to tests and scripts */
  private sessions = 0;

  constructor(
    private readonly engine: AbstractEngine,
    query: Query,
  ) {
    this.backend = query.backend;
    this.view = query.view;
    this.speed = query.speed;
    this.paused = query.paused;
    this.place = query.camera;
    this.graphics = query.engine;
    this.framesLeft = query.frames ?? Infinity;
    this.panel = new Panel(elementNamed("panel"), this);
    this.bar = new Bar(elementNamed("bar"), this);
    this.legend = new Legend(elementNamed("legend"), query.scale, () => {
      this.showView();
      this.writeAddress();
    });
    this.legend.visible = this.view === "strain";
    if (query.engine === "webgpu" && !engine.isWebGPU)
      this.hint("This page draws with WebGL, since the browser has no WebGPU. The processor simulates.");
    window.addEventListener("resize", () => engine.resize());
    engine.runRenderLoop(() => this.drawFrame());
  }

  /** Shows a scene; resolves when its first image can be drawn. */
  show(definition: Playable, settings: Readonly<Record<string, ParameterValue>>): Promise<void> {
    this.definition = definition;
    this.settings = settings;
    this.showCaption();
    return this.rebuild();
  }

  goTo(direction: -1 | 1): void {
    const names = catalogue.flatMap(({ scenes }) => Object.keys(scenes));
    const next = names.indexOf(this.definition.name) + direction;
    this.framesLeft = Infinity;
    this.place = {};
    void this.show(playableNamed(names[(next + names.length) % names.length]), {});
    this.writeAddress();
  }

  /** Parameters that a scene reads at every step change at once; others need a new session. */
  setParameter(name: string, value: ParameterValue): void {
    const { session } = this;
    this.settings = { ...this.settings, [name]: value };
    if (session?.parameters.find((parameter) => parameter.name === name)?.live) session.change(name, value);
    else void this.show(this.definition, this.settings);
    this.writeAddress();
  }

  restoreDefaults(): void {
    void this.show(this.definition, {});
    this.writeAddress();
  }

  setBackend(backend: Backend): void {
    this.backend = backend;
    void this.rebuild();
    this.writeAddress();
  }

  setView(view: SurfaceView): void {
    this.view = view;
    this.showView();
    this.writeAddress();
  }

  setSpeed(speed: number): void {
    this.speed = speed;
    this.behind = 0;
    this.writeAddress();
  }

  saveImage(): void {
    // WebGPU keeps an image for the task that drew it only.
    this.session?.scene.render();
    this.engine.getRenderingCanvas()?.toBlob((blob) => {
      if (blob === null) return;
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = `${this.definition.name}.png`;
      link.click();
      URL.revokeObjectURL(link.href);
    });
  }

  /** XR draws with WebGL: a page that draws with WebGPU is loaded anew, and the visitor presses once more. */
  showInHeadset(): void {
    const { session, engine } = this;
    if (session === undefined) return;
    const own = document.querySelector<HTMLElement>(".xr-button-overlay button");
    if (engine.isWebGPU) location.assign(this.address("webgl"));
    else if (own) own.click();
    else
      void import("./headset")
        .then(({ enterHeadset }) => enterHeadset(session.scene, session.camera))
        .catch((error: unknown) => this.hint(`The headset shows nothing: ${String(error)}`));
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
    this.behind = 0;
    this.writeAddress();
  }

  step(): void {
    this.setPaused(true);
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
      const { definition, settings, backend } = this;
      const session = await definition.start(this.engine, { settings, backend, timestamps: true });
      putCamera(
        session.camera,
        old !== undefined && this.started === definition.name ? placeOf(old.camera) : this.place,
      );
      this.begun = placeOf(session.camera);
      this.started = definition.name;
      session.showView(this.view, this.legend.scale);
      session.measuring = this.measuring;
      await session.scene.whenReadyAsync();
      this.session = session;
      this.showControls(session);
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
    session.scene.render();
    this.sinceFigures += elapsed;
    if (this.sinceFigures < FIGURE_INTERVAL) return;
    this.showFigures();
    this.lookAround(session);
    this.sinceFigures = 0;
    this.sinceShown = 0;
    void this.measure(session);
  }

  private advance(session: Session, elapsed: number): void {
    const frameTime = numberOf(session.present, "frameTime");
    this.behind = Math.min(this.behind + this.speed * elapsed, MOST_STEPS * frameTime);
    // A display slightly faster than 60 Hz still gets a step with every image.
    while (this.behind > 0.75 * frameTime && this.framesLeft > 0) {
      if (session.busy || !session.step()) return;
      this.behind -= frameTime;
      this.sinceShown += frameTime;
      this.framesLeft--;
    }
    document.documentElement.dataset.frame = String(session.plugin.world.frame);
  }

  /** The address follows the camera once the visitor has moved it. */
  private lookAround({ camera }: Session): void {
    const [now, last] = [placeOf(camera), this.begun];
    if (last === undefined || PLACE.every((key) => now[key] === last[key])) return;
    this.place = now;
    this.begun = now;
    this.writeAddress();
  }

  private async measure(session: Session): Promise<void> {
    this.gpuMs = await session.gpuMs();
    if (!this.measuring) return;
    const metrics = await session.measure();
    if (session === this.session) this.panel.showMetrics(this.definition.metrics, metrics);
  }

  private showControls({ parameters, present: values, actions }: Session): void {
    const { definition: scene, backend, measuring } = this;
    this.panel.show({ scene, parameters, values, actions, backend, measuring });
    this.bar.show(this.speed, this.view, this.paused);
  }

  private showCaption(): void {
    const { title, description } = this.definition;
    document.title = `${title} · Pliant gallery`;
    const caption = elementNamed("caption");
    caption.querySelector("h1")!.textContent = title;
    caption.querySelector("p")!.textContent = description;
  }

  private showView(): void {
    this.legend.visible = this.view === "strain";
    this.session?.showView(this.view, this.legend.scale);
  }

  /** The address always shows what the page shows. */
  private writeAddress(): void {
    history.replaceState(null, "", this.address());
  }

  private address(engine = this.graphics): string {
    const { settings, backend, view, speed, paused, place: camera } = this;
    const { scale } = this.legend;
    return addressOf({ scene: this.definition.name, settings, backend, view, scale, speed, paused, engine, camera });
  }

  private showFigures(): void {
    const { session } = this;
    if (session === undefined) return;
    const { world } = session.plugin;
    document.documentElement.dataset.frame = String(world.frame);
    const frameMs = 1000 / this.engine.getFps();
    this.bar.showPace({
      time: world.time,
      frameMs,
      stepMs: session.stepMs,
      frameTimeMs: 1000 * numberOf(session.present, "frameTime"),
      rate: this.sinceShown / Math.max(this.sinceFigures, 1e-3),
    });
    this.panel.showFigures({
      frameMs,
      stepMs: session.stepMs,
      gpuMs: this.gpuMs,
      backend: world.backend,
      particles: session.particles,
      triangles: session.triangles,
    });
  }

  private hint(message: string): void {
    const line = elementNamed("hint");
    line.textContent = message;
    line.hidden = false;
    setTimeout(() => (line.hidden = true), HINT_MS);
  }

  private complain(message: string | undefined): void {
    const banner = elementNamed("message");
    banner.textContent = message ?? "";
    banner.hidden = message === undefined;
  }
}

function elementNamed(id: string): HTMLElement {
  return document.getElementById(id)!;
}
