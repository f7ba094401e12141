import {
  boxTetrahedra,
  clothModel,
  fabrics,
  gridMesh,
  icosphereMesh,
  mechanismModel,
  ropeModel,
  solidModel,
  type BodyModel,
  type BodyOptions,
  type ColliderShape,
  type MechanismDescription,
  type RigidBody,
  type RigidBodyOptions,
  type SolverName,
  type Vec3,
  type World,
} from "../../src/index";
import { boundaryTriangles } from "../../src/geometry/tetrahedra/tet-mesh";
import { cos, sin } from "../../src/math/deterministic";
import { turn } from "../../src/math/quaternions";
import type { Prop, SoftSurface, Strand } from "../scene";
import { mechanismMotion, type Motion, rigidMotion, softMotion } from "./motion";
import type { Outline } from "./outline";

/** One thing of a pair. */
export interface Thing {
  /** [kg]; 0 for an immovable thing */
  readonly mass: number;
  motion(): Promise<Motion>;
  outline(): Promise<Outline>;
  /** Sets one velocity for all of it [m/s]. */
  launch(velocity: Vec3): void;
  /** initial place of its top [m] */
  readonly top: number;
  readonly props?: readonly Prop[];
  readonly softs?: readonly SoftSurface[];
  readonly strands?: readonly Strand[];
}

/** Place and condition of a thing at the start. */
export interface Placing {
  /** place of its underside [m] */
  readonly height: number;
  readonly friction: number;
  /** its underside is fixed: it is a ramp, and twice as long where it has a flat top, so that nothing slides over its edge */
  readonly isHeld: boolean;
  /** there is no air */
  readonly isVacuum: boolean;
  /** it lies on a ramp */
  readonly isOnRamp: boolean;
  /** factor of its mass, relative to the default */
  readonly heavier: number;
}

/** Sides of most things [m]. */
const [SIDE, HEIGHT] = [0.2, 0.1];
const MASS = 2;
const STILL: Motion = { linear: [0, 0, 0], angular: [0, 0, 0], kinetic: 0 };

interface Mesh {
  readonly positions: ArrayLike<number>;
  /** triangles */
  readonly faces: Uint32Array;
}

function block([x, y, z]: Vec3, [i, j, k]: Vec3): Mesh {
  const { positions, tetrahedra } = boxTetrahedra({ size: [x, y, z], cells: [i, j, k] });
  return { positions, faces: boundaryTriangles(tetrahedra) };
}

const brick = (length: number): Mesh => block([length, HEIGHT, SIDE], [(4 * length) / SIDE, 2, 4]);

/** A block whose top is narrower than its underside. */
function frustum(length: number): Mesh {
  const { positions, faces } = brick(length);
  const narrowed = Float64Array.from(positions, (value, i) => {
    const up = positions[i - (i % 3) + 1] / HEIGHT + 0.5;
    return value * (1 - [0.2, 0, 0.4][i % 3] * up);
  });
  return { positions: narrowed, faces };
}

/** A ring that lies flat. */
function torus(): Mesh {
  const [radius, thickness, around, about] = [0.35 * SIDE, 0.15 * SIDE, 24, 12];
  const positions: number[] = [];
  const faces: number[] = [];
  for (let i = 0; i < around; i++)
    for (let j = 0; j < about; j++) {
      const [u, v] = [(2 * Math.PI * i) / around, (2 * Math.PI * j) / about];
      const r = radius + thickness * cos(v);
      positions.push(r * cos(u), thickness * sin(v), r * sin(u));
      const [next, up] = [((i + 1) % around) * about, (j + 1) % about];
      faces.push(i * about + j, next + up, next + j, i * about + j, i * about + up, next + up);
    }
  return { positions: Float64Array.from(positions), faces: Uint32Array.from(faces) };
}

/** Two capsules side by side: one alone would roll. */
const [ROLLER, ROLLERS] = [HEIGHT / 2, [-HEIGHT / 2, HEIGHT / 2]];

function raft(length: number): Mesh {
  const ball = icosphereMesh({ radius: ROLLER, subdivisions: 3 });
  const count = ball.positions.length / 3;
  const positions = ROLLERS.flatMap((z) =>
    Array.from(ball.positions, (value, i) => value + [Math.sign(value) * (length / 2 - ROLLER), 0, z][i % 3]),
  );
  const faces = ROLLERS.flatMap((_, k) => Array.from(ball.indices, (v) => v + k * count));
  return { positions, faces: Uint32Array.from(faces) };
}

