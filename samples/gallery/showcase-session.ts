import type { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera";
import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import type { Material } from "@babylonjs/core/Materials/material";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { ClothAggregate, type PliantPlugin } from "../../plugin/index";
import { frameTimeParameter, resolveParameters } from "../parameters";
import type { Parameter, ParameterValue } from "../scene";
import { showcases, type Control, type Shown } from "../showcases/index";
import { strainMaterial } from "./looks";
import type { SurfaceView } from "./query";
import { Session, type Action, type Playable, type SessionOptions } from "./session";

/** Frames of a run that is not watched. */
const FRAMES = 150;

/** A showcase as an entry of the gallery; undefined if none has the name. */
export function playableShowcase(name: string): Playable | undefined {
  if (!Object.hasOwn(showcases, name)) return undefined;
  const { title, description, frames = FRAMES } = showcases[name];
  return {
    ...{ name, title, description, frames },
    metrics: [],
    parameters: undefined,
    about: "All of this scene in one file, of Babylon and the plugin alone. It draws to the canvas of your page.",
    alone: `alone.html?scene=${name}`,
    start: (engine, options) => ShowcaseSession.create(engine, name, options),
  };
}

/** Parameters of the controls that have a value. */
export function parametersOf(controls: Shown["controls"]): Parameter[] {
  return Object.entries(controls).flatMap(([name, control]) => {
    if ("press" in control) return [];
    const { value, range, choices, unit = "" } = control as { value: ParameterValue } & Partial<Parameter>;
    return [{ name, default: value, unit, range, choices, live: true, description: "changes at once" }];
  });
}

/** Buttons of the controls that have none. */
export function actionsOf(controls: Shown["controls"]): Action[] {
  return Object.entries(controls).flatMap(([name, control]) =>
    "press" in control ? [{ name, press: () => control.press() }] : [],
  );
}

/** Sets a control. */
export function setControl(control: Control, value: ParameterValue): void {
  if ("set" in control) (control.set as (value: ParameterValue) => void)(value);
}

class ShowcaseSession extends Session {
  override readonly actions: readonly Action[];
  private readonly materials = new Map<number, Material | null>();

  private constructor(
    private readonly shown: Shown,
    parameters: readonly Parameter[],
    values: Record<string, ParameterValue>,
  ) {
    const { scene, controls } = shown;
    const plugin = scene.getPhysicsEngine()!.getPhysicsPlugin() as unknown as PliantPlugin;
    super(scene, scene.activeCamera as ArcRotateCamera, plugin, parameters, values);
    this.actions = actionsOf(controls);
  }

  static async create(
    engine: AbstractEngine,
    name: string,
    { settings, backend, timestamps }: SessionOptions,
  ): Promise<Session> {
    const { createScene } = await showcases[name].load();
    const shown = await createScene(engine, { load: "all", backend, timestamps });
    try {
      const parameters = [...parametersOf(shown.controls), frameTimeParameter()];
      const values = { ...resolveParameters({ name, parameters }, settings) };
      const session = new ShowcaseSession(shown, parameters, values);
      for (const { name: key, default: value } of parameters)
        if (values[key] !== value && key in shown.controls) session.change(key, values[key]);
      return session;
    } catch (error) {
      shown.scene.dispose();
      throw error;
    }
  }

  change(name: string, value: ParameterValue): void {
    this.values[name] = value;
    setControl(this.shown.controls[name], value);
  }

  showView(view: SurfaceView, scale: number): void {
    for (const aggregate of this.plugin.deformableAggregates) {
      const { mesh } = aggregate;
      const isColored = aggregate instanceof ClothAggregate && view === "strain";
      // A `SmoothMesh` gives way to the simulated mesh while that shows its strain, so edges are those that are simulated.
      if (aggregate instanceof ClothAggregate) aggregate.showStrain(view !== "cloth", scale);
      mesh.useVertexColors = view !== "wireframe";
      this.dress(mesh, view, isColored);
    }
  }

  private dress(mesh: AbstractMesh, view: SurfaceView, isColored: boolean): void {
    const own = this.materials.get(mesh.uniqueId) ?? mesh.material;
    this.materials.set(mesh.uniqueId, own);
    if (mesh.material !== own) mesh.material?.dispose();
    if (isColored) mesh.material = strainMaterial(this.scene);
    else mesh.material = view === "wireframe" ? (own?.clone(`${own.name} mesh`) ?? null) : own;
    if (view === "wireframe" && mesh.material) mesh.material.wireframe = true;
  }

  async measure(): Promise<Readonly<Record<string, number>>> {
    return {};
  }
}
