import { Matrix, Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import type { Node } from "@babylonjs/core/node";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsMaterialCombineMode } from "@babylonjs/core/Physics/v2/physicsMaterial";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { Scene } from "@babylonjs/core/scene";
import { unsupported } from "../../src/errors";
import type { ColliderShape } from "../../src/index";
import { completeMaterial, defaultMaterial, type SurfaceMaterial } from "../materials";
import { poseOfMatrix, worldMatrixOf } from "../rigid/node-pose";
import { dataOf, type ShapeData } from "../shape/shape-data";
import type { ClothPlugin } from "../cloth-plugin";
import type { ConstraintData } from "../constraints/constraint-data";
import { filtersOf, type Masks } from "./filters";
import { directions } from "./frames";
import { jointOf, jointPlaces } from "./joint-writer";
import {
  RIGID_BODIES,
  SHAPES,
  type Collider,
  type Combine,
  type Filter,
  type Geometry,
  type Joint,
  type Material,
  type Motion,
  type Shape,
} from "./json";

/** A node of a file that is written. */
interface WrittenNode {
  name?: string;
  translation?: number[];
  rotation?: number[];
  scale?: number[];
  children?: number[];
  extensions?: Record<string, unknown>;
}

/** The parts of Babylon's `GLTFExporter` that are used. */
export interface GltfExporter {
  readonly _glTF: { extensions?: Record<string, unknown>; extensionsUsed?: string[] };
  readonly _nodes: WrittenNode[];
  readonly _babylonScene: Scene;
}

/** A node with a body, and whether the exporter mirrors its frame. */
interface Written {
  readonly node: WrittenNode;
  readonly place: TransformNode;
  readonly isMirrored: boolean;
  /** number of a node below it in the frame of its body, once there is one */
  frame?: number;
}

/** Settings that parts of compound shapes inherit. */
type Inherited = Partial<Pick<ShapeData, "material" | "isTrigger" | "membershipMask" | "collideMask">>;

const COMBINE: Readonly<Partial<Record<PhysicsMaterialCombineMode, Combine>>> = {
  [PhysicsMaterialCombineMode.ARITHMETIC_MEAN]: "average",
  [PhysicsMaterialCombineMode.MINIMUM]: "minimum",
  [PhysicsMaterialCombineMode.MAXIMUM]: "maximum",
  [PhysicsMaterialCombineMode.MULTIPLY]: "multiply",
};

/**
 * Writes `KHR_physics_rigid_bodies` for Babylon's exporter: motions of bodies, a node for each of their shapes below that of the body, joints
 * with a node on each side, and collision filters.
 */
export class RigidBodiesWriter {
  readonly name = RIGID_BODIES;
  enabled = true;
  readonly required = false;
  private readonly written: Written[] = [];
  private numbers: ReadonlyMap<Node, number> = new Map();
  private readonly shapes: Shape[] = [];
  private readonly materials: Material[] = [];
  private readonly parts: { readonly part: Collider; readonly masks: Masks }[] = [];
  private readonly joints: Joint[] = [];

  constructor(private readonly exporter: GltfExporter) {}

  get wasUsed(): boolean {
    return this.written.length > 0;
  }

  dispose(): void {
    this.enabled = false;
  }

  /** Called by the exporter for each node. */
  postExportNodeAsync<N>(
    _context: string,
    node: N,
    place: Node,
    numbers: ReadonlyMap<Node, number>,
    isMirrored: boolean,
  ): Promise<N> {
    this.numbers = numbers;
    if (place instanceof TransformNode && place.physicsBody)
      this.written.push({ node: node as WrittenNode, place, isMirrored });
    return Promise.resolve(node);
  }

  /**
   * Called by the exporter once all nodes are there.
   *
   * @throws PliantError `unsupported` for a height field, and for a hull or a mesh on a node without that mesh
   */
  onExporting(): void {
    for (const one of this.written) this.write(one, one.place.physicsBody!);
    const { _glTF: file, _babylonScene: scene } = this.exporter;
    const plugin = scene.getPhysicsEngine()?.getPhysicsPlugin() as unknown as ClothPlugin | undefined;
    for (const data of plugin?._constraints?.values() ?? []) this.writeJoint(data);
    const collisionFilters = this.writeFilters();
    file.extensions ??= {};
    file.extensions[SHAPES] = { shapes: this.shapes };
    file.extensions[RIGID_BODIES] = {
      physicsMaterials: this.materials,
      ...(this.joints.length > 0 ? { physicsJoints: this.joints } : {}),
      ...(collisionFilters ? { collisionFilters } : {}),
    };
    if (this.shapes.length > 0) file.extensionsUsed?.push(SHAPES);
  }

