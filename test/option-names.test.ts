import { Variations } from "../src/articulated/batch/world-parameters";
import { gpbdCloth } from "../src/models/gpbd/cloth";
import { localGlobalCloth } from "../src/models/local-global/local-global-fabric";
import { beforeAll, describe, expect, it } from "vitest";
import {
  addAttachment,
  addCable,
  ArticulatedModel,
  ArticulatedSimulation,
  ballTetrahedra,
  BatchSimulation,
  boxTetrahedra,
  defineEnergy,
  Fabric,
  fabrics,
  gridMesh,
  icosphereMesh,
  identify,
  loadMjcf,
  loadSkel,
  loadUrdf,
  solidModel,
  massProperties,
  mechanismModel,
  clothModel,
  ropeModel,
  optimizeTrajectory,
  RigidWorld,
  SimulationStep,
  solidMesh,
  solveInverseKinematics,
  MotionRange,
  WindField,
  withMaps,
  World,
  type ColliderShape,
  type LinkDescription,
} from "../src/index";
import { checkLikelyNames, checkNames, optionNames } from "../src/option-names";
import { checkedInterfaces, refusesTypingErrors, type OptionCase } from "./option-cases";

let world: World;
beforeAll(async () => void (world = await World.create({ backend: "cpu" })));

const grid = gridMesh({ width: 1, height: 1, columns: 2, rows: 2 });
const material = { youngsModulus: 1e5, poissonRatio: 0.3, density: 1000 };
const box = boxTetrahedra({ size: [1, 1, 1], cells: [1, 1, 1] });
const ball = icosphereMesh({ radius: 1, subdivisions: 0 });
const line = { positions: [0, 0, 0, 1, 0, 0, 2, 0, 0], radius: 0.1, density: 1000, youngsModulus: 1e6 };
const { positions, indices } = grid;
const curve = [[1, 1]] as const;
const curves = { areaDensity: 0.2, warp: curve, weft: curve, shear: curve, bendWarp: curve, bendWeft: curve };
const link: LinkDescription = { name: "arm", mass: 1, joint: { type: "revolute" } };
const mechanism = { name: "m", links: [link] };
const step = (): SimulationStep =>
  new SimulationStep(new ArticulatedSimulation(mechanism), [{ link: "arm", kind: "mass" }]);
const start = { position: [0], velocity: [0] };
const cost = [{ of: "position", when: "final", weight: 1 }] as const;
const motor = { name: "m", joints: [{ joint: "arm", coefficient: 1 }], gain: 1, bias: [0, 0, 0] } as const;
const branch = { weight: 1, points: [{}, { link: "arm" }] };
const of = (extra: object): LinkDescription => ({ ...link, joint: { ...link.joint, ...extra } });

const attached = () => ({ body: world.addBody(gpbdCloth(grid)), vertices: [0] });

