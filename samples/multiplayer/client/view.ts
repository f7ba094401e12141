/** The picture: a mesh for each body and one for the curtain. All motion comes from the server. */

// By file, so that the page loads only these parts of Babylon. The first three add to classes of the others.
import "@babylonjs/core/Culling/ray";
import "@babylonjs/core/Lights/Shadows/shadowGeneratorSceneComponent";
import "@babylonjs/core/Rendering/outlineRenderer";
import { ArcRotateCamera } from "@babylonjs/core/Cameras/arcRotateCamera";
import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";
import { DirectionalLight } from "@babylonjs/core/Lights/directionalLight";
import { HemisphericLight } from "@babylonjs/core/Lights/hemisphericLight";
import { ShadowGenerator } from "@babylonjs/core/Lights/Shadows/shadowGenerator";
import { StandardMaterial } from "@babylonjs/core/Materials/standardMaterial";
import { Color3, Color4 } from "@babylonjs/core/Maths/math.color";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { Scene } from "@babylonjs/core/scene";
import { gridMesh } from "babylon-pliant/engine";
import { BODIES, CURTAIN, HALF_SIDE, SEATS } from "../shared/arena";
import type { Drawn } from "./timeline";

/** A kick: away from the eye, and a little upward [m/s]. */
const KICK = 3.5;
const LIFT = 1.2;

export class View {
  readonly scene: Scene;
  private readonly camera: ArcRotateCamera;
  private readonly meshes: readonly Mesh[];
  private readonly curtain: Mesh;

  constructor(engine: AbstractEngine) {
    const scene = new Scene(engine);
    this.scene = scene;
    scene.clearColor = Color4.FromHexString("#e9eef2ff");
    this.camera = new ArcRotateCamera("camera", -Math.PI / 2 + 0.5, 1, 15, new Vector3(0, 0.3, 0), scene);
    this.camera.lowerRadiusLimit = 5;
    this.camera.upperRadiusLimit = 25;
    this.camera.upperBetaLimit = 1.5;
    this.camera.attachControl(true);

    new HemisphericLight("sky", Vector3.Up(), scene).intensity = 0.5;
    const sun = new DirectionalLight("sun", new Vector3(-1, -2, 1).normalize(), scene);
    sun.intensity = 0.7;
    sun.position = sun.direction.scale(-15);
    const shadows = new ShadowGenerator(512, sun);
    shadows.usePercentageCloserFiltering = true;
    shadows.filteringQuality = ShadowGenerator.QUALITY_LOW;

    const floor = CreateGround("floor", { width: 2 * HALF_SIDE, height: 2 * HALF_SIDE }, scene);
    floor.material = paint(scene, Color3.FromHexString("#b3b8a8"));
    floor.receiveShadows = true;
    floor.isPickable = false;

    const paints = Array.from({ length: SEATS }, (_, seat) =>
      paint(scene, Color3.FromHSV((360 * seat) / SEATS, 0.65, 0.95)),
    );
    this.meshes = BODIES.map(({ type, size, seat }, i) => {
      const sizes = { size: 2 * size, diameter: 2 * size, segments: 12 };
      const mesh = type === "box" ? CreateBox(`${i}`, sizes, scene) : CreateSphere(`${i}`, sizes, scene);
      mesh.rotationQuaternion = new Quaternion();
      mesh.material = paints[seat];
      shadows.addShadowCaster(mesh);
      return mesh;
    });
    this.curtain = curtainMesh(scene);
    shadows.addShadowCaster(this.curtain);
  }

  draw({ poses, curtain }: Drawn): void {
    this.meshes.forEach((mesh, i) => {
      mesh.position.fromArray(poses, 7 * i);
      mesh.rotationQuaternion!.fromArray(poses, 7 * i + 3);
    });
    const normals = new Float32Array(curtain.length);
    VertexData.ComputeNormals(curtain, this.curtain.getIndices()!, normals);
    this.curtain.updateVerticesData(VertexBuffer.PositionKind, curtain);
    this.curtain.updateVerticesData(VertexBuffer.NormalKind, normals);
  }

  /** Marks the bodies of the player with an outline. */
  mark(seat: number): void {
    this.meshes.forEach((mesh, i) => {
      mesh.renderOutline = BODIES[i].seat === seat;
      mesh.outlineColor = Color3.Black();
      mesh.outlineWidth = 0.03;
    });
  }

  /** @param push is called with the index of the body that the pointer touched, and with its kick */
  onPick(push: (body: number, kick: readonly [number, number, number]) => void): void {
    this.scene.onPointerPick = (_event, { pickedMesh }) => {
      const body = this.meshes.indexOf(pickedMesh as Mesh);
      if (body < 0) return;
      const away = this.camera.getForwardRay().direction;
      const length = Math.hypot(away.x, away.z) || 1;
      push(body, [(KICK * away.x) / length, LIFT, (KICK * away.z) / length]);
    };
  }
}

function paint(scene: Scene, color: Color3): StandardMaterial {
  const material = new StandardMaterial("paint", scene);
  material.diffuseColor = color;
  material.specularColor = new Color3(0.1, 0.1, 0.1);
  return material;
}

function curtainMesh(scene: Scene): Mesh {
  const { positions, indices } = gridMesh(CURTAIN);
  const data = new VertexData();
  data.positions = Float32Array.from(positions);
  data.indices = indices;
  data.normals = new Float32Array(positions.length);
  const mesh = new Mesh("curtain", scene);
  data.applyToMesh(mesh, true);
  const material = paint(scene, Color3.FromHexString("#4a6fa5"));
  material.backFaceCulling = false;
  material.twoSidedLighting = true;
  mesh.material = material;
  mesh.receiveShadows = true;
  mesh.isPickable = false;
  mesh.alwaysSelectAsActiveMesh = true;
  return mesh;
}
