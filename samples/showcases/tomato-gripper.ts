// A gripper whose fingers curl when air presses into them sets soft tomatoes on scales.

import {
  Color3,
  DynamicTexture,
  Mesh,
  MeshBuilder,
  Physics6DoFConstraint,
  PhysicsAggregate,
  PhysicsConstraintAxis,
  PhysicsShapeType,
  TransformNode,
  Vector3,
  VertexBuffer,
  VertexData,
  type AbstractEngine,
  type PBRMaterial,
  type Scene,
} from "@babylonjs/core";
import {
  ArticulationAggregate,
  ClothDragBehavior,
  PliantPlugin,
  RopeAggregate,
  SoftBodyAggregate,
  type HierarchyLink,
  type PliantPluginOptions,
} from "babylon-pliant";
import { createStudio, type Studio } from "../../site/examples/studio";

/** radii of the tomatoes, m, and their height over their width */
const RADII = [0.042, 0.036, 0.039];
const FLAT = 0.88;
/** where they lie, the middle of the pan, height of their board, and of the pan, m */
const START = [-0.33, -0.2, -0.265].map((x, k) => new Vector3(x, 0, [-0.02, -0.05, 0.1][k]));
const [PAN, BOARD, PLATE] = [new Vector3(0.22, 0, 0), 0.03, 0.15];
/** distance of straight fingers from the axis of the hand, height of their roots above what they grip on, m */
const [OPEN, ROOT] = [0.052, 0.115];
/** segments of a finger, their length, m, and mass, kg */
const [SEGMENTS, LONG, LIGHT] = [3, 0.034, 0.03];
/** torque of the air at the joints of a finger from its root on, N m */
const TORQUES = [0.26, 0.15, 0.06];
/** height of the roots while the hand travels, m; s of a transfer; N/m of the scales */
const [HIGH, TURN, SPRING] = [0.34, 6, 900];
const FINGERS = 3;
/** height of the rail, and its place behind the middle, m */
const [RAIL, BEHIND] = [0.54, 0.19];

export async function createScene(engine?: AbstractEngine, physics: PliantPluginOptions = {}) {
  const studio = await createStudio({
    engine,
    floor: "#e7d3b5",
    wall: "#d6e4da",
    glow: "rgba(255,252,242,0.9)",
    target: new Vector3(-0.01, 0.255, 0),
    radius: 1.33,
    alpha: -1.4,
    beta: 1.26,
    aspect: 1.45,
  });
  const { scene, camera, paint, show } = studio;
  const plugin = await PliantPlugin.CreateAsync(studio.engine, physics);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  camera.addBehavior(new ClothDragBehavior());

  const board = MeshBuilder.CreateBox("board", { width: 0.36, height: BOARD, depth: 0.34 }, scene);
  board.position.set(-0.265, BOARD / 2, 0.02);
  show(paint("#c89762", { roughness: 0.6 }), board);
  new PhysicsAggregate(board, PhysicsShapeType.BOX, { mass: 0, friction: 0.9 }, scene);
  const pan = addScales(studio);

  // Tomatoes: soft balls of the solver that steps rigid bodies, so that friction holds them.
  const skin = paint("#ffffff", { roughness: 0.22 });
  skin.albedoTexture = peel(scene);
  skin.clearCoat.isEnabled = true;
  skin.clearCoat.roughness = 0.08;
  const tomatoes = RADII.map((radius, k) => {
    const mesh = tomatoMesh(scene, radius);
    mesh.position = START[k].add(new Vector3(0, BOARD + 0.9 * radius, 0));
    mesh.rotation.set(0.12, 2 * k, 0.1 * k);
    show(skin, mesh);
    const soft = { youngsModulus: 4e4, poissonRatio: 0.4, density: 950, tetrahedra: tomatoCells(scene, radius) };
    return new SoftBodyAggregate(mesh, { solver: "newton", elements: "linear", friction: 1, ...soft }, scene);
  });
  const hand = addHand(studio);

  // A hose brings the air.
  const [start, end] = [new Vector3(0, RAIL, BEHIND), hand.tip.absolutePosition.add(new Vector3(0, 0.06, 0.03))];
  const path = [start, Vector3.Center(start, end).subtract(new Vector3(0, 0.2, 0)), end];
  const hose = new RopeAggregate(
    { path, radius: 0.007, name: "hose" },
    { segments: 26, pins: [0], density: 500, bodyCollision: false, attach: { node: hand.tip, at: [26] } },
    scene,
  );
  show(paint("#2d6f8f", { roughness: 0.35 }), hose.mesh);

  let [time, force] = [0, 1];
  /** where tomato `k` goes */
  const goal = (k: number): Vector3 => {
    const angle = 2.1 * k + 0.5;
    return PAN.add(new Vector3(0.075 * Math.cos(angle), 0, 0.075 * Math.sin(angle)));
  };
  const plan = (t: number): { place: Vector3; air: number } => {
    const k = Math.min(RADII.length - 1, Math.floor(t / TURN));
    const s = t - k * TURN;
    const home = k === 0 ? START[0] : goal(k - 1);
    const place = Vector3.Lerp(Vector3.Lerp(home, START[k], part(s, 0, 0.9)), goal(k), part(s, 2.9, 1.1));
    const low = ROOT - RADII[0] + RADII[k] - HIGH;
    const down = (BOARD + low) * (part(s, 0.7, 0.7) - part(s, 2.2, 0.7));
    place.y = HIGH + down + (PLATE + low) * (part(s, 3.9, 0.7) - part(s, 5.2, 0.7));
    return { place, air: part(s, 1.45, 0.6) - part(s, 4.7, 0.5) };
  };
  plugin.onBeforeStepObservable.add((dt) => {
    time += dt;
    if (time > RADII.length * TURN + 2.5) {
      time = 0;
      for (const tomato of tomatoes) tomato.reset();
    }
    const { place, air } = plan(time);
    hand.move(place, force * air);
  });
  plugin.onAfterStepObservable.add(() => pan.show());

  return {
    scene,
    controls: {
      air: { value: 1, range: [0.5, 1.5] as const, set: (value: number) => void (force = value) },
      again: { press: () => void (time = RADII.length * TURN + 2.5) },
    },
  };
}