const cases: readonly OptionCase[] = [
  { of: "WorldOptions", name: "backend", call: (o) => World.create(o) },
  { of: "BodyOptions", name: "airDensity", call: (o) => world.addBody(gpbdCloth(grid), o) },
  { of: "BodyOptions", name: "pins", call: (o) => world.addBody(gpbdCloth(grid), o) },
  { of: "SolverOptions", name: "substeps", call: (o) => world.addBody(gpbdCloth(grid)).setOptions(o) },
  { of: "PinOptions", name: "compliance", call: (o) => world.addBody(gpbdCloth(grid)).pin([0], o) },
  { of: "Push", name: "impulse", call: (o) => world.addBody(gpbdCloth(grid)).push(o) },
  {
    of: "Blast",
    name: "falloff",
    call: (o) => world.addBody(gpbdCloth(grid)).push({ blast: { center: [0, 0, 0], radius: 1, impulse: 1, ...o } }),
  },
  {
    of: "TearingOptions",
    name: "strain",
    call: (o) => world.addBody(gpbdCloth(grid), { tearing: { strain: 1, ...o } }),
  },
  { of: "ColliderOptions", name: "friction", call: (o) => world.addCollider({ type: "sphere", radius: 1 }, o) },
  { of: "WindFieldOptions", name: "velocity", call: (o) => new WindField(o) },
  { of: "TurbulenceOptions", name: "size", call: (o) => new WindField({ turbulence: { speed: 1, ...o } }) },
  { of: "WindZoneOptions", name: "falloff", call: (o) => new WindField().addZone(o) },
  { of: "WindShelterOptions", name: "spread", call: (o) => new WindField().addShelter(o) },
  { of: "PlaceOptions", name: "halfExtents", call: (o) => new WindField().addShelter(o) },
  { of: "MotionRangeOptions", name: "backstop", call: (o) => new MotionRange(world.addBody(gpbdCloth(grid)), o) },
  { of: "CableOptions", name: "length", call: (o) => addCable(world, { points: [], ...o }) },
  {
    of: "AttachmentOptions",
    name: "compliance",
    call: (o) => addAttachment(world, { ...attached(), to: { rigid: world.addRigidBody() }, ...o }),
  },
  {
    of: "VertexTarget",
    name: "vertices",
    call: (o) => addAttachment(world, { ...attached(), to: { ...attached(), ...o } }),
  },
  {
    of: "RigidTarget",
    name: "points",
    call: (o) => addAttachment(world, { ...attached(), to: { rigid: world.addRigidBody(), ...o } }),
  },
  { of: "RigidBodyOptions", name: "restitution", call: (o) => world.addRigidBody(o) },
  { of: "BodySurface", name: "friction", call: (o) => world.addRigidBody({ surfaces: [o] }) },
  {
    of: "JointOptions",
    name: "collision",
    call: (o) => world.addJoint({ type: "ball", bodyA: world.addRigidBody(), bodyB: world.addRigidBody(), ...o }),
  },
  {
    of: "AxisSettings",
    name: "motorStiffness",
    call: (o) =>
      world.addJoint({
        type: "hinge",
        bodyA: world.addRigidBody(),
        bodyB: world.addRigidBody(),
        axes: { angularX: o },
      }),
  },
  { of: "RigidWorldOptions", name: "sleeping", call: (o) => new RigidWorld(o) },
  { of: "NewtonOptions", name: "tolerance", call: (o) => new RigidWorld({ solver: o }) },
  {
    of: "FactorControl",
    name: "timeStep",
    call: (o) => world.addBody(localGlobalCloth(grid)).factorization!.whenReadyAsync(o),
  },
  { of: "VertexFactors", name: "stretch", call: (o) => withMaps(clothModel(grid), o) },
  { of: "ClothDescription", name: "membrane", call: (o) => clothModel({ ...grid, ...o }) },
  { of: "ClothDescription", name: "stretchLimits", call: (o) => clothModel({ solver: "newton", ...grid, ...o }) },
  { of: "RodDescription", name: "poissonRatio", call: (o) => ropeModel({ ...line, ...o }) },
  { of: "RopeDescription", name: "solver", call: (o) => ropeModel({ ...line, ...o }) },
  { of: "SolidDescription", name: "elements", call: (o) => solidModel({ ...box, material, ...o }) },
  {
    of: "Plasticity of cloth",
    name: "max",
    call: (o) => clothModel({ positions, indices, plasticity: { yield: 0.1, ...o } }),
  },
  {
    of: "Plasticity",
    name: "creep",
    call: (o) => solidModel({ ...box, material, plasticity: { yield: 0.1, ...o } }),
  },
  { of: "SolidMaterial", name: "damping", call: (o) => solidModel({ ...box, material: { ...material, ...o } }) },
  { of: "SolidMeshDescription", name: "resolution", call: (o) => solidMesh({ ...ball, ...o }) },
  { of: "GridDescription", name: "center", call: (o) => gridMesh({ width: 1, height: 1, columns: 1, rows: 1, ...o }) },
  { of: "box", name: "pattern", call: (o) => boxTetrahedra({ size: [1, 1, 1], cells: [1, 1, 1], ...o }) },
  { of: "ball", name: "center", call: (o) => ballTetrahedra({ radius: 1, resolution: 2, ...o }) },
  { of: "sphere", name: "center", call: (o) => icosphereMesh({ radius: 1, subdivisions: 0, ...o }) },
  { of: "EnergyDefinition", name: "parameters", call: (o) => defineEnergy({ strain: "distance", energy: "c", ...o }) },
  { of: "FabricCurves", name: "naturalCurvature", call: (o) => Fabric.fromCurves({ ...curves, ...o }) },
  { of: "TableFabricOptions", name: "damping", call: (o) => Fabric.fromCurves(curves, o) },
  { of: "Fabric", name: "friction", call: (o) => gpbdCloth({ ...grid, fabric: { ...fabrics.silk, ...o } }) },
  { of: "SimulationOptions", name: "restitution", call: (o) => new ArticulatedSimulation(mechanism, o) },
  {
    of: "BatchOptions",
    name: "gravity",
    call: (o) => BatchSimulation.create(mechanism, { worlds: 1, timeStep: 1, ...o }),
  },
  {
    of: "GroundPlane",
    name: "height",
    call: (o) => BatchSimulation.create(mechanism, { worlds: 1, timeStep: 1, ground: [o] }),
  },
  {
    of: "WorldParameters",
    name: "massScale",
    call: (o) => {
      const model = new ArticulatedModel(mechanism);
      new Variations({
        model,
        worlds: 1,
        driven: [],
        isFree: new Uint8Array(model.nv),
        tables: new Float32Array(),
      }).set(o);
    },
  },
  { of: "MechanismDescription", name: "links", call: (o) => new ArticulatedModel({ ...mechanism, ...o }) },
  {
    of: "LinkDescription",
    name: "inertia",
    call: (o) => new ArticulatedModel({ name: "m", links: [{ ...link, ...o }] }),
  },
  { of: "JointDescription", name: "armature", call: (o) => new ArticulatedModel({ name: "m", links: [of(o)] }) },
  { of: "Frame", name: "rotation", call: (o) => new ArticulatedModel({ name: "m", links: [of({ parentFrame: o })] }) },
  {
    of: "LinkShape",
    name: "friction",
    call: (o) =>
      new ArticulatedModel({
        name: "m",
        links: [{ ...link, shapes: [{ shape: { type: "sphere", radius: 1 }, ...o }] }],
      }),
  },
  {
    of: "JointCoupling",
    name: "coefficients",
    call: (o) => new ArticulatedModel({ ...mechanism, couplings: [{ joint: "arm", coefficients: [0], ...o }] }),
  },
  {
    of: "LinkClosure",
    name: "pointA",
    call: (o) => new ArticulatedModel({ ...mechanism, closures: [{ linkA: "arm", ...o }] }),
  },
  {
    of: "ActuatorDescription",
    name: "forceRange",
    call: (o) => new ArticulatedSimulation(mechanism, { actuators: [{ ...motor, ...o }] }),
  },
  {
    of: "ActuatedJoint",
    name: "coefficient",
    call: (o) =>
      new ArticulatedSimulation(mechanism, { actuators: [{ ...motor, joints: [{ ...motor.joints[0], ...o }] }] }),
  },
  {
    of: "TendonBranch",
    name: "points",
    call: (o) => new ArticulatedSimulation(mechanism, { actuators: [{ ...motor, path: [{ ...branch, ...o }] }] }),
  },
  {
    of: "TendonPoint",
    name: "position",
    call: (o) =>
      new ArticulatedSimulation(mechanism, {
        actuators: [{ ...motor, path: [{ ...branch, points: [{}, { link: "arm", ...o }] }] }],
      }),
  },
  { of: "MjcfOptions", name: "mesh", call: (o) => loadMjcf("<mujoco/>", o) },
  { of: "SkelOptions", name: "mesh", call: (o) => loadSkel("<skel/>", o) },
  { of: "UrdfOptions", name: "shapes", call: (o) => loadUrdf("<robot/>", o) },
  {
    of: "TrajectoryProblem",
    name: "controls",
    call: (o) => optimizeTrajectory({ step: step(), ...start, steps: 1, cost, ...o }),
  },
  {
    of: "InverseKinematicsOptions",
    name: "fixedJoints",
    call: (o) => solveInverseKinematics(new ArticulatedModel(mechanism), [{ link: "arm", position: [1, 0, 0] }], o),
  },
  {
    of: "LinkGoal",
    name: "rotation",
    call: (o) => solveInverseKinematics(new ArticulatedModel(mechanism), [{ link: "arm", position: [1, 0, 0], ...o }]),
  },
  {
    of: "LinkSensorOptions",
    name: "position",
    call: (o) => world.addMechanism(mechanismModel(mechanism)).addSensor("arm", o),
  },
  {
    of: "TrajectoryOptions",
    name: "iterations",
    call: (o) => optimizeTrajectory({ step: step(), ...start, steps: 1, cost }, o),
  },
  {
    of: "StateTerm",
    name: "target",
    call: (o) => optimizeTrajectory({ step: step(), ...start, steps: 1, cost: [{ ...cost[0], ...o }] }),
  },
  {
    of: "PointTerm",
    name: "targetLink",
    call: (o) =>
      optimizeTrajectory({
        step: step(),
        ...start,
        steps: 1,
        cost: [{ of: "point", link: step().model!.linkNames[0], target: [0, 0, 0], when: "final", weight: 1, ...o }],
      }),
  },
  {
    of: "DirectionTerm",
    name: "targetLink",
    call: (o) =>
      optimizeTrajectory({
        step: step(),
        ...start,
        steps: 1,
        cost: [
          {
            of: "direction",
            link: step().model!.linkNames[0],
            target: [0, 1, 0],
            axis: [0, 1, 0],
            when: "final",
            weight: 1,
            ...o,
          },
        ],
      }),
  },
  {
    of: "OrientationTerm",
    name: "targetLink",
    call: (o) =>
      optimizeTrajectory({
        step: step(),
        ...start,
        steps: 1,
        cost: [
          { of: "orientation", link: step().model!.linkNames[0], target: [0, 0, 0, 1], when: "final", weight: 1, ...o },
        ],
      }),
  },
  { of: "IdentificationProblem", name: "weights", call: (o) => identify({ step: step(), trajectories: [], ...o }) },
  { of: "IdentificationOptions", name: "tolerance", call: (o) => identify({ step: step(), trajectories: [] }, o) },
  {
    of: "MeasuredTrajectory",
    name: "controls",
    call: (o) => identify({ step: step(), trajectories: [{ ...start, positions: [0], ...o }] }),
  },
  ...(
    [
      [{ type: "sphere", radius: 1 }, "center"],
      [{ type: "box", halfExtents: [1, 1, 1] }, "rotation"],
      [{ type: "capsule", pointA: [0, 0, 0], pointB: [0, 1, 0], radius: 1 }, "radius"],
      [{ type: "cylinder", pointA: [0, 0, 0], pointB: [0, 1, 0], radius: 1 }, "radius"],
      [{ type: "convex-hull", positions: box.positions }, "positions"],
      [{ type: "mesh", positions, indices }, "resolution"],
      [{ type: "heightfield", sizeX: 1, sizeZ: 1, samplesX: 2, samplesZ: 2, heights: [0, 0, 0, 0] }, "heights"],
      [{ type: "container", children: [] }, "children"],
    ] as readonly (readonly [ColliderShape, string])[]
  ).map(([shape, name]) => ({
    of: `shape "${shape.type}"`,
    name,
    call: (o: object) => massProperties({ ...shape, ...o }, 1),
  })),
];

