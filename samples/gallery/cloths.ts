import { Vector3 } from "@babylonjs/core/Maths/math.vector";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { ClothAggregate } from "../../plugin/index";
import type { ClothDescription, ClothFactory } from "../scene";
import type { Studio } from "../../site/examples/studio";
import { clothMaterial, strainMaterial } from "./looks";
import type { SurfaceView } from "./query";

/** The cloth of a session: each is a mesh that a `ClothAggregate` turned into cloth. */
export class Cloths {
  private readonly aggregates: { readonly aggregate: ClothAggregate; readonly description: ClothDescription }[] = [];
  private shown: SurfaceView = "cloth";

  constructor(private readonly stage: Studio) {}

  /** For `SceneDefinition.build`. */
  readonly make: ClothFactory = (description) => {
    const { scene } = this.stage;
    const mesh = clothMesh(description, this.stage);
    const { wind, ...options } = description.options;
    const aggregate = new ClothAggregate(
      mesh,
      {
        ...options,
        wind: wind === undefined ? undefined : new Vector3(...wind),
        fabric: description.fabric,
        membrane: description.membrane,
        bending: description.bending,
        pins: description.pins,
      },
      scene,
    );
    this.stage.show(clothMaterial(description.material, scene), mesh);
    this.aggregates.push({ aggregate, description });
    return aggregate.body;
  };

  /** Draws the fabric, colors of the strain (`scale`: elongation that is full red), or the edges of the triangles. */
  showView(view: SurfaceView, scale: number): void {
    const { scene } = this.stage;
    for (const { aggregate, description } of this.aggregates) {
      aggregate.showStrain(view === "strain", scale);
      if (view === this.shown) continue;
      aggregate.mesh.material?.dispose(false, true);
      const material = view === "strain" ? strainMaterial(scene) : clothMaterial(description.material, scene);
      material.wireframe = view === "wireframe";
      aggregate.mesh.material = material;
    }
    this.shown = view;
  }
}

function clothMesh({ name, positions, indices, uvs }: ClothDescription, { scene }: Studio): Mesh {
  const data = new VertexData();
  data.positions = Array.from(positions);
  data.indices = Array.from(indices);
  data.uvs = Array.from(uvs);
  const normals: number[] = [];
  VertexData.ComputeNormals(data.positions, data.indices, normals);
  data.normals = normals;
  const mesh = new Mesh(name, scene);
  data.applyToMesh(mesh, true);
  return mesh;
}
