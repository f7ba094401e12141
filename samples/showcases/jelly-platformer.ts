// A jelly hops over cakes, for candies: with the arrow keys and the space bar, or by itself.

import {
  Color3,
  type Mesh,
  MeshBuilder,
  PhysicsAggregate,
  PhysicsMotionType,
  PhysicsShapeType,
  PointerEventTypes,
  Vector3,
  type AbstractEngine,
} from "@babylonjs/core";
import { PliantPlugin, SoftBodyAggregate, type PliantPluginOptions } from "babylon-pliant";
import { createStudio } from "../../site/examples/studio";

const G = 9.81;
/** Cakes: middle, height of the top and width [m]; the third one is of marshmallow, and the fourth goes up and down. */
const CAKES = [
  { x: -1.3, top: 0.3, wide: 0.56 },
  { x: -0.66, top: 0.5, wide: 0.4 },
  { x: 0, top: 0.36, wide: 0.46 },
  { x: 0.66, top: 0.5, wide: 0.4 },
  { x: 1.3, top: 0.74, wide: 0.56 },
];
const [SOFT, LIFT] = [2, 3];
const SIZE = 0.22;
const DENSITY = 500;
/** about, as its edges are round [kg] */
const MASS = 0.8 * DENSITY * SIZE ** 3;

