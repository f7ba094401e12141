// Towels on a table: move them with the pointer, or with your hands in XR.

import {
  Engine,
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  TransformNode,
  Vector3,
  WebXRDefaultExperience,
  WebXRSessionManager,
  WebXRState,
  type AbstractEngine,
  type Mesh,
  type Scene,
} from "@babylonjs/core";
import {
  ClothAggregate,
  ClothDragBehavior,
  fabrics,
  PliantPlugin,
  type Fabric,
  type PliantPluginOptions,
} from "babylon-pliant";
import { createStudio, type Studio } from "../../site/examples/studio";

/** height of the table, and reach of a hand that closes, m */
const [TABLE, REACH] = [0.75, 0.055];
/** vertices of a towel */
const [COLUMNS, ROWS] = [18, 24];
/** s of a round of the hand that shows how */
const LAP = 8;

export async function createScene(engine?: AbstractEngine, physics: PliantPluginOptions = {}) {
  const hasXR = await WebXRSessionManager.IsSessionSupportedAsync("immersive-vr");
  // XR draws with WebGL.
  const own = hasXR && !engine ? new Engine(document.querySelector("canvas"), true, { xrCompatible: true }) : engine;
  const studio = await createStudio({
    engine: own,
    floor: "#b5aa9a",
    wall: "#dfe6e4",
    glow: "rgba(255,255,255,0.8)",
    target: new Vector3(0, 0.83, 0),
    radius: 2.1,
    alpha: -1.3,
    beta: 1.13,
    aspect: 1.25,
  });
  const { scene, camera, paint, weave, show } = studio;
  const plugin = await PliantPlugin.CreateAsync(studio.engine, physics);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  camera.addBehavior(new ClothDragBehavior());
  furnish(studio);

  const terry: Fabric = {
    ...fabrics.cotton,
    areaDensity: 0.35,
    bendingWarp: 8e-5,
    bendingWeft: 8e-5,
    bendingDamping: 0.05,
    friction: 0.6,
  };
  const towel = (x: number, y: number, z: number, turn: number, [ground, line]: string[]): ClothAggregate => {
    const size = { width: 0.42, height: 0.58, subdivisionsX: COLUMNS - 1, subdivisionsY: ROWS - 1 };
    const mesh = MeshBuilder.CreateGround("towel", size, scene);
    mesh.position.set(x, y, z);
    mesh.rotation.y = turn;
    const look = weave(ground, (context) => terryCloth(context, ground, line));
    look.sheen.intensity = 0.6;
    show(look, mesh);
    return new ClothAggregate(mesh, { fabric: terry, selfCollision: true, substeps: 12, damping: 0.4 }, scene);
  };
  const towels = [
    towel(-0.06, TABLE + 0.012, -0.06, 0.08, ["#e9e2d2", "#2f5d73"]),
    towel(0.48, TABLE + 0.2, 0.02, 1.35, ["#d9805f", "#fff2df"]),
    towel(-0.5, TABLE + 0.53, 0.26, 0, ["#5f9a93", "#eef4ee"]),
  ];

  // A hand that closes takes what is within its reach.
  const hand = (name: string): Hand => {
    const node = new TransformNode(name, scene);
    const palm = MeshBuilder.CreateSphere("palm", { diameterX: 0.075, diameterY: 0.03, diameterZ: 0.085 }, scene);
    const skin = paint("#f4f6f5", { roughness: 0.55 });
    show(skin, palm);
    palm.parent = node;
    palm.position.set(0, 0.05, 0.06);
    const fingers = [-0.028, -0.01, 0.01, 0.028, 0].map((x, k) => {
      const length = k === 4 ? 0.06 : 0.085;
      const finger = MeshBuilder.CreateCapsule("finger", { radius: 0.0085, height: length, tessellation: 20 }, scene);
      finger.setPivotPoint(new Vector3(0, length / 2, 0));
      finger.position.set(x, 0.045 - length / 2, k === 4 ? 0.03 : 0.02);
      finger.parent = node;
      show(skin, finger);
      return finger;
    });
    return { node, fingers, held: new Set(), isClosed: false };
  };
  const close = async (by: Hand): Promise<void> => {
    by.isClosed = true;
    const at = by.node.getAbsolutePosition().clone();
    await Promise.all(
      towels.map(async (cloth) => {
        const places = await cloth.readPositions();
        const distance = (v: number, to: Vector3): number => Vector3.Distance(Vector3.FromArray(places, 3 * v), to);
        const all = [...Array(places.length / 3).keys()];
        const first = all.reduce((best, v) => (distance(v, at) < distance(best, at) ? v : best));
        if (distance(first, at) > REACH || !by.isClosed) return;
        by.held.add(cloth);
        // not the layers below
        const apart = (v: number): number =>
          Math.max(Math.abs((v % COLUMNS) - (first % COLUMNS)), Math.abs(rowOf(v) - rowOf(first)));
        await cloth.attach(
          all.filter((v) => apart(v) <= 2),
          by.node,
        );
      }),
    );
  };
  const open = (by: Hand): void => {
    by.isClosed = false;
    for (const cloth of by.held) cloth.detach(by.node);
    by.held.clear();
  };

  // Until somebody else does, a hand folds the first towel again and again.
  const guide = hand("guide");
  const home = new Vector3(0.3, TABLE + 0.42, -0.5);
  guide.node.position.copyFrom(home);
  const corners = [COLUMNS * (ROWS - 1), COLUMNS * ROWS - 1];
  let [isShown, time, round] = [true, 0, 0];
  let [from, to, flat] = [home, home, home];
  const plan = async (): Promise<void> => {
    const places = await towels[0].readPositions();
    const at = (v: number): Vector3 => Vector3.FromArray(places, 3 * v).add(new Vector3(0, 0.012, 0));
    const corner = corners[(round >> 1) % 2];
    from = at(corner);
    if (round % 2 === 0) {
      flat = from;
      to = Vector3.Lerp(from, at((COLUMNS * ROWS) / 2 - (corner === corners[0] ? COLUMNS / 3 : -COLUMNS / 3)), 0.9);
    } else to = flat;
    round++;
  };
  plugin.onBeforeStepObservable.add((dt) => {
    if (!isShown) return;
    const before = time;
    time += dt;
    const passes = (moment: number): boolean => before < moment && time >= moment;
    if (passes(0.4)) void plan();
    if (passes(1.7)) void close(guide);
    if (passes(4.2)) open(guide);
    if (time > LAP) time = 0;
    const lift = new Vector3(0, 0.2 * Math.sin(Math.PI * smooth((time - 1.9) / 2.1)), 0);
    const path = Vector3.Lerp(Vector3.Lerp(home, from, smooth(time - 0.6)), to, smooth((time - 1.9) / 2.1)).add(lift);
    guide.node.position = Vector3.Lerp(path, home, smooth((time - 4.4) / 1.2));
    const bend = time > 1.5 && time < 4.3 ? 0.45 : 0.05;
    for (const [k, finger] of guide.fingers.entries())
      finger.rotation.x += 0.2 * ((k === 4 ? -bend : bend) - finger.rotation.x);
  });

  if (hasXR) await enterXR(scene, { hand, close, open, begin: () => dismiss() });
  const dismiss = (): void => {
    isShown = false;
    open(guide);
    guide.node.setEnabled(false);
  };

  return {
    scene,
    controls: {
      guide: {
        value: true,
        set(value: boolean) {
          if (!value) return dismiss();
          [isShown, time] = [true, 0];
          guide.node.setEnabled(true);
        },
      },
      again: {
        press() {
          open(guide);
          time = 0;
          for (const cloth of towels) cloth.reset();
        },
      },
    },
  };
}

