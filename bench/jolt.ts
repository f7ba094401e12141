import type JoltModule from "jolt-physics";
import { World, type ColliderShape } from "../src/index";
import { clothInWorld } from "../samples/cloth";
import { uniqueEdges } from "../samples/metrics";
import { NonFiniteStateError } from "../samples/run-scene";
import { numberOf } from "../samples/parameters";
import type { ClothDescription, ParameterValues, SceneDefinition, SceneInstance } from "../samples/scene";
import { isDiagonal, springStiffnesses } from "./cloth/springs";
import type { Contestant } from "./contestant";

/** Settings of the soft body cloth of `jolt-physics`. */
export interface JoltSettings {
  /** substeps of a frame, each with one sweep over the constraints (XPBD) */
  readonly iterations: number;
  /** adds hinges by dihedral angle, at several times the cost of the springs */
  readonly bending: boolean;
  /**
   * adds long range attachments, which keep every particle within reach of a pinned one: Jolt's means against stretch, an inequality on
   * distances that costs little
   */
  readonly longRange?: boolean;
}

export type Jolt = Awaited<ReturnType<typeof JoltModule>>;

export const STILL_LAYER = 0;
export const MOVING_LAYER = 1;

let loading: Promise<Jolt> | undefined;

/** One module for all worlds: its memory is shared and never shrinks. */
export async function loadJolt(): Promise<Jolt> {
  loading ??= import("jolt-physics").then((module) => module.default());
  return loading;
}

/**
 * Jolt (wasm, one thread) in a scene of Pliant's. The scene is built as usual, in a world that is never stepped. That world provides the
 * grid, the masses, the fabric and the sphere, and it measures Jolt's state with the same code that measures Pliant. Air drag is left out,
 * in Jolt's favor.
 *
 * @param scene with one cloth, pinned or not, and at most one resting sphere, such as `cloth-on-sphere`
 * @param values resolved parameters of the scene
 */
export async function joltContestant(
  scene: SceneDefinition,
  values: ParameterValues,
  settings: JoltSettings,
): Promise<Contestant> {
  const jolt = await loadJolt();
  const world = await World.create({ backend: "cpu" });
  const cloths: ClothDescription[] = [];
  const instance = await scene.build(world, values, (description) => {
    cloths.push(description);
    return clothInWorld(world)(description);
  });
  const simulation = new JoltSimulation(jolt, world, cloths[0], sphereOf(instance), settings);
  const dt = numberOf(values, "frameTime");
  return {
    label: { peer: "jolt-physics" },
    settings: settingsText(settings),
    triangles: world.bodies[0].model.faces.length / 3,
    async frame() {
      simulation.step(dt);
    },
    async measure() {
      const state = simulation.readState();
      if (![...state.positions, ...state.velocities].every(Number.isFinite))
        throw new NonFiniteStateError("cloth of jolt-physics", simulation.frames);
      world.bodies[0].writeState(state);
      return instance.measure();
    },
    dispose() {
      simulation.dispose();
      world.dispose();
    },
  };
}

interface Sphere {
  readonly radius: number;
  readonly position: readonly [number, number, number];
}

function settingsText({ iterations, bending, longRange }: JoltSettings): string {
  const attached = longRange ? ", long range attachments" : "";
  return `${iterations} iterations, ${bending ? "with" : "no"} bending${attached}`;
}

function sphereOf(instance: SceneInstance): Sphere | undefined {
  const obstacle = instance.props.at(0);
  if (obstacle === undefined) return undefined;
  const shape: ColliderShape = obstacle.shape;
  if (shape.type !== "sphere") throw new Error(`the first obstacle is a ${shape.type}, not a sphere`);
  const [x, y, z] = obstacle.position ?? [0, 0, 0];
  return { radius: shape.radius, position: [x, y, z] };
}

class JoltSimulation {
  frames = 0;
  private readonly joltInterface: InstanceType<Jolt["JoltInterface"]>;
  private readonly cloth: InstanceType<Jolt["Body"]>;
  private readonly count: number;

  constructor(
    private readonly jolt: Jolt,
    world: World,
    description: ClothDescription,
    sphere: Sphere | undefined,
    settings: JoltSettings,
  ) {
    const { masses } = world.bodies[0].model;
    this.count = masses.length;
    this.joltInterface = new jolt.JoltInterface(twoLayers(jolt));
    const system = this.joltInterface.GetPhysicsSystem();
    const [x, y, z] = world.gravity;
    system.SetGravity(new jolt.Vec3(x, y, z));
    const bodies = system.GetBodyInterface();

    if (sphere) {
      const ball = new jolt.BodyCreationSettings(
        new jolt.SphereShape(sphere.radius),
        new jolt.RVec3(...sphere.position),
        new jolt.Quat(0, 0, 0, 1),
        jolt.EMotionType_Static,
        STILL_LAYER,
      );
      ball.mFriction = description.fabric.friction;
      bodies.AddBody(bodies.CreateBody(ball).GetID(), jolt.EActivation_DontActivate);
    }

    const soft = new jolt.SoftBodyCreationSettings(
      sharedSettings(jolt, description, masses, settings),
      new jolt.RVec3(0, 0, 0),
      new jolt.Quat(0, 0, 0, 1),
      MOVING_LAYER,
    );
    soft.mNumIterations = settings.iterations;
    soft.mVertexRadius = description.options.thickness ?? 0;
    soft.mLinearDamping = description.options.damping ?? 0;
    soft.mFriction = description.fabric.friction;
    soft.mFacesDoubleSided = true;
    // Particles stay relative to the origin, and a cloth at rest stays as expensive as before.
    soft.mUpdatePosition = false;
    soft.mAllowSleeping = false;
    this.cloth = bodies.CreateSoftBody(soft);
    bodies.AddBody(this.cloth.GetID(), jolt.EActivation_Activate);
  }

