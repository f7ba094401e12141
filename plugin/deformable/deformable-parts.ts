import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import type { Scene } from "@babylonjs/core/scene";
import { invalid } from "../../src/errors";
import { requireAlive } from "../plugin-of";
import type { BodyModel, BodyOptions } from "../../src/index";
import type { ClothPlugin } from "../cloth-plugin";
import type { VertexSkin } from "./mesh/vertex-skin";
import type { LevelOfDetail } from "./motion-options";

/** The parts that each kind of aggregate makes of a mesh and its options. */
export interface DeformableParts {
  /** name of the aggregate in messages */
  readonly object: string;
  readonly plugin: ClothPlugin;
  readonly mesh: AbstractMesh;
  readonly scene: Scene;
  readonly model: BodyModel;
  readonly skin: VertexSkin;
  /** vertices that are held from the start */
  readonly pins: ArrayLike<number>;
  /** vertices that a node carries from the start: they are pinned, too, until the node releases them */
  readonly carried?: ArrayLike<number>;
  /** whether the mesh is seen from the back of its triangles */
  readonly isInsideOut?: boolean | undefined;
  readonly options: BodyOptions;
  readonly lod?: LevelOfDetail | undefined;
  /** options of the user */
  readonly given: object;
}

const calledBy = { cloth: "cloth", "soft-body": "a soft body", rope: "a rope" } as const;

/** @throws PliantError for a mesh that cannot become a deformable body, or is one already */
export function requireFreeMesh(object: string, mesh: AbstractMesh, plugin: ClothPlugin): void {
  requireAlive(object, mesh, "a mesh");
  const other = plugin.deformableAggregates.find((aggregate) => aggregate.mesh === mesh);
  if (other) throw invalid(object, mesh.name, `is ${calledBy[other.kind]} already`);
}
