import { type Matrix, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import type { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { GLTFLoader } from "@babylonjs/loaders/glTF/2.0/glTFLoader";
import type { IGLTFLoaderExtension } from "@babylonjs/loaders/glTF/2.0/glTFLoaderExtension";
import type { INode } from "@babylonjs/loaders/glTF/2.0/glTFLoaderInterfaces";
import { PliantError } from "../../src/errors";
import { checkNames, optionNames } from "../../src/option-names";
import { ClothAggregate } from "../cloth/cloth-aggregate";
import type { AttachmentCarrier } from "../deformable/carrier";
import type { DeformableAggregate } from "../deformable/deformable-aggregate";
import { worldMatrixOf } from "../rigid/node-pose";
import { RopeAggregate } from "../rope/rope-aggregate";
import { SoftBodyAggregate } from "../soft-body/soft-body-aggregate";
import { directions } from "./frames";

export const DEFORMABLES = "PLIANT_deformables";

/** A carrier of vertices in a file: the number of a node, or of one whose skinned mesh carries them. */
type CarrierJson = { readonly node: number } | { readonly skin: number };

/** Options as the aggregates have them; vectors are lists of three numbers, and carriers numbers of nodes. */
type OptionsJson = Readonly<Record<string, unknown>> & {
  readonly wind?: readonly number[];
  readonly attach?: readonly (CarrierJson & Readonly<Record<string, unknown>>)[];
};

/** `extensions.PLIANT_deformables` of a node: one of its parts. */
interface DeformableNode {
  /** the mesh at rest, in the frame of the node, where the mesh of the file is in motion */
  readonly rest?: RestJson;
  /** of the particles, in the frame of the node, three numbers each */
  readonly state?: StateJson;
  readonly cloth?: OptionsJson;
  readonly softBody?: OptionsJson;
  /** points in the frame of the node */
  readonly rope?: OptionsJson & { readonly path: readonly (readonly number[])[] };
}

interface StateJson {
  readonly positions: readonly number[];
  readonly velocities: readonly number[];
}

interface RestJson {
  readonly positions: number[];
  readonly normals?: number[];
  readonly uvs?: number[];
  readonly indices?: number[];
}

const partNames = optionNames<DeformableNode>()("cloth softBody rope rest state");

/**
 * Loads `PLIANT_deformables`: the mesh of a node becomes cloth or a soft body, or a node gets a rope. Options are those of
 * `ClothOptions`, `SoftBodyOptions` and `RopeOptions` that JSON can hold.
 */
export class DeformablesLoader implements IGLTFLoaderExtension {
  readonly name = DEFORMABLES;
  /** after rigid bodies, which may carry vertices */
  readonly order = 1001;
  enabled: boolean;

  constructor(private readonly loader: GLTFLoader) {
    this.enabled = loader.isExtensionUsed(DEFORMABLES);
  }

  dispose(): void {
    this.enabled = false;
  }

  /** @throws PliantError as the aggregates do; it names the node */
  onReady(): void {
    for (const node of this.loader.gltf.nodes ?? []) {
      const extension = node.extensions?.[DEFORMABLES] as DeformableNode | undefined;
      if (!extension) continue;
      const object = `${DEFORMABLES} of node ${node.index} "${node.name ?? ""}"`;
      checkNames(object, extension, partNames);
      const scene = this.loader.babylonScene;
      const { cloth, softBody, rope, rest, state } = extension;
      const toWorld = worldMatrixOf(node._babylonTransformNode!).clone();
      if (rest && !rope) Object.assign(new VertexData(), rest).applyToMesh(meshOf(object, node) as Mesh, true);
      // Vertices that are carried are in their places when their carriers take them.
      const part = (options: OptionsJson): object =>
        this.optionsOf(object, state ? { ...options, attach: [] } : options);
      const made = [
        cloth && new ClothAggregate(meshOf(object, node), part(cloth), scene),
        softBody && new SoftBodyAggregate(meshOf(object, node), part(softBody), scene),
        rope && this.addRope(object, node, rope, part),
      ].find((one) => one);
      if (made && state) this.setState(object, toWorld, made, state, (cloth ?? softBody ?? rope)!.attach ?? []);
    }
  }

  private setState(
    object: string,
    toWorld: Matrix,
    made: DeformableAggregate,
    state: StateJson,
    attach: NonNullable<OptionsJson["attach"]>,
  ): void {
    const { frame } = made.plugin;
    const read = (values: readonly number[], place: (v: Vector3) => readonly number[]): Float64Array =>
      Float64Array.from(
        Array.from({ length: values.length / 3 }, (_, k) => place(Vector3.FromArray(values, 3 * k))).flat(),
      );
    const positions = read(state.positions, (v) => frame.point(Vector3.TransformCoordinates(v, toWorld)));
    const velocities = read(state.velocities, (v) => frame.offset(Vector3.TransformNormal(v, toWorld)));
    made.body.writeState({ positions, velocities });
    for (const one of attach) {
      const carrier = this.attachmentOf(object, one) as { node?: TransformNode; skin?: AbstractMesh };
      const points = (one.vertices ?? one.at) as number[];
      if (carrier.skin) void made.attachToSkin(points, carrier.skin);
      else void made.attach(points, carrier.node!);
    }
  }

  private addRope(
    object: string,
    node: INode,
    { path, ...rest }: NonNullable<DeformableNode["rope"]>,
    optionsOf: (options: OptionsJson) => object,
  ): RopeAggregate {
    if (!Array.isArray(path))
      throw new PliantError("invalid-argument", `${object}.rope.path`, path, "must be a list of points");
    const toWorld = worldMatrixOf(node._babylonTransformNode!);
    const points = path.map((point) => Vector3.TransformCoordinates(vectorOf(`${object}.rope.path`, point), toWorld));
    const rope = new RopeAggregate(
      { path: points, name: node.name ?? "rope" },
      optionsOf(rest),
      this.loader.babylonScene,
    );
    // The rope draws itself in place of a mesh of the file.
    for (const drawn of node._primitiveBabylonMeshes ?? []) {
      rope.mesh.material = drawn.material;
      drawn.dispose();
    }
    return rope;
  }

  /** Options of an aggregate, which checks their names and values. */
  private optionsOf(object: string, { wind, attach, ...rest }: OptionsJson): object {
    return {
      ...rest,
      ...(wind ? { wind: this.inScene(vectorOf(`${object}.wind`, wind)) } : {}),
      ...(attach ? { attach: attach.map((one) => this.attachmentOf(object, one)) } : {}),
    };
  }

  /** A direction of the file: Babylon mirrors files into left-handed scenes. */
  private inScene(direction: Vector3): Vector3 {
    const root = this.loader.rootBabylonMesh;
    return root ? Vector3.TransformNormal(direction, directions(root)) : direction;
  }

  private attachmentOf(object: string, one: CarrierJson & Readonly<Record<string, unknown>>): AttachmentCarrier {
    const isSkin = "skin" in one;
    const number = isSkin ? one.skin : one.node;
    const node = this.loader.gltf.nodes?.[number as number];
    if (!node?._babylonTransformNode)
      throw new PliantError("invalid-argument", `${object}.attach`, number, "must be the number of a node");
    return isSkin ? { ...one, skin: meshOf(object, node) } : { ...one, node: node._babylonTransformNode };
  }
}

function meshOf(object: string, node: INode): AbstractMesh {
  const meshes = node._primitiveBabylonMeshes ?? [];
  if (meshes.length !== 1)
    throw new PliantError("invalid-argument", object, meshes.length, "needs a node with a mesh of one primitive");
  return meshes[0];
}

function vectorOf(object: string, value: readonly number[]): Vector3 {
  if (!Array.isArray(value) || value.length !== 3 || !value.every(Number.isFinite))
    throw new PliantError("invalid-argument", object, value, "must be a list of three finite numbers");
  return Vector3.FromArray(value);
}