  step(dt: number): void {
    this.joltInterface.Step(dt, 1);
    this.frames++;
  }

  readState(): { positions: Float64Array; velocities: Float64Array } {
    return readSoftBody(this.jolt, this.cloth, this.count);
  }

  dispose(): void {
    this.jolt.destroy(this.joltInterface);
  }
}

/** Positions [m] and velocities [m/s] of the vertices of a soft body, count × 3 each. */
export function readSoftBody(
  jolt: Jolt,
  body: InstanceType<Jolt["Body"]>,
  count: number,
): { positions: Float64Array; velocities: Float64Array } {
  const motion = jolt.castObject(body.GetMotionProperties(), jolt.SoftBodyMotionProperties);
  const vertices = motion.GetVertices();
  const centre = body.GetCenterOfMassPosition();
  const [cx, cy, cz] = [centre.GetX(), centre.GetY(), centre.GetZ()];
  const positions = new Float64Array(3 * count);
  const velocities = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) {
    const { mPosition: x, mVelocity: v } = vertices.at(i);
    positions.set([cx + x.GetX(), cy + x.GetY(), cz + x.GetZ()], 3 * i);
    velocities.set([v.GetX(), v.GetY(), v.GetZ()], 3 * i);
  }
  return { positions, velocities };
}

/** Resting and moving bodies; Jolt leaves the layers to its user. */
export function twoLayers(jolt: Jolt): InstanceType<Jolt["JoltSettings"]> {
  const pairs = new jolt.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(STILL_LAYER, MOVING_LAYER);
  const layers = new jolt.BroadPhaseLayerInterfaceTable(2, 2);
  layers.MapObjectToBroadPhaseLayer(STILL_LAYER, new jolt.BroadPhaseLayer(STILL_LAYER));
  layers.MapObjectToBroadPhaseLayer(MOVING_LAYER, new jolt.BroadPhaseLayer(MOVING_LAYER));
  const settings = new jolt.JoltSettings();
  settings.mMaxWorkerThreads = 1;
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
  return settings;
}

/** Settings of a soft body with vertices and faces, and nothing between them yet; pinned vertices are fixed. */
export function surfaceSettings(
  jolt: Jolt,
  positions: ArrayLike<number>,
  masses: ArrayLike<number>,
  faces: ArrayLike<number>,
  pins: readonly number[] = [],
): InstanceType<Jolt["SoftBodySharedSettings"]> {
  const shared = new jolt.SoftBodySharedSettings();
  const vertex = new jolt.SoftBodySharedSettingsVertex();
  for (let i = 0; i < masses.length; i++) {
    vertex.mPosition.x = positions[3 * i];
    vertex.mPosition.y = positions[3 * i + 1];
    vertex.mPosition.z = positions[3 * i + 2];
    vertex.mInvMass = pins.includes(i) ? 0 : 1 / masses[i];
    shared.mVertices.push_back(vertex);
  }
  jolt.destroy(vertex);
  for (let f = 0; f < faces.length; f += 3) {
    const face = new jolt.SoftBodySharedSettingsFace(faces[f], faces[f + 1], faces[f + 2], 0);
    shared.AddFace(face);
    jolt.destroy(face);
  }
  return shared;
}

function sharedSettings(
  jolt: Jolt,
  description: ClothDescription,
  masses: Float64Array,
  { bending, longRange }: JoltSettings,
): InstanceType<Jolt["SoftBodySharedSettings"]> {
  const { positions, indices, pins } = description;
  const shared = surfaceSettings(jolt, positions, masses, indices, pins);
  const { thread, shear, hinge } = springStiffnesses(description.fabric);
  if (bending || longRange) {
    const attributes = new jolt.SoftBodySharedSettingsVertexAttributes();
    attributes.mBendCompliance = 1 / hinge;
    if (longRange) attributes.mLRAType = jolt.SoftBodySharedSettings_ELRAType_EuclideanDistance;
    const type = bending ? jolt.SoftBodySharedSettings_EBendType_Dihedral : jolt.SoftBodySharedSettings_EBendType_None;
    shared.CreateConstraints(attributes, 1, type);
    jolt.destroy(attributes);
    shared.mEdgeConstraints.clear();
  }
  // A spring per edge, on which the stretch is measured. `CreateConstraints` adds springs across hinges, here 20544 for 12416 edges at 64²:
  // somewhat less stretch in a more expensive sweep, and with compliances near zero the cloth flies off.
  const edges = uniqueEdges(indices);
  for (let e = 0; e < edges.length; e += 2) {
    const stiffness = isDiagonal(positions, edges[e], edges[e + 1]) ? shear : thread;
    const edge = new jolt.SoftBodySharedSettingsEdge(edges[e], edges[e + 1], 1 / stiffness);
    shared.mEdgeConstraints.push_back(edge);
    jolt.destroy(edge);
  }
  shared.CalculateEdgeLengths();
  shared.Optimize();
  return shared;
}