  private write(one: Written, body: PhysicsBody): void {
    const { node, place, isMirrored } = one;
    const { scaling } = poseOfMatrix(worldMatrixOf(place));
    if (body.getMotionType() !== PhysicsMotionType.STATIC)
      extend(node, { motion: motionOf(body, place, scaling, isMirrored) });
    if (body.shape) this.addShape(one, this.frameOf(one), dataOf(body.shape), Matrix.Identity(), {});
  }

  /** A node in the frame of the body, which has the pose of its node without its scaling. */
  private frameOf(one: Written): WrittenNode {
    const { x, y, z } = poseOfMatrix(worldMatrixOf(one.place)).scaling;
    one.frame ??= this.add(one.node, { name: `${one.place.name} body`, scale: [1 / x, 1 / y, 1 / z] });
    return this.exporter._nodes[one.frame];
  }

  /** @returns the number of the child */
  private add(parent: WrittenNode, child: WrittenNode): number {
    const number = this.exporter._nodes.push(child) - 1;
    (parent.children ??= []).push(number);
    return number;
  }

  /** A joint of the file for each pair of bodies that the constraint joins. */
  private writeJoint(data: ConstraintData): void {
    if (!data.enabled) return;
    for (const pair of data.pairs) {
      const [a, b] = [pair.body, pair.child].map((body) =>
        this.written.find(({ place }) => place.physicsBody === body),
      );
      if (!a || !b) continue;
      if (pair.index !== undefined || pair.childIndex !== undefined)
        throw unsupported(`${RIGID_BODIES} of "${a.place.name}"`, "a joint", "cannot be of instances");
      const [placeA, placeB] = jointPlaces(pair, a.isMirrored);
      const connectedNode = this.add(this.frameOf(b), { name: `${b.place.name} joint`, ...placeB });
      const node: WrittenNode = { name: `${a.place.name} joint`, ...placeA };
      const joint = this.joints.push(jointOf(data, a.isMirrored)) - 1;
      extend(node, { joint: { connectedNode, joint, enableCollision: data.collision } });
      this.add(this.frameOf(a), node);
    }
  }

  private writeFilters(): Filter[] | undefined {
    const filters = filtersOf(this.parts.map(({ masks }) => masks));
    if (!filters) return undefined;
    const texts = [...new Set(filters.map((filter) => JSON.stringify(filter)))];
    this.parts.forEach(({ part }, k) =>
      Object.assign(part, { collisionFilter: texts.indexOf(JSON.stringify(filters[k])) }),
    );
    return texts.map((text) => JSON.parse(text) as Filter);
  }

  private addShape(one: Written, parent: WrittenNode, data: ShapeData, toParent: Matrix, above: Inherited): void {
    const { material = above.material, isTrigger = above.isTrigger } = data;
    const { membershipMask = above.membershipMask, collideMask = above.collideMask } = data;
    for (const { data: child, position, rotation, scale } of data.children) {
      const own = Matrix.Compose(
        scale ? Vector3.FromArray(scale) : Vector3.One(),
        rotation ? Quaternion.FromArray(rotation) : Quaternion.Identity(),
        position ? Vector3.FromArray(position) : Vector3.Zero(),
      );
      this.addShape(one, parent, child, own.multiply(toParent), { material, isTrigger, membershipMask, collideMask });
    }
    if (!data.geometry) return;
    const { geometry, place } = this.geometryOf(one, data.geometry);
    const physicsMaterial = this.materials.push(materialOf(completeMaterial(material ?? defaultMaterial))) - 1;
    const part: Collider = isTrigger ? { geometry } : { geometry, physicsMaterial };
    this.parts.push({ part, masks: { membership: membershipMask ?? ~0, collide: collideMask ?? ~0 } });
    const node = { ...placeOf(place.multiply(toParent), one.isMirrored) };
    extend(node, isTrigger ? { trigger: part } : { collider: part });
    this.add(parent, node);
  }