const rowOf = (v: number): number => Math.floor(v / COLUMNS);

interface Hand {
  node: TransformNode;
  fingers: Mesh[];
  held: Set<ClothAggregate>;
  isClosed: boolean;
}

interface Hands {
  hand(name: string): Hand;
  close(by: Hand): Promise<void>;
  open(by: Hand): void;
  begin(): void;
}

/** A button that enters XR; controllers and tracked hands pinch. */
async function enterXR(scene: Scene, { hand, close, open, begin }: Hands): Promise<void> {
  const xr = await WebXRDefaultExperience.CreateAsync(scene, {
    disableTeleportation: true,
    disablePointerSelection: true,
    disableNearInteraction: true,
    // Hands pinch as controllers do; Babylon's feature would load models of them.
    disableHandTracking: true,
    optionalFeatures: ["hand-tracking"],
    inputOptions: { doNotLoadControllerMeshes: true, disableOnlineControllerRepository: true },
  });
  // At the table, not in the middle of it.
  const { camera: eyes, onStateChangedObservable } = xr.baseExperience;
  onStateChangedObservable.add((state) => {
    if (state !== WebXRState.IN_XR) return;
    scene.onAfterRenderObservable.addOnce(() => {
      eyes.position.set(0, eyes.position.y, -0.75);
      eyes.rotationQuaternion.set(0, 0, 0, 1);
    });
  });
  const hands = new Map<XRInputSource, Hand>();
  xr.input.onControllerAddedObservable.add(({ inputSource, grip, pointer, uniqueId }) => {
    const made = hand(uniqueId);
    made.node.parent = grip ?? pointer;
    hands.set(inputSource, made);
  });
  xr.input.onControllerRemovedObservable.add(({ inputSource }) => {
    const gone = hands.get(inputSource);
    if (gone) open(gone);
    gone?.node.dispose();
    hands.delete(inputSource);
  });
  xr.baseExperience.sessionManager.onXRSessionInit.add((session) => {
    begin();
    const of = (event: XRInputSourceEvent): Hand | undefined => hands.get(event.inputSource);
    for (const kind of ["select", "squeeze"] as const) {
      session.addEventListener(`${kind}start`, (event) => {
        const by = of(event);
        if (by) void close(by);
      });
      session.addEventListener(`${kind}end`, (event) => {
        const by = of(event);
        if (by) open(by);
      });
    }
  });
}