describe("options of the engine", () => {
  refusesTypingErrors(cases);

  it("are all looked at", () => {
    const seen = new Set(cases.map((known) => known.of));
    // made of other interfaces of the list, or shapes
    const composed = [
      ...[
        "GpbdOptions",
        "LocalGlobalOptions",
        "NewtonBodyOptions",
        "DeformableOptions",
        "InflationOptions",
        "AirOptions",
      ],
      ...["RunControl", "RigidBodyChanges", "LinkTermBase", "Options", "ContainerChild", "typeof"],
    ];
    const all = new Set(checkedInterfaces().filter((name) => !name.endsWith("Shape")));
    expect(all.size).toBeGreaterThan(30);
    expect([...all].filter((name) => !seen.has(name) && !composed.includes(name))).toEqual([]);
  });
});

describe("names of options", () => {
  interface Wide {
    wind?: number;
    thickness?: number;
    selfThickness?: number;
  }
  const names = optionNames<Wide>()("wind thickness selfThickness");

  it.each([
    ["wnd", '"wind" is'],
    ["Wind", '"wind" is'],
    ["thicknes", '"thickness" is'],
    ["thick", '"thickness" is'],
    ["selfThicknes", '"selfThickness" is'],
    ["colour", "there are wind, thickness, selfThickness"],
  ])("%s is refused: %s", (typed, hint) => {
    expect(() => checkNames("cloth", { [typed]: 3 }, names)).toThrow(`cloth.${typed}: is no option; ${hint}, got 3`);
  });

  it("are not looked for in a thing of a class, or in a list", () => {
    class Scene {
      meshes = 3;
    }
    const rule = "cloth: must be given its options as an object, got";
    expect(() => checkNames("cloth", new Scene(), names)).toThrow(`${rule} "Scene"`);
    expect(() => checkNames("cloth", [1], names)).toThrow(`${rule} "Array"`);
    expect(() => checkNames("cloth", { ...new Scene() }, names)).toThrow("cloth.meshes: is no option");
  });

  it("pass where they are right, and in descriptions where they are like none", () => {
    expect(() => checkNames("cloth", { wind: 1, thickness: undefined }, names)).not.toThrow();
    expect(() => checkLikelyNames("cloth", { normals: [], colors: [], wine: 1 }, names)).not.toThrow();
    expect(() => checkLikelyNames("cloth", { thickess: 1 }, names)).toThrow('"thickness" is');
  });

  it("need an object", () => {
    for (const none of [null, "silk", 3])
      expect(() => checkNames("cloth", none as unknown as object, names)).toThrow(
        "cloth: must be given its options as an object",
      );
  });

  it("of a table are those of the interface: one that is left out does not compile", () => {
    // @ts-expect-error it lacks `selfThickness`
    const short = optionNames<Wide>()("wind thickness");
    // @ts-expect-error there is no `wine`
    const long = optionNames<Wide>()("wind thickness selfThickness wine");
    // @ts-expect-error `isWide` is a flag, and has no question mark
    const plain = optionNames<Wide & { isWide?: boolean }>()("isWide", names);
    // @ts-expect-error there is no `wind`
    const other = optionNames<{ length: number }>()("length", names);
    expect([short, long, plain, other]).toHaveLength(4);
    const whole = optionNames<Wide & { isWide?: boolean }>()("isWide?", names);
    expect(whole).toEqual({ wind: false, thickness: false, selfThickness: false, isWide: true });
  });
});
