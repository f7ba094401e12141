import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { Color3 } from "@babylonjs/core/Maths/math.color";
import type { Prop, PropMaterial, SceneInstance, SoftSurface, Strand, Trace } from "../scene";
import type { Studio } from "../../site/examples/studio";
import { propMaterial, strainMaterial } from "./looks";
import { meshOfShape } from "./props";
import type { SurfaceView } from "./query";
import { SoftMesh } from "./soft-mesh";

/** Number of points of a drawn trace: constant, so that its mesh can stay. */
const TRACE_POINTS = 96;
const traceColours: Readonly<Record<Trace["kind"], string>> = {
  first: "#7d8894",
  best: "#e08a1e",
  measured: "#2f6f9f",
};

/**
 * The drawn parts of a scene besides its cloth: soft bodies, obstacles, links, decoration, chains, the paths of points.
 */
export class Drawing {
  private readonly updates: (() => void)[] = [];
  private readonly materials = new Map<PropMaterial, PBRMaterial>();
  private readonly softs: SoftMesh[] = [];
  private shown: SurfaceView = "cloth";

  constructor(
    instance: SceneInstance,
    private readonly stage: Studio,
  ) {
    for (const prop of instance.props) this.addProp(prop);
    for (const strand of instance.strands ?? []) this.addStrand(strand);
    for (const soft of instance.softs ?? []) this.addSoft(soft);
    for (const trace of instance.traces ?? []) this.addTrace(trace);
    this.update();
  }

  /** Updates the places of everything after a step. */
  update(): void {
    for (const update of this.updates) update();
  }

  /** Draws soft bodies with their material, with colors of their strain (`scale`: elongation that is full red), or as a mesh. */
  showView(view: SurfaceView, scale: number): void {
    const { scene } = this.stage;
    for (const soft of this.softs) {
      soft.showStrain(view === "strain" ? scale : undefined);
      if (view === this.shown) continue;
      const material = view === "strain" ? strainMaterial(scene) : propMaterial(soft.material, scene);
      material.wireframe = view === "wireframe";
      soft.mesh.material = material;
    }
    this.shown = view;
  }

  private addProp(prop: Prop): void {
    const mesh = meshOfShape(prop.material, prop.shape, this.stage.scene);
    this.dress(mesh, prop.material);
    this.updates.push(() => {
      mesh.position.set(...(prop.position ?? [0, 0, 0]));
      mesh.rotationQuaternion = new Quaternion(...(prop.rotation ?? [0, 0, 0, 1]));
    });
  }

  /** Links as capsules from particle to particle; the last positions that were read back. */
  private addStrand({ body, radius, material, smooth, closed }: Strand): void {
    const shown = (): ArrayLike<number> => body.latestPositions ?? body.model.positions;
    const point = (i: number): Vector3 => new Vector3(shown()[3 * i], shown()[3 * i + 1], shown()[3 * i + 2]);
    const count = body.particleCount;
    const diameter = (smooth ? 2 : 0.7) * radius;
    for (let i = 0; i < (closed ? count : count - 1); i++) {
      const next = (i + 1) % count;
      const height = Vector3.Distance(point(i), point(next));
      const link = MeshBuilder.CreateCylinder("link", { height, diameter }, this.stage.scene);
      const ball = MeshBuilder.CreateSphere("bead", { diameter: 2 * radius, segments: 16 }, this.stage.scene);
      this.dress(link, material);
      this.dress(ball, material);
      link.rotationQuaternion = new Quaternion();
      this.updates.push(() => {
        const [a, b] = [point(i), point(next)];
        const along = b.subtract(a);
        link.scaling.y = along.length() / height;
        link.position.copyFrom(Vector3.Center(a, b));
        Quaternion.FromUnitVectorsToRef(Vector3.Up(), along.normalize(), link.rotationQuaternion!);
        ball.position.copyFrom(b);
      });
    }
    this.updates.push(() => body.requestReadback());
  }

  private addSoft(surface: SoftSurface): void {
    const soft = new SoftMesh(surface, this.stage.scene);
    this.dress(soft.mesh, surface.material);
    this.softs.push(soft);
    this.updates.push(() => soft.update());
  }

  /** A thin tube along the points, renewed whenever they have changed. */
  private addTrace(trace: Trace): void {
    const material = new StandardMaterial(`trace ${trace.kind}`, this.stage.scene);
    material.emissiveColor = Color3.FromHexString(traceColours[trace.kind]);
    material.disableLighting = true;
    let tube: Mesh | undefined;
    let version = -1;
    this.updates.push(() => {
      if (trace.version === version || trace.points.length < 6) return;
      version = trace.version;
      const path = evenly(trace.points, TRACE_POINTS);
      tube = MeshBuilder.CreateTube(
        "trace",
        { path, radius: 0.006, tessellation: 6, updatable: true, instance: tube },
        this.stage.scene,
      );
      tube.material = material;
      tube.isPickable = false;
    });
  }

  private dress(mesh: Mesh, name: PropMaterial): void {
    let material = this.materials.get(name);
    if (material === undefined) this.materials.set(name, (material = propMaterial(name, this.stage.scene)));
    if (name !== "ghost") return this.stage.show(material, mesh);
    mesh.material = material;
    mesh.isPickable = false;
  }
}

/** Points at equal steps of index along a list of points. */
function evenly(points: Float64Array, count: number): Vector3[] {
  const last = points.length / 3 - 1;
  const at = (i: number): Vector3 => new Vector3(points[3 * i], points[3 * i + 1], points[3 * i + 2]);
  return Array.from({ length: count }, (_, k) => {
    const t = (k / (count - 1)) * last;
    const i = Math.min(last - 1, Math.floor(t));
    // A path at rest has no direction: a tiny offset keeps the tube from collapsing.
    const point = Vector3.Lerp(at(i), at(i + 1), t - i);
    return point.addInPlaceFromFloats(1e-6 * k, 0, 0);
  });
}