/** Ground that is slightly lower in the middle. */
const [FIELD, DIP] = [1, 0.05];
const fieldHeight = (x: number, z: number): number => DIP * (x * x + z * z);

function field(): Mesh {
  const { positions, faces } = block([FIELD, HEIGHT, FIELD], [16, 1, 16]);
  const bent = Float64Array.from(positions, (value, i) =>
    i % 3 === 1 && value > 0 ? fieldHeight(positions[i - 1], positions[i + 1]) : i % 3 === 1 ? -HEIGHT : value,
  );
  return { positions: bent, faces };
}

function heightfield(): ColliderShape {
  const n = 17;
  const at = (i: number): number => FIELD * (i / (n - 1) - 0.5);
  const heights = Array.from({ length: n * n }, (_, i) => fieldHeight(at(i % n), at(Math.floor(i / n))));
  return { type: "heightfield", sizeX: FIELD, sizeZ: FIELD, samplesX: n, samplesZ: n, heights };
}

interface Solid {
  readonly shape: ColliderShape;
  readonly mesh: Mesh;
  /** heights of its underside and its top in its frame [m] */
  readonly bottom: number;
  readonly top: number;
}

const plate = { bottom: -HEIGHT / 2, top: HEIGHT / 2 };
const solids = {
  box: (length) => ({
    ...plate,
    shape: { type: "box", halfExtents: [length / 2, HEIGHT / 2, SIDE / 2] },
    mesh: brick(length),
  }),
  hull: (length) => {
    const mesh = frustum(length);
    return { ...plate, shape: { type: "convex-hull", positions: mesh.positions }, mesh };
  },
  capsule: (length) => {
    const children = ROLLERS.map((z) => ({
      shape: {
        type: "capsule" as const,
        pointA: [ROLLER - length / 2, 0, z] as const,
        pointB: [length / 2 - ROLLER, 0, z] as const,
        radius: ROLLER,
      },
    }));
    return { ...plate, shape: { type: "container", children }, mesh: raft(length) };
  },
  mesh: () => {
    const mesh = torus();
    const radius = 0.15 * SIDE;
    return {
      shape: { type: "mesh", positions: mesh.positions, indices: mesh.faces },
      mesh,
      bottom: -radius,
      top: radius,
    };
  },
  heightfield: () => ({ shape: heightfield(), mesh: field(), bottom: 0, top: 0 }),
} satisfies Record<string, (length: number) => Solid>;

const soft = {
  "gpbd-solid": "gpbd",
  "local-global-solid": "local-global",
  "newton-solid": "newton",
} as const satisfies Record<string, SolverName>;

export const uppers = [
  "box",
  "hull",
  "capsule",
  "mesh",
  "mechanism",
  "cloth",
  "sheet",
  "rope",
  "gpbd-solid",
  "local-global-solid",
  "newton-solid",
  "balloon",
] as const;
export const lowers = [...uppers, "static", "animated", "heightfield"] as const;
export type ThingName = (typeof lowers)[number];

const lengthOf = ({ isHeld }: Placing): number => (isHeld ? 2 : 1) * SIDE;

/** Adds a thing to a world with its underside at the place of `placing`. */
export function makeThing(world: World, name: ThingName, placing: Placing): Thing {
  const length = lengthOf(placing);
  switch (name) {
    case "static":
    case "animated":
      return rigid(world, solids.box(length), placing, name === "static" ? "static" : "kinematic");
    case "heightfield":
      return rigid(world, solids.heightfield(), placing, "static");
    case "box":
    case "hull":
    case "capsule":
    case "mesh":
      return rigid(world, solids[name](length), placing, placing.isHeld ? "static" : "dynamic");
    case "mechanism":
      return boards(world, placing);
    case "cloth":
      return deformable(world, cloth("gpbd", placing), placing, { isClosed: false });
    case "sheet":
      return deformable(world, cloth("local-global", placing), placing, { isClosed: false });
    case "rope":
      return deformable(world, ring(placing), placing, { isClosed: false });
    case "balloon":
      return deformable(world, balloon(placing), placing, {
        isClosed: true,
        options: { pressure: 2000, sealed: true },
      });
    default:
      return deformable(world, cube(soft[name], placing), placing, { isClosed: true });
  }
}