/** 0 before `from`, 1 after, smooth in between. */
function part(time: number, from: number, duration: number): number {
  const s = Math.min(1, Math.max(0, (time - from) / duration));
  return s * s * s * (10 - 15 * s + 6 * s * s);
}

interface Hand {
  /** the node above the fingers */
  tip: TransformNode;
  /** Drives the hand to a place, and air into its fingers: 1 for the usual pressure. */
  move(place: Vector3, air: number): void;
}

/**
 * A mechanism: a carriage on a rail, an arm, a rod with the hand, and fingers of segments. Air turns the joints of the
 * fingers, and rubber turns them back.
 */
function addHand(studio: Studio): Hand {
  const { scene, paint, show } = studio;
  const node = (name: string, parent: TransformNode | null, x: number, y: number, z: number): TransformNode => {
    const made = new TransformNode(name, scene);
    made.parent = parent;
    made.position.set(x, y, z);
    return made;
  };
  const carriage = node("carriage", null, START[0].x, RAIL, BEHIND);
  const arm = node("arm", carriage, 0, 0, START[0].z - BEHIND);
  const tip = node("hand", arm, 0, HIGH - RAIL, 0);
  addGantry(studio, carriage, arm, tip);

  const mass = 0.6 + FINGERS * SEGMENTS * LIGHT;
  const slide = (axis: readonly [number, number, number]) =>
    ({ joint: { type: "prismatic", axis, damping: 50 * mass }, mass: 0.2, shapes: [] }) as const;
  const links: Record<string, HierarchyLink> = {
    carriage: slide([1, 0, 0]),
    arm: slide([0, 0, 1]),
    hand: slide([0, 1, 0]),
  };
  const rubber = paint("#ff9f0a", { roughness: 0.38 });
  for (let k = 0; k < FINGERS; k++) {
    const angle = (2 * Math.PI * k) / FINGERS + Math.PI / 6;
    let above = tip;
    for (let j = 0; j < SEGMENTS; j++) {
      const name = `finger ${k} ${j}`;
      const at = j === 0 ? [OPEN * Math.cos(angle), 0, -OPEN * Math.sin(angle)] : [0, -LONG, 0];
      const segment = node(name, above, at[0], at[1], at[2]);
      // Its x axis points away from the axis of the hand.
      if (j === 0) segment.rotation.y = angle;
      const mesh = segmentMesh(scene, j === SEGMENTS - 1);
      mesh.parent = segment;
      show(rubber, mesh);
      links[name] = {
        joint: { type: "revolute", axis: [0, 0, -1], stiffness: 0.06, damping: 0.006, lower: -0.3, upper: 1 },
        mass: LIGHT,
        shapes: [
          { shape: { type: "box", halfExtents: [0.006, LONG / 2, 0.012], center: [0.002, -LONG / 2, 0] }, friction: 1 },
        ],
      };
      above = segment;
    }
  }
  const gripper = ArticulationAggregate.fromHierarchy(carriage, links, { friction: 1 }, scene);
  const drive = (joint: string, target: number, load: number): void =>
    gripper.setControl(joint, load * 800 * (target - gripper.getPosition(joint)[0]));
  return {
    tip,
    move({ x, y, z }, air) {
      drive("carriage", x - START[0].x, mass + 0.4);
      drive("arm", z - START[0].z, mass + 0.2);
      const weight = 9.81 * (mass - 0.4);
      gripper.setControl("hand", weight + mass * 800 * (y - HIGH - gripper.getPosition("hand")[0]));
      for (let k = 0; k < FINGERS; k++)
        for (const [j, torque] of TORQUES.entries()) gripper.setControl(`finger ${k} ${j}`, air * torque);
    },
  };
}

