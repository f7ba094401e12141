// A gripper pinches a napkin, lifts it off a tray and lays it over the bread in a basket.

import {
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  TransformNode,
  Vector3,
  VertexBuffer,
  type AbstractEngine,
  type Mesh,
  type Scene,
} from "@babylonjs/core";
import {
  ArticulationAggregate,
  ClothAggregate,
  ClothDragBehavior,
  PliantPlugin,
  SmoothMesh,
  type HierarchyLink,
  type PliantPluginOptions,
} from "babylon-pliant";
import { createStudio, type Studio } from "../../site/examples/studio";

/** side of the napkin, m, and its segments */
const [SIDE, SEGMENTS] = [0.44, 20];
/** where the napkin lies and where it is laid; height of the tray, half a side of the basket and its height, m */
const [FROM, TO] = [-0.23, 0.23];
const [TRAY, BASKET, DEEP] = [0.024, 0.125, 0.085];
/** height of the tips that take the napkin, m */
const LOW = TRAY + 0.005;
/** height of the pleat that stands in the middle of the napkin at first, half its width, m */
const [PLEAT, GAP] = [0.075, 0.004];
/** half extents of a finger, half the distance between the middles of those at the pleat, m */
const FINGER = [0.009, 0.055, 0.02] as const;
const OPEN = 0.026;
/** height of the tips while the hand travels, height of its rail, m */
const [HIGH, RAIL] = [0.5, 0.72];
/** masses of carriage, hand and finger, kg */
const [CARRIAGE, HAND, LIGHT] = [0.4, 0.5, 0.1];
/** force of a finger, N */
const GRIP = 15;
/** s of a turn */
const TURN = 8.2;

export async function createScene(engine?: AbstractEngine, physics: PliantPluginOptions = {}) {
  const studio = await createStudio({
    engine,
    floor: "#c9a98a",
    wall: "#d9dfd2",
    glow: "rgba(255,250,238,0.9)",
    target: new Vector3(-0.01, 0.235, 0),
    radius: 1.4,
    alpha: -1.25,
    beta: 1.22,
    aspect: 1.45,
  });
  const { scene, camera, paint, weave, show } = studio;
  const plugin = await PliantPlugin.CreateAsync(studio.engine, physics);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  camera.addBehavior(new ClothDragBehavior());

  const ground = MeshBuilder.CreateBox("ground", { width: 4, height: 0.1, depth: 4 }, scene);
  ground.position.y = -0.05;
  ground.isVisible = false;
  new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0, friction: 0.5 }, scene);

  // Cloth slides on the glaze of the tray, so that fingers can push a fold together.
  const tray = MeshBuilder.CreateBox("tray", { width: 0.46, height: TRAY, depth: 0.46 }, scene);
  tray.position.set(FROM, TRAY / 2, 0);
  const glaze = paint("#3f7f8c", { roughness: 0.25 });
  glaze.clearCoat.isEnabled = true;
  show(glaze, tray);
  new PhysicsAggregate(tray, PhysicsShapeType.BOX, { mass: 0, friction: 0.1 }, scene);

  addBasket(studio);

  const sheet = pleated(scene);
  sheet.position.set(FROM, TRAY + 0.003, 0);
  sheet.isVisible = false;
  const napkin = new ClothAggregate(sheet, { fabric: "cotton" }, scene);
  const drawn = new SmoothMesh(napkin, { levels: 2 });
  show(weave("#fbf6ea", checks), drawn.mesh);

  const hand = addHand(studio);
  let [time, force] = [0, GRIP];
  plugin.onBeforeStepObservable.add((dt) => {
    time += dt;
    if (time > TURN) {
      time = 0;
      napkin.reset();
    }
    const x = FROM + (TO - FROM) * part(time, 2, 1.5);
    const lay = DEEP + 0.07;
    const y = LOW + (HIGH - LOW) * part(time, 0.8, 1.2) + (lay - HIGH) * (part(time, 3.6, 1) - part(time, 5.1, 1));
    const closed = part(time, 0, 0.3) - 2 * part(time, 4.7, 0.3);
    hand.move(x, y, closed * force);
  });

  return {
    scene,
    controls: {
      grip: { value: GRIP, range: [2, 30] as const, unit: "N", set: (value: number) => void (force = value) },
      again: { press: () => void (time = TURN) },
    },
  };
}