function rigid(world: World, solid: Solid, placing: Placing, motion: NonNullable<RigidBodyOptions["motion"]>): Thing {
  const { shape, mesh, bottom, top } = solid;
  const { height, friction, heavier } = placing;
  const isDynamic = motion === "dynamic";
  const body = world.addRigidBody({
    shape,
    motion,
    friction,
    ...(isDynamic && { mass: heavier * MASS }),
    position: [0, height - bottom, 0],
  });
  return {
    mass: isDynamic ? body.mass : 0,
    top: height - bottom + top,
    motion: async () => (isDynamic ? rigidMotion(body) : STILL),
    outline: async () => ({ ...mesh, positions: placed(mesh.positions, body), isClosed: true }),
    launch: (velocity) => (body.linearVelocity = velocity),
    props: [
      {
        shape,
        material: "wood",
        get position() {
          return body.position;
        },
        get rotation() {
          return body.rotation;
        },
      },
    ],
  };
}

function placed(points: ArrayLike<number>, { position, rotation }: Pick<RigidBody, "position" | "rotation">): number[] {
  const out: number[] = [];
  for (let p = 0; p < points.length; p += 3)
    turn(rotation, [points[p], points[p + 1], points[p + 2]]).forEach((value, c) => out.push(position[c] + value));
  return out;
}

/** Two boards on a hinge, side by side. */
function boards(world: World, placing: Placing): Thing {
  const { height, friction, isHeld, heavier } = placing;
  const [length, thickness] = [lengthOf(placing), 0.3 * HEIGHT];
  const size: Vec3 = [(isHeld ? 0.5 : 0.49) * length, thickness, SIDE];
  const mass = (heavier * MASS) / 2;
  const square = ([x, y, z]: Vec3, m: number) =>
    [(m * (y * y + z * z)) / 12, (m * (x * x + z * z)) / 12, (m * (x * x + y * y)) / 12, 0, 0, 0] as const;
  const board = (joint: MechanismDescription["links"][number]["joint"], at: number, parent?: string) => ({
    name: parent ? "right" : "left",
    ...(parent && { parent }),
    mass,
    centerOfMass: [at, 0, 0] as const,
    inertia: square(size, mass),
    joint,
    shapes: [
      {
        shape: { type: "box" as const, halfExtents: [size[0] / 2, size[1] / 2, size[2] / 2] as const },
        position: [at, 0, 0] as const,
        friction,
      },
    ],
  });
  const parentFrame = { position: [0, height + thickness / 2, 0] as const };
  const mechanism = world.addMechanism(
    mechanismModel({
      name: "boards",
      links: [
        board({ type: isHeld ? "weld" : "free", parentFrame }, -length / 4),
        board({ type: isHeld ? "weld" : "revolute", axis: [0, 0, 1] }, length / 4, "left"),
      ],
    }),
  );
  const mesh = block(size, [2, 1, 4]);
  const links = [-length / 4, length / 4].map((at, link) => {
    const pose = () => mechanism.poseOf(link);
    const position = (): Vec3 => {
      const { position: base, rotation } = pose();
      const [x, y, z] = turn(rotation, [at, 0, 0]);
      return [base[0] + x, base[1] + y, base[2] + z];
    };
    return { position, rotation: () => pose().rotation };
  });
  const points = (): number[] =>
    links.flatMap(({ position, rotation }) =>
      placed(mesh.positions, { position: position(), rotation: rotation() } as RigidBody),
    );
  const count = mesh.positions.length / 3;
  const faces = Uint32Array.from([...mesh.faces, ...mesh.faces.map((v) => v + count)]);
  return {
    mass: isHeld ? 0 : 2 * mass,
    top: height + thickness,
    motion: async () => (isHeld ? STILL : mechanismMotion(mechanism)),
    outline: async () => ({ positions: points(), faces, isClosed: true }),
    launch(velocity) {
      mechanism.simulation.qd.set(velocity, 3);
      mechanism.place();
    },
    props: links.map(({ position, rotation }) => ({
      shape: { type: "box", halfExtents: [size[0] / 2, size[1] / 2, size[2] / 2] },
      material: "steel",
      get position() {
        return position();
      },
      get rotation() {
        return rotation();
      },
    })),
  };
}