/** From 0 to 1 without a jerk. */
function smooth(t: number): number {
  const s = Math.min(1, Math.max(0, t));
  return s * s * (3 - 2 * s);
}

/** A table, a rail on it, a bowl and soap. */
function furnish({ scene, paint, show }: Studio): void {
  const oak = paint("#b98a5c", { roughness: 0.5 });
  const { BOX, SPHERE, CAPSULE } = PhysicsShapeType;
  const fixed = { mass: 0, friction: 0.6 };
  const top = MeshBuilder.CreateBox("top", { width: 1.5, height: 0.04, depth: 0.84 }, scene);
  top.position.y = TABLE - 0.02;
  show(oak, top);
  new PhysicsAggregate(top, BOX, fixed, scene);
  for (const x of [-0.68, 0.68])
    for (const z of [-0.35, 0.35]) {
      const leg = MeshBuilder.CreateCylinder(
        "leg",
        { height: TABLE - 0.04, diameterTop: 0.055, diameterBottom: 0.035 },
        scene,
      );
      leg.position.set(x, (TABLE - 0.04) / 2, z);
      show(oak, leg);
    }
  const brass = paint("#c79a4b", { roughness: 0.25, metallic: 1 });
  const rail = MeshBuilder.CreateCapsule("rail", { radius: 0.013, height: 0.6, tessellation: 32 }, scene);
  rail.rotation.z = Math.PI / 2;
  rail.position.set(-0.5, TABLE + 0.5, 0.26);
  show(brass, rail);
  new PhysicsAggregate(rail, CAPSULE, fixed, scene);
  for (const x of [-0.77, -0.23]) {
    const post = MeshBuilder.CreateCylinder("post", { height: 0.5, diameter: 0.016 }, scene);
    post.position.set(x, TABLE + 0.25, 0.26);
    const foot = MeshBuilder.CreateCylinder("foot", { height: 0.012, diameter: 0.11, tessellation: 48 }, scene);
    foot.position.set(x, TABLE + 0.006, 0.26);
    show(brass, post, foot);
  }
  const bowl = MeshBuilder.CreateSphere("bowl", { diameter: 0.26, segments: 48 }, scene);
  bowl.position.set(0.48, TABLE + 0.02, 0.02);
  show(paint("#f6f4ef", { roughness: 0.2 }), bowl);
  new PhysicsAggregate(bowl, SPHERE, fixed, scene);
  const soap = MeshBuilder.CreateCapsule(
    "soap",
    { radius: 0.026, height: 0.1, orientation: Vector3.Right(), tessellation: 32 },
    scene,
  );
  soap.position.set(0.02, TABLE + 0.026, 0.3);
  show(paint("#e8c7b0", { roughness: 0.35 }), soap);
  const jar = MeshBuilder.CreateCylinder("jar", { height: 0.16, diameter: 0.09, tessellation: 64 }, scene);
  jar.position.set(0.2, TABLE + 0.08, 0.29);
  show(paint("#7d5a44", { roughness: 0.2 }), jar);
}

/** Loops of yarn, and borders with bands. */
function terryCloth(context: CanvasRenderingContext2D, ground: string, line: string): void {
  context.fillStyle = ground;
  context.fillRect(0, 0, 1024, 1024);
  for (let k = 0; k < 16000; k++) {
    context.fillStyle = k % 2 ? "rgba(0,0,0,0.06)" : "rgba(255,255,255,0.12)";
    context.fillRect((k * 7919) % 1024, (k * 104729) % 1021, 5, 5);
  }
  context.fillStyle = line;
  for (const y of [70, 110, 130, 870, 890, 920]) context.fillRect(0, y, 1024, y % 100 === 70 || y === 920 ? 26 : 9);
}