/** A segment of a finger: a rounded section with two bellows on the back. */
function segmentMesh(scene: Scene, isLast: boolean): Mesh {
  const [rings, sides] = [36, 32];
  const [positions, indices, normals]: number[][] = [[], [], []];
  for (let i = 0; i <= rings; i++) {
    const s = i / rings;
    const bellow = Math.abs(Math.sin(2 * Math.PI * s)) ** 0.55;
    const end = isLast ? Math.sqrt(Math.max(0, 1 - Math.max(0, (s - 0.8) / 0.2) ** 2)) : 1;
    const depth = (0.008 + 0.012 * bellow) * (0.3 + 0.7 * end);
    const wide = 0.025 * (0.84 + 0.16 * bellow) * (0.45 + 0.55 * end);
    for (let k = 0; k < sides; k++) {
      const angle = (2 * Math.PI * k) / sides;
      const round = (value: number): number => Math.sign(value) * Math.abs(value) ** 0.5;
      positions.push(
        (depth / 2) * (1 + round(Math.cos(angle))) - 0.004,
        -LONG * (1.12 * s - 0.06),
        (wide / 2) * round(Math.sin(angle)),
      );
      if (i === rings) continue;
      const [a, b] = [i * sides + k, i * sides + ((k + 1) % sides)];
      indices.push(a, b, a + sides, b, b + sides, a + sides);
    }
  }
  for (const end of [0, rings]) {
    const [first, middle] = [sides * end, positions.length / 3];
    positions.push(0.004, positions[3 * first + 1], 0);
    for (let k = 0; k < sides; k++) {
      const [a, b] = [first + k, first + ((k + 1) % sides)];
      indices.push(middle, ...(end === 0 ? [b, a] : [a, b]));
    }
  }
  VertexData.ComputeNormals(positions, indices, normals);
  const mesh = new Mesh("segment", scene);
  Object.assign(new VertexData(), { positions, indices, normals }).applyToMesh(mesh);
  return mesh;
}

/** A flat ball with a dimple at its stalk, and ribs. */
function tomatoMesh(scene: Scene, radius: number): Mesh {
  const mesh = MeshBuilder.CreateSphere("tomato", { diameter: 2, segments: 28 }, scene);
  const places = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  for (let i = 0; i < places.length; i += 3) {
    const [x, y, z] = [places[i], places[i + 1], places[i + 2]];
    const flat = Math.hypot(x, z);
    const rib = 1 + 0.025 * Math.cos(6 * Math.atan2(z, x)) * flat * flat;
    const dimple = (y > 0 ? 0.22 : 0.06) * Math.exp(-9 * flat * flat);
    places[i] = radius * x * rib;
    places[i + 1] = radius * FLAT * y * (1 - dimple);
    places[i + 2] = radius * z * rib;
  }
  mesh.setVerticesData(VertexBuffer.PositionKind, places);
  mesh.createNormals(false);
  return mesh;
}