const CLOTH = 1.2 * SIDE;
const THICKNESS = 0.004;
const ROPE = 0.008;

/** Off the middle: nothing should line up with anything else by chance. */
const OFF: Vec3 = [0.003, 0, 0.006];

function cloth(solver: "gpbd" | "local-global", placing: Placing): BodyModel {
  const { height, heavier, isOnRamp } = placing;
  const center: Vec3 = [OFF[0], height + THICKNESS, OFF[2]];
  const fabric = { ...fabrics.denim, areaDensity: heavier * fabrics.denim.areaDensity };
  const side = isOnRamp ? CLOTH / 2 : CLOTH;
  const stretch = lengthOf(placing) / SIDE;
  const grid = gridMesh({ width: side * stretch, height: side, columns: 6 * stretch, rows: 6, center });
  return clothModel({ solver, ...grid, fabric });
}

/** A rope in a ring, closed so that it keeps its shape. */
function ring({ height, heavier }: Placing): BodyModel {
  const count = 20;
  const positions = Float64Array.from({ length: 3 * count }, (_, i) => {
    const angle = (2 * Math.PI * Math.floor(i / 3)) / count;
    return [0.35 * SIDE * cos(angle), height + ROPE, 0.35 * SIDE * sin(angle)][i % 3];
  });
  return ropeModel({ positions, radius: ROPE, closed: true, naturalShape: "path", density: 1000 * heavier });
}

function cube(solver: SolverName, placing: Placing): BodyModel {
  const { height, heavier } = placing;
  const center: Vec3 = [0, height + HEIGHT / 2, 0];
  const length = lengthOf(placing);
  const mesh = boxTetrahedra({ size: [length, HEIGHT, SIDE], cells: [(4 * length) / SIDE, 2, 4], center });
  const density = (heavier * MASS) / (SIDE * HEIGHT * SIDE);
  return solidModel({ solver, ...mesh, material: { youngsModulus: 1e5, poissonRatio: 0.3, density } });
}

function balloon({ height, heavier }: Placing): BodyModel {
  const { positions, faces } = block([SIDE, 0.4 * HEIGHT, SIDE], [6, 1, 6]);
  const lifted = Float64Array.from(positions, (value, i) => (i % 3 === 1 ? value + height + 0.3 * HEIGHT : value));
  const rubber = fabrics["rubber-sheet"];
  const fabric = { ...rubber, areaDensity: heavier * rubber.areaDensity };
  // Tetrahedra have their faces wound the other way.
  return clothModel({ positions: lifted, indices: faces.slice().reverse(), fabric });
}

function deformable(
  world: World,
  model: BodyModel,
  { height, friction, isHeld, isVacuum }: Placing,
  { isClosed, options }: { isClosed: boolean; options?: BodyOptions },
): Thing {
  const { positions: start } = model;
  const isThin = !isClosed;
  const low = Array.from(model.masses, (_, p) => p).filter((p) => isThin || start[3 * p + 1] < height + 0.35 * HEIGHT);
  const pins = isHeld ? low : [];
  const body = world.addBody(model, { friction, ...(isVacuum && { airDensity: 0 }), ...options, pins });
  const faces = "faces" in model ? model.faces : new Uint32Array();
  const top = Math.max(...Array.from(start, (value, i) => (i % 3 === 1 ? value : -Infinity)));
  const isRope = faces.length === 0;
  const reach = isThin ? (isRope ? ROPE : THICKNESS) : 0;
  return {
    mass: isHeld ? 0 : model.masses.reduce((sum, m) => sum + m, 0),
    top: top + reach,
    motion: () => softMotion(body),
    outline: async () => {
      const { positions } = await body.readState();
      return { positions: isRope ? [...positions, ...positions.subarray(0, 3)] : positions, faces, isClosed };
    },
    launch: (velocity) =>
      body.writeState({ positions: start, velocities: Float64Array.from(start, (_, i) => velocity[i % 3]) }),
    ...(isRope
      ? { strands: [{ body, radius: ROPE, material: "amber", smooth: true }] }
      : { softs: [{ body, material: "rubber" }] }),
  };
}