export async function createScene(engine?: AbstractEngine, physics: PliantPluginOptions = {}) {
  const studio = await createStudio({
    engine,
    floor: "#9fc7cf",
    wall: "#d7eef0",
    glow: "rgba(255,255,255,0.85)",
    target: new Vector3(0, 0.5, 0),
    radius: 3.25,
    alpha: -1.5,
    beta: 1.34,
    aspect: 1.9,
  });
  const { scene, camera, paint, show } = studio;
  const plugin = await PliantPlugin.CreateAsync(studio.engine, physics);
  scene.enablePhysics(new Vector3(0, -G, 0), plugin);
  const ground = MeshBuilder.CreateGround("ground", { width: 14, height: 14 }, scene);
  ground.isVisible = false;
  new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0, friction: 0.6 }, scene);

  // Cakes of sponge with a layer of cream, and icing on top. The one that goes up and down takes the jelly along.
  const sponge = paint("#d99a54", { roughness: 0.85 });
  const cream = paint("#fff4e2", { roughness: 0.6 });
  const icings = ["#e8507a", "#7a4a2c", "#ffffff", "#3fa7a0", "#e8507a"].map((color) => {
    const icing = paint(color, { roughness: 0.25 });
    icing.clearCoat.isEnabled = true;
    return icing;
  });
  const round = (name: string, diameter: number, height: number, y: number): Mesh => {
    const mesh = MeshBuilder.CreateCylinder(name, { diameter, height, tessellation: 96 }, scene);
    mesh.position.y = y;
    return mesh;
  };
  const cakes = CAKES.map(({ x, top, wide }, k) => {
    // The soft one stands on a plate, and the lift is a slice.
    const height = k === SOFT ? 0.04 : k === LIFT ? 0.2 : top;
    const y = k === SOFT ? 0.1 : top - height / 2;
    const cake = round("cake", wide, height, y);
    cake.position.x = x;
    const layers =
      k === SOFT ? [] : [0.3, 0.62].map((part) => round("cream", 1.012 * wide, 0.022, (part - 0.5) * height));
    const cover = round("icing", 1.03 * wide, 0.03, height / 2 - 0.014);
    for (const layer of [...layers, cover]) layer.parent = cake;
    show(sponge, cake);
    show(cream, ...layers);
    show(k === SOFT ? cream : icings[k], cover);
    const { body } = new PhysicsAggregate(cake, PhysicsShapeType.CYLINDER, { mass: 0, friction: 0.9 }, scene);
    if (k === LIFT) {
      body.setMotionType(PhysicsMotionType.ANIMATED);
      body.disablePreStep = false;
    }
    return cake;
  });
  const stem = round("stem", 0.03, 0.5, -0.3);
  stem.parent = cakes[LIFT];
  show(paint("#f0c98a", { roughness: 0.3, metallic: 1 }), stem);

  // A cushion of marshmallow throws the jelly on.
  const cushion = pillow("marshmallow", CAKES[SOFT].wide, CAKES[SOFT].top - 0.12);
  cushion.position.set(CAKES[SOFT].x, 0.12 + (CAKES[SOFT].top - 0.12) / 2, 0);
  show(paint("#ffd9e4", { roughness: 0.75 }), cushion);
  const soft = new SoftBodyAggregate(
    cushion,
    { material: { youngsModulus: 25e3, density: 200, damping: 0.004 }, resolution: 4, friction: 0.9 },
    scene,
  );
  void soft.pinWhere(({ y }) => y < 0.14);

  // The hero, with eyes that ride on it.
  const green = paint("#58b947", { roughness: 0.12 });
  green.clearCoat.isEnabled = true;
  green.subSurface.isTranslucencyEnabled = true;
  green.subSurface.translucencyIntensity = 0.5;
  green.subSurface.tintColor = Color3.FromHexString("#58b947").toLinearSpace();
  const hero = pillow("hero", SIZE, SIZE);
  const start = new Vector3(CAKES[0].x, CAKES[0].top + 0.7 * SIZE, 0);
  hero.position.copyFrom(start);
  show(green, hero);
  let softness = 0.4;
  const material = () => ({
    youngsModulus: 40e3 * 0.1 ** softness,
    poissonRatio: 0.42,
    density: DENSITY,
    damping: 0.012,
  });
  const jelly = new SoftBodyAggregate(hero, { material: material(), resolution: 4, friction: 0.9 }, scene);
  const eyes = [-1, 1].map((side) => {
    const eye = MeshBuilder.CreateSphere("eye", { diameter: 0.062, segments: 24 }, scene);
    const pupil = MeshBuilder.CreateSphere("pupil", { diameter: 0.036, segments: 24 }, scene);
    pupil.position.z = -0.018;
    pupil.parent = eye;
    show(cream, eye);
    show(paint("#1d1a26", { roughness: 0.2 }), pupil);
    return { eye, side };
  });

  // Candies hang over the gaps.
  const candies = CAKES.slice(1).map(({ x, top }, k) => {
    const before = CAKES[k];
    const candy = MeshBuilder.CreateTorus("candy", { diameter: 0.1, thickness: 0.04, tessellation: 48 }, scene);
    candy.position.set((x + before.x) / 2, Math.max(top, before.top) + 0.42, 0);
    candy.rotation.x = Math.PI / 2;
    show(paint(["#f6c915", "#f27c38", "#e8507a", "#8d5bd1"][k], { roughness: 0.15 }), candy);
    return candy;
  });

  let [time, strength, isByItself] = [0, 1, true];
  let [waited, aim, hopped] = [0, 1, -1];
  const [place, speed, half] = [start.clone(), Vector3.Zero(), new Vector3(SIZE / 2, SIZE / 2, SIZE / 2)];
  // On a GPU the vertices arrive a frame or two later.
  let seen = 0;
  const look = async (): Promise<void> => {
    if (seen < 0) return;
    const [before, now] = [seen, time];
    seen = -1;
    const vertices = await jelly.readPositions();
    const [low, high] = [new Vector3(9, 9, 9), new Vector3(-9, -9, -9)];
    for (let i = 0; i < vertices.length; i += 3) {
      const vertex = Vector3.FromArray(vertices, i);
      low.minimizeInPlace(vertex);
      high.maximizeInPlace(vertex);
    }
    const middle = low.add(high).scaleInPlace(0.5);
    middle.subtractToRef(place, speed).scaleInPlace(1 / Math.max(now - before, 0.01));
    // It went back to the start.
    if (speed.length() > 15) speed.setAll(0);
    place.copyFrom(middle);
    high.subtractToRef(low, half).scaleInPlace(0.5);
    seen = now;
  };
  const keys = new Set<string>();
  const steer = (key: string): void => {
    keys.add(key);
    isByItself = false;
  };
  /** Height of the top of a cake. */
  const topOf = (k: number): number => (k === LIFT ? cakes[LIFT].position.y + 0.1 : CAKES[k].top);
  const isGrounded = (): boolean =>
    CAKES.some(({ x, wide }, k) => {
      const gap = place.y - half.y - topOf(k);
      return Math.abs(place.x - x) < wide / 2 + 0.06 && gap < 0.06 && gap > -0.15;
    });
  /** Throws the jelly so that it comes down at a place, half a meter over the higher of the two at most. */
  const hop = (x: number, y: number): void => {
    const rise = Math.max(0.3, y - place.y + 0.28);
    const up = Math.sqrt(2 * G * rise);
    hopped = time;
    const duration = (up + Math.sqrt(Math.max(0, up * up - 2 * G * (y - place.y)))) / G;
    jelly.setLinearVelocity(
      new Vector3((x - place.x) / duration, up, -place.z / duration).scaleInPlace(strength ** 0.5),
    );
  };
  const jump = (): void => {
    isByItself = false;
    if (!isGrounded() || time < hopped + 0.25) return;
    hopped = time;
    jelly.setLinearVelocity(new Vector3(speed.x, 2.7 * strength, 0));
  };
  scene.onKeyboardObservable.add(({ type, event }) => {
    if (type !== 1) return void keys.delete(event.key);
    if (event.key === " ") jump();
    else if (event.key.startsWith("Arrow")) steer(event.key);
  });
  // On a phone a tap beside the jelly is a hop to there.
  scene.onPointerObservable.add(({ pickInfo }) => {
    if (!pickInfo?.pickedPoint || !isGrounded()) return;
    isByItself = false;
    hop(pickInfo.pickedPoint.x, pickInfo.pickedPoint.y + SIZE / 2);
  }, PointerEventTypes.POINTERTAP);
  camera.inputs.removeByType("ArcRotateCameraKeyboardMoveInput");

  const toStart = (): void => {
    jelly.reset();
    place.copyFrom(start);
    for (const candy of candies) candy.setEnabled(true);
    aim = 1;
    waited = 0;
  };
  plugin.onBeforeStepObservable.add((dt) => {
    time += dt;
    cakes[LIFT].position.y = CAKES[LIFT].top - 0.1 + 0.12 * Math.sin(1.6 * time);
    void look();
    for (const candy of candies) {
      candy.rotation.y = 2 * time;
      if (Vector3.Distance(candy.position, place) < 0.2) candy.setEnabled(false);
    }
    if (place.y < 0.8 * SIZE && Math.abs(speed.y) < 0.3) return toStart();
    // It gathers speed towards the side that is asked for, and holds on to the cake that it lands on.
    const side = Number(keys.has("ArrowRight")) - Number(keys.has("ArrowLeft"));
    const holds = isGrounded() && time > hopped + 0.25;
    const wanted = side !== 0 ? 8 * (1.1 * side - speed.x) : holds ? -10 * speed.x : 0;
    jelly.applyForce(new Vector3(MASS * wanted, 0, holds ? -10 * MASS * speed.z : 0));
    if (keys.has("ArrowUp")) jump();
    if (!isByItself) return;
    // By itself: to the next cake once it has nearly come to rest, and from the last one back to the first.
    waited = isGrounded() && speed.length() < 0.5 ? waited + dt : 0;
    if (waited < 0.25) return;
    waited = 0;
    if (aim === CAKES.length) return toStart();
    hop(CAKES[aim].x, topOf(aim) + SIZE / 2);
    aim++;
  });
  // Eyes look where it goes.
  scene.onBeforeRenderObservable.add(() => {
    for (const { eye, side } of eyes) {
      eye.position.set(
        place.x + 0.055 * side + 0.02 * Math.sign(speed.x),
        place.y + 0.35 * half.y,
        place.z - 0.93 * half.z,
      );
      eye.rotation.set(-0.25 * Math.sign(speed.y), -0.35 * Math.sign(speed.x), 0);
    }
  });

  /** A box with round edges, from the poles of a sphere. */
  function pillow(name: string, wide: number, high: number): Mesh {
    const mesh = MeshBuilder.CreateSphere(name, { diameter: 1, segments: 28 }, scene);
    const positions = mesh.getVerticesData("position")!;
    for (let i = 0; i < positions.length; i += 3) {
      const power = (positions[i] ** 4 + positions[i + 1] ** 4 + positions[i + 2] ** 4) ** 0.25;
      for (let c = 0; c < 3; c++) positions[i + c] *= (0.5 / power) * (c === 1 ? high : wide);
    }
    mesh.setVerticesData("position", positions, true);
    mesh.createNormals(true);
    return mesh;
  }

  return {
    scene,
    controls: {
      jump: { press: jump },
      toStart: { press: toStart },
      softness: {
        value: softness,
        range: [0, 1] as const,
        set(value: number) {
          softness = value;
          jelly.setMaterial({ material: material() });
        },
      },
      strength: { value: strength, range: [0.5, 1.5] as const, set: (value: number) => void (strength = value) },
      byItself: { value: isByItself, set: (value: boolean) => void (isByItself = value) },
    },
  };
}