/** Tetrahedra from the middle of a tomato to 80 triangles on it. */
function tomatoCells(scene: Scene, radius: number) {
  const ball = MeshBuilder.CreateIcoSphere("ball", { radius: 1.02 * radius, subdivisions: 2, flat: false }, scene);
  const places = ball.getVerticesData(VertexBuffer.PositionKind)!;
  const positions = [0, 0, 0];
  const known = new Map<string, number>();
  const corners = Array.from(ball.getIndices()!, (v) => {
    const place = [places[3 * v], FLAT * places[3 * v + 1], places[3 * v + 2]];
    const key = place.map((value) => Math.round(1e6 * value)).join(" ");
    if (!known.has(key)) {
      known.set(key, positions.length / 3);
      positions.push(...place);
    }
    return known.get(key)!;
  });
  ball.dispose();
  // A 0, the middle, before each three corners.
  return { positions, tetrahedra: corners.flatMap((corner, i) => (i % 3 === 0 ? [0, corner] : [corner])) };
}

/** Red, with a green star around the stalk. */
function peel(scene: Scene): DynamicTexture {
  const texture = new DynamicTexture("peel", 1024, scene, true);
  const context = texture.getContext();
  context.fillStyle = "#d3261a";
  context.fillRect(0, 0, 1024, 1024);
  for (const [color, long, narrow] of [
    ["#3d6b2a", 1, 1],
    ["#6b9a3c", 0.82, 0.5],
  ] as const) {
    context.fillStyle = color;
    context.beginPath();
    context.moveTo(0, 0);
    for (let x = 0; x <= 1024; x += 2) {
      const leaf = Math.abs((((x / 1024) * 6 + 0.5) % 1) - 0.5) * 2;
      context.lineTo(x, long * (40 + 190 * Math.max(0, 1 - leaf / narrow) ** 1.6));
    }
    context.lineTo(1024, 0);
    context.fill();
  }
  texture.update(false);
  texture.anisotropicFilteringLevel = 8;
  return texture;
}

/** Scales: a pan on a spring, and a dial that shows what lies on it. */
function addScales({ scene, paint, show }: Studio): { show(): void } {
  const enamel = paint("#f3efe4", { roughness: 0.3 });
  enamel.clearCoat.isEnabled = true;
  const steel = paint("#dfe3e4", { roughness: 0.18, metallic: 1 });
  const body = MeshBuilder.CreateBox("body", { width: 0.2, height: 0.125, depth: 0.15 }, scene);
  body.position.set(PAN.x, 0.0625, PAN.z);
  show(enamel, body);
  const base = new PhysicsAggregate(body, PhysicsShapeType.BOX, { mass: 0 }, scene);
  const plate = MeshBuilder.CreateCylinder("pan", { height: 0.012, diameter: 0.32, tessellation: 96 }, scene);
  plate.position.set(PAN.x, PLATE - 0.006, PAN.z);
  const rim = MeshBuilder.CreateTorus("rim", { diameter: 0.32, thickness: 0.012, tessellation: 96 }, scene);
  rim.parent = plate;
  rim.position.y = 0.004;
  const stem = MeshBuilder.CreateCylinder("stem", { height: 0.03, diameter: 0.05, tessellation: 48 }, scene);
  stem.parent = plate;
  stem.position.y = -0.018;
  show(steel, plate, rim, stem);
  const pan = new PhysicsAggregate(plate, PhysicsShapeType.CYLINDER, { mass: 0.3, friction: 0.9 }, scene);
  const { LINEAR_X, LINEAR_Y, LINEAR_Z, ANGULAR_X, ANGULAR_Y, ANGULAR_Z } = PhysicsConstraintAxis;
  const axes = [LINEAR_X, LINEAR_Z, ANGULAR_X, ANGULAR_Y, ANGULAR_Z];
  const fixed = axes.map((axis) => ({ axis, minLimit: 0, maxLimit: 0 }));
  const spring = { axis: LINEAR_Y, minLimit: 0, maxLimit: 0, stiffness: SPRING, damping: 12 };
  const pivot = plate.position.subtract(body.position);
  base.body.addConstraint(
    pan.body,
    new Physics6DoFConstraint({ pivotA: pivot, pivotB: Vector3.Zero(), collision: false }, [...fixed, spring], scene),
  );

  // The dial, at the front.
  const face = new DynamicTexture("face", 512, scene, true);
  const dial = MeshBuilder.CreateDisc("dial", { radius: 0.052, tessellation: 96 }, scene);
  dial.position.set(PAN.x, 0.064, PAN.z - 0.0765);
  const glass = paint("#ffffff", { roughness: 0.4 });
  glass.albedoTexture = face;
  glass.emissiveTexture = face;
  glass.emissiveColor = new Color3(0.25, 0.25, 0.25);
  dial.material = glass;
  const ring = MeshBuilder.CreateTorus("ring", { diameter: 0.106, thickness: 0.007, tessellation: 96 }, scene);
  ring.position = dial.position.clone();
  ring.rotation.x = Math.PI / 2;
  show(steel, ring);
  const empty = plate.position.y - (0.3 * 9.81) / SPRING;
  drawDial(face, 0);
  let shown = 0;
  return {
    show() {
      const grams = Math.max(0, ((empty - plate.position.y) * SPRING * 1000) / 9.81);
      if (Math.abs(grams - shown) < 1) return;
      shown = grams;
      drawDial(face, grams);
    },
  };
}

