import type JoltModule from "jolt-physics";
import type { CastBody, RigidCast } from "./cast";
import type { RigidEngine } from "./engine";

type Jolt = Awaited<ReturnType<typeof JoltModule>>;

const STILL = 0;
const MOVING = 1;

let loading: Promise<Jolt> | undefined;

/** One module for all scenes: its memory is shared and never shrinks. */
async function loadJolt(): Promise<Jolt> {
  loading ??= import("jolt-physics").then((module) => module.default());
  return loading;
}

/** Jolt in WebAssembly on one thread, with its default settings. */
export async function joltEngine({ bodies }: RigidCast): Promise<RigidEngine> {
  const jolt = await loadJolt();
  const joltInterface = new jolt.JoltInterface(layers(jolt));
  const system = joltInterface.GetPhysicsSystem();
  system.SetGravity(new jolt.Vec3(0, -9.81, 0));
  const builder = system.GetBodyInterface();
  const made = bodies.map(({ shape, isDynamic, mass, friction, position, rotation }) => {
    const settings = new jolt.BodyCreationSettings(
      shapeIn(jolt, shape),
      new jolt.RVec3(...position),
      new jolt.Quat(...rotation),
      isDynamic ? jolt.EMotionType_Dynamic : jolt.EMotionType_Static,
      isDynamic ? MOVING : STILL,
    );
    settings.mFriction = friction;
    settings.mAllowSleeping = false;
    settings.mLinearDamping = 0;
    settings.mAngularDamping = 0;
    if (isDynamic) {
      settings.mOverrideMassProperties = jolt.EOverrideMassProperties_CalculateInertia;
      settings.mMassPropertiesOverride.mMass = mass;
    }
    const body = builder.CreateBody(settings);
    jolt.destroy(settings);
    builder.AddBody(body.GetID(), isDynamic ? jolt.EActivation_Activate : jolt.EActivation_DontActivate);
    return body;
  });
  return {
    name: "jolt-physics",
    settings: "one thread",
    step: (dt) => joltInterface.Step(dt, 1),
    readPose(index, out) {
      const p = made[index].GetPosition();
      out.set([p.GetX(), p.GetY(), p.GetZ()], 0);
      const q = made[index].GetRotation();
      out.set([q.GetX(), q.GetY(), q.GetZ(), q.GetW()], 3);
    },
    dispose: () => jolt.destroy(joltInterface),
  };
}

function shapeIn(jolt: Jolt, shape: CastBody["shape"]): InstanceType<Jolt["Shape"]> {
  if ("halfExtents" in shape) return new jolt.BoxShape(new jolt.Vec3(...shape.halfExtents));
  const settings = new jolt.ConvexHullShapeSettings();
  const { corners } = shape;
  for (let i = 0; i < corners.length; i += 3)
    settings.mPoints.push_back(new jolt.Vec3(corners[i], corners[i + 1], corners[i + 2]));
  const result = settings.Create();
  if (result.HasError()) throw new Error(`Jolt makes no hull: ${result.GetError().c_str()}`);
  return result.Get();
}

function layers(jolt: Jolt): InstanceType<Jolt["JoltSettings"]> {
  const pairs = new jolt.ObjectLayerPairFilterTable(2);
  pairs.EnableCollision(STILL, MOVING);
  pairs.EnableCollision(MOVING, MOVING);
  const broad = new jolt.BroadPhaseLayerInterfaceTable(2, 2);
  broad.MapObjectToBroadPhaseLayer(STILL, new jolt.BroadPhaseLayer(STILL));
  broad.MapObjectToBroadPhaseLayer(MOVING, new jolt.BroadPhaseLayer(MOVING));
  const settings = new jolt.JoltSettings();
  settings.mMaxWorkerThreads = 1;
  settings.mMaxBodies = 8192;
  settings.mMaxBodyPairs = 65536;
  // The largest number that fits its scratch memory of 10 MB.
  settings.mMaxContactConstraints = 16384;
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 2, pairs, 2);
  return settings;
}