/** 0 before `from`, 1 after, smooth in between. */
function part(time: number, from: number, duration: number): number {
  const s = Math.min(1, Math.max(0, (time - from) / duration));
  return s * s * (3 - 2 * s);
}

/** A square with a pleat across its middle. */
function pleated(scene: Scene): Mesh {
  const mesh = MeshBuilder.CreateGround("napkin", { width: SIDE, height: SIDE, subdivisions: SEGMENTS }, scene);
  const places = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  for (let i = 0; i < places.length; i += 3) {
    const way = Math.abs(places[i]);
    places[i + 1] = Math.max(0, PLEAT - way);
    places[i] = Math.sign(places[i]) * (Math.max(0, way - PLEAT) + GAP * Math.min(1, way / GAP));
  }
  mesh.setVerticesData(VertexBuffer.PositionKind, places);
  mesh.createNormals(false);
  return mesh;
}

/** Red stripes along both sides of a napkin, with a broad border. */
function checks(context: CanvasRenderingContext2D): void {
  context.fillStyle = "#fbf6ea";
  context.fillRect(0, 0, 1024, 1024);
  context.fillStyle = "rgba(190,40,45,0.62)";
  for (const [at, wide] of [
    [70, 64],
    [160, 14],
    [850, 14],
    [890, 64],
  ]) {
    context.fillRect(at, 0, wide, 1024);
    context.fillRect(0, at, 1024, wide);
  }
}

/** Four walls that lean outward, and bread between them. */
function addBasket({ scene, paint, show }: Studio): void {
  const wicker = paint("#c79a62", { roughness: 0.7 });
  for (let k = 0; k < 4; k++) {
    const [c, s] = [Math.cos((Math.PI * k) / 2), Math.sin((Math.PI * k) / 2)];
    const wall = MeshBuilder.CreateBox("wall", { width: 2 * BASKET + 0.02, height: DEEP, depth: 0.012 }, scene);
    wall.position.set(TO + BASKET * s, DEEP / 2, BASKET * c);
    wall.rotation.set(0.3, (Math.PI * k) / 2, 0);
    show(wicker, wall);
    new PhysicsAggregate(wall, PhysicsShapeType.BOX, { mass: 0, friction: 0.6 }, scene);
  }
  const crust = paint("#c8843f", { roughness: 0.6 });
  for (let k = 0; k < 5; k++) {
    const roll = MeshBuilder.CreateSphere("roll", { diameter: 0.1, segments: 24 }, scene);
    const angle = (2 * Math.PI * k) / 4 + 0.6;
    const away = k < 4 ? 0.062 : 0;
    roll.position.set(TO + away * Math.cos(angle), k < 4 ? 0.042 : 0.09, away * Math.sin(angle));
    roll.scaling.set(1.15, 0.8, 0.9);
    roll.rotation.y = 1.3 * k;
    show(crust, roll);
    new PhysicsAggregate(roll, PhysicsShapeType.CONVEX_HULL, { mass: 0, friction: 0.6 }, scene);
  }
}

interface Hand {
  /** Drives the hand along its rail, its tips to a height, and presses the fingers together, N. */
  move(x: number, y: number, grip: number): void;
}