function drawDial(face: DynamicTexture, grams: number): void {
  const context = face.getContext() as CanvasRenderingContext2D;
  context.setTransform(1, 0, 0, 1, 256, 256);
  context.fillStyle = "#fffdf6";
  context.fillRect(-256, -256, 512, 512);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = context.strokeStyle = "#2b2f33";
  const angleOf = (weight: number): number => ((weight - 500) / 1000) * 1.5 * Math.PI - Math.PI / 2;
  for (let weight = 0; weight <= 1000; weight += 25) {
    const isLong = weight % 100 === 0;
    const [c, s] = [Math.cos(angleOf(weight)), Math.sin(angleOf(weight))];
    context.lineWidth = isLong ? 6 : 3;
    context.beginPath();
    context.moveTo(236 * c, 236 * s);
    context.lineTo((isLong ? 204 : 218) * c, (isLong ? 204 : 218) * s);
    context.stroke();
    if (weight % 200 !== 0) continue;
    context.font = "600 40px sans-serif";
    context.fillText(String(weight), 164 * c, 164 * s);
  }
  context.font = "700 54px sans-serif";
  context.fillText(`${Math.round(grams)} g`, 0, 84);
  context.rotate(angleOf(Math.min(1000, grams)));
  context.fillStyle = "#d8352a";
  context.fillRect(-40, -4, 248, 8);
  context.beginPath();
  context.arc(0, 0, 20, 0, 2 * Math.PI);
  context.fill();
  face.update(false);
}

/** A rail on two posts, and the parts that move along it. */
function addGantry(studio: Studio, carriage: TransformNode, arm: TransformNode, tip: TransformNode): void {
  const { scene, paint, show } = studio;
  const teal = paint("#2f6f6d", { roughness: 0.35 });
  teal.clearCoat.isEnabled = true;
  const white = paint("#f6f3ea", { roughness: 0.35 });
  white.clearCoat.isEnabled = true;
  const steel = paint("#c9ced1", { roughness: 0.25, metallic: 1 });
  const dark = paint("#2c3238", { roughness: 0.4 });
  const box = (look: PBRMaterial, size: number[], place: number[], parent: TransformNode | null = null): void => {
    const [width, height, depth] = size;
    const mesh = MeshBuilder.CreateBox("frame", { width, height, depth }, scene);
    mesh.position = Vector3.FromArray(place);
    mesh.parent = parent;
    show(look, mesh);
  };
  box(teal, [1.04, 0.045, 0.045], [0, RAIL, BEHIND]);
  for (const side of [-1, 1]) {
    box(teal, [0.045, RAIL, 0.045], [0.5 * side, RAIL / 2, BEHIND]);
    box(dark, [0.1, 0.014, 0.16], [0.5 * side, 0.007, BEHIND]);
  }
  box(dark, [0.11, 0.085, 0.07], [0, 0, 0], carriage);
  box(white, [0.05, 0.05, 0.26], [0, 0, 0.1], arm);
  box(dark, [0.07, 0.075, 0.07], [0, 0, 0], arm);
  const round = (look: PBRMaterial, low: number, high: number, height: number, y: number): void => {
    const size = { height, diameterBottom: low, diameterTop: high, tessellation: 96 };
    const mesh = MeshBuilder.CreateCylinder("round", size, scene);
    mesh.parent = tip;
    mesh.position.y = y;
    show(look, mesh);
  };
  round(white, 0.15, 0.146, 0.022, 0.011);
  round(teal, 0.1, 0.05, 0.034, 0.039);
  round(steel, 0.024, 0.024, 0.42, 0.26);
}
