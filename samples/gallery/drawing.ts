import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { MeshBuilder } from "@babylonjs/core/Meshes/meshBuilder";
import type { PBRMaterial } from "@babylonjs/core/Materials/PBR/pbrMaterial";
import type { Prop, PropMaterial, SceneInstance, Strand } from "../scene";
import { propMaterial } from "./looks";
import { meshOfShape } from "./props";
import type { Stage } from "./stage";

/** What is drawn of a scene besides its cloth: obstacles, decoration, chains. */
export class Drawing {
  private readonly updates: (() => void)[] = [];
  private readonly materials = new Map<PropMaterial, PBRMaterial>();

  constructor(
    instance: SceneInstance,
    private readonly stage: Stage,
  ) {
    for (const prop of instance.props) this.addProp(prop);
    for (const strand of instance.strands ?? []) this.addStrand(strand);
    this.update();
  }

  /** Puts everything where it is after a step. */
  update(): void {
    for (const update of this.updates) update();
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
  private addStrand({ body, radius, material }: Strand): void {
    const shown = (): ArrayLike<number> => body.latestPositions ?? body.model.positions;
    const point = (i: number): Vector3 => new Vector3(shown()[3 * i], shown()[3 * i + 1], shown()[3 * i + 2]);
    for (let i = 0; i + 1 < body.particleCount; i++) {
      const height = Vector3.Distance(point(i), point(i + 1));
      const link = MeshBuilder.CreateCylinder("link", { height, diameter: 0.7 * radius }, this.stage.scene);
      const ball = MeshBuilder.CreateSphere("bead", { diameter: 2 * radius, segments: 16 }, this.stage.scene);
      this.dress(link, material);
      this.dress(ball, material);
      link.rotationQuaternion = new Quaternion();
      this.updates.push(() => {
        const [a, b] = [point(i), point(i + 1)];
        const along = b.subtract(a);
        link.scaling.y = along.length() / height;
        link.position.copyFrom(Vector3.Center(a, b));
        Quaternion.FromUnitVectorsToRef(Vector3.Up(), along.normalize(), link.rotationQuaternion!);
        ball.position.copyFrom(b);
      });
    }
    this.updates.push(() => body.requestReadback());
  }

  private dress(mesh: Mesh, name: PropMaterial): void {
    let material = this.materials.get(name);
    if (material === undefined) this.materials.set(name, (material = propMaterial(name, this.stage.scene)));
    mesh.material = material;
    mesh.receiveShadows = true;
    this.stage.shadows.addShadowCaster(mesh);
  }
}