/** A mechanism: a carriage on a rail, a rod with the hand, and two fingers that slide toward each other. */
function addHand(studio: Studio): Hand {
  const { scene, paint, show } = studio;
  const steel = paint("#d5d9da", { roughness: 0.22, metallic: 1 });
  const dark = paint("#2f3437", { roughness: 0.45 });
  const rubber = paint("#e2622b", { roughness: 0.55 });
  const node = (name: string, parent: TransformNode | null, x: number, y: number): TransformNode => {
    const made = new TransformNode(name, scene);
    made.parent = parent;
    made.position.set(x, y, 0);
    return made;
  };
  const carriage = node("carriage", null, FROM, RAIL);
  /** the node of the hand is at the height of the tips */
  const hand = node("hand", carriage, 0, LOW - RAIL);
  const long = 2 * FINGER[1];

  const rail = MeshBuilder.CreateBox("rail", { width: 3, height: 0.05, depth: 0.05 }, scene);
  rail.position.set(0, RAIL, 0.055);
  const block = rounded(scene, 0.12, 0.09, 0.012, 0.09);
  block.parent = carriage;
  const rod = MeshBuilder.CreateCylinder("rod", { height: 0.9, diameter: 0.028, tessellation: 48 }, scene);
  rod.parent = hand;
  rod.position.y = long + 0.47;
  const palm = rounded(scene, 0.17, 0.05, 0.016, 0.036);
  palm.parent = hand;
  palm.position.y = long + 0.018;
  const collar = MeshBuilder.CreateCylinder("collar", { height: 0.03, diameter: 0.046, tessellation: 48 }, scene);
  collar.parent = hand;
  collar.position.y = long + 0.05;
  show(steel, rod, collar);
  rail.material = steel;
  show(dark, block, palm);

  const slide = (axis: readonly [number, number, number], load: number) =>
    ({ type: "prismatic", axis, damping: 50 * load }) as const;
  const total = CARRIAGE + HAND + 2 * LIGHT;
  const links: Record<string, HierarchyLink> = {
    carriage: { joint: slide([1, 0, 0], total), mass: CARRIAGE, shapes: [] },
    hand: { joint: slide([0, 1, 0], total), mass: HAND, shapes: [] },
  };
  const fingers = [-1, 1].map((side) => {
    const name = side < 0 ? "left" : "right";
    const finger = node(name, hand, side * OPEN, FINGER[1]);
    const pad = rounded(scene, 2 * FINGER[0], 2 * FINGER[2], 0.007, long);
    pad.parent = finger;
    show(rubber, pad);
    const shape = { type: "box", halfExtents: FINGER } as const;
    links[name] = {
      joint: { ...slide([-side, 0, 0], LIGHT), lower: -0.035, upper: OPEN, name },
      mass: LIGHT,
      shapes: [{ shape, friction: 1.5 }],
    };
    return name;
  });
  const gripper = ArticulationAggregate.fromHierarchy(carriage, links, { friction: 1.5 }, scene);
  const stiffness = 400 * total;
  return {
    move(x, y, grip) {
      gripper.setControl("carriage", stiffness * (x - FROM - gripper.getPosition("carriage")[0]));
      const weight = 9.81 * (HAND + 2 * LIGHT);
      gripper.setControl("hand", weight + stiffness * (y - LOW - gripper.getPosition("hand")[0]));
      for (const finger of fingers) gripper.setControl(finger, grip);
    },
  };
}

/** A box with rounded upright edges. */
function rounded(scene: Scene, width: number, depth: number, radius: number, height: number): Mesh {
  const shape: Vector3[] = [];
  for (let k = 0; k <= 48; k++) {
    const angle = (2 * Math.PI * (k + 0.5)) / 48;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    const x = Math.sign(c) * (width / 2 - radius) + radius * c;
    shape.push(new Vector3(x, Math.sign(s) * (depth / 2 - radius) + radius * s, 0));
  }
  const path = [new Vector3(0, -height / 2, 0), new Vector3(0, height / 2, 0)];
  return MeshBuilder.ExtrudeShape("part", { shape, path, cap: 3 }, scene);
}