  /** Geometry of a shape, and its place in the frame of the shape. */
  private geometryOf({ place: owner }: Written, shape: ColliderShape): { geometry: Geometry; place: Matrix } {
    const listed = (entry: Shape): Geometry => ({ shape: this.shapes.push(entry) - 1 });
    switch (shape.type) {
      case "sphere":
        return {
          geometry: listed({ type: "sphere", sphere: { radius: shape.radius } }),
          place: placed(shape.center),
        };
      case "box": {
        const [x, y, z] = shape.halfExtents;
        const turn = shape.rotation && Quaternion.FromArray(shape.rotation);
        return {
          geometry: listed({ type: "box", box: { size: [2 * x, 2 * y, 2 * z] } }),
          place: placed(shape.center, turn),
        };
      }
      case "capsule":
      case "cylinder": {
        const [a, b] = [Vector3.FromArray(shape.pointA), Vector3.FromArray(shape.pointB)];
        const along = b.subtract(a);
        const sizes = { height: along.length(), radiusTop: shape.radius, radiusBottom: shape.radius };
        const turn = Quaternion.FromUnitVectorsToRef(Vector3.Up(), along.normalizeToNew(), new Quaternion());
        const middle = Vector3.Center(a, b).asArray();
        return {
          geometry: listed({ type: shape.type, [shape.type]: sizes }),
          place: placed(middle, along.length() > 0 ? turn : undefined),
        };
      }
      case "convex-hull":
      case "mesh": {
        const isHull = shape.type === "convex-hull";
        if (owner instanceof AbstractMesh && owner.getTotalVertices() === shape.positions.length / 3) {
          const geometry = { node: this.numbers.get(owner), convexHull: isHull };
          // The triangles of the file are without the scaling of the node.
          const { x, y, z } = poseOfMatrix(worldMatrixOf(owner)).scaling;
          return { geometry, place: Matrix.Scaling(x, y, z) };
        }
        throw unsupported(`${RIGID_BODIES} of "${owner.name}"`, shape.type, "must be that of its node");
      }
      default:
        throw unsupported(`${RIGID_BODIES} of "${owner.name}"`, shape.type, "cannot be written");
    }
  }
}

function extend(node: WrittenNode, part: object): void {
  node.extensions ??= {};
  node.extensions[RIGID_BODIES] = { ...(node.extensions[RIGID_BODIES] as object | undefined), ...part };
}

function placed(center: ArrayLike<number> = [0, 0, 0], turn = Quaternion.Identity()): Matrix {
  return Matrix.Compose(Vector3.One(), turn, Vector3.FromArray(center));
}

/** A mirror at x = 0 takes it over into the file. */
function placeOf(matrix: Matrix, isMirrored: boolean): WrittenNode {
  const { position: p, rotation: q, scaling } = poseOfMatrix(matrix);
  const sign = isMirrored ? -1 : 1;
  return {
    translation: [sign * p.x, p.y, p.z],
    rotation: [q.x, sign * q.y, sign * q.z, q.w],
    scale: [scaling.x, scaling.y, scaling.z],
  };
}

function motionOf(body: PhysicsBody, place: TransformNode, scaling: Vector3, isMirrored: boolean): Motion {
  const sign = isMirrored ? -1 : 1;
  if (body.getMotionType() === PhysicsMotionType.ANIMATED) return { isKinematic: true };
  const { mass, centerOfMass: center } = body.getMassProperties();
  const toNode = Matrix.Invert(directions(place));
  const v = Vector3.TransformNormal(body.getLinearVelocity(), toNode);
  const w = Vector3.TransformNormal(body.getAngularVelocity(), toNode);
  const turn = sign * Math.sign(worldMatrixOf(place).determinant());
  const c = center ?? Vector3.Zero();
  return {
    mass,
    centerOfMass: [(sign * c.x) / scaling.x, c.y / scaling.y, c.z / scaling.z],
    linearVelocity: [sign * v.x, v.y, v.z],
    angularVelocity: [turn * sign * w.x, turn * w.y, turn * w.z],
    gravityFactor: body.getGravityFactor(),
  };
}

/** Files have no geometric mean: it becomes the arithmetic one, which is the same for equal materials. */
function materialOf(material: SurfaceMaterial): Material {
  const modeOf = (mode: PhysicsMaterialCombineMode): Combine => COMBINE[mode] ?? "average";
  return {
    staticFriction: material.staticFriction,
    dynamicFriction: material.friction,
    restitution: material.restitution,
    frictionCombine: modeOf(material.frictionCombine),
    restitutionCombine: modeOf(material.restitutionCombine),
  };
}
