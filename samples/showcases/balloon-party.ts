// Balloons on strings push one another, and rise to the ceiling when they are let go.

import {
  Color3,
  Mesh,
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Vector3,
  VertexBuffer,
  VertexData,
  type AbstractEngine,
  type Scene,
} from "@babylonjs/core";
import {
  AttachmentAggregate,
  ClothAggregate,
  ClothDragBehavior,
  fabrics,
  PliantPlugin,
  RopeAggregate,
  type Fabric,
  type PliantPluginOptions,
} from "babylon-pliant";
import { createStudio, type Studio } from "../../site/examples/studio";

/** radius of a balloon, height of the ceiling, m */
const [RADIUS, CEILING] = [0.18, 1.7];
/** s until the first balloon is let go, between two, and until all are back */
const [HELD, APART, LAP] = [1.6, 0.35, 9];
const COLORS = ["#e4344a", "#f7b52c", "#1f9fb5", "#f2709c", "#7d55c7", "#3aa655", "#ef7a2d"];

export async function createScene(engine?: AbstractEngine, physics: PliantPluginOptions = {}) {
  const studio = await createStudio({
    engine,
    floor: "#e6b98f",
    wall: "#f7dcd2",
    glow: "rgba(255,250,240,0.8)",
    target: new Vector3(0, 0.84, 0),
    radius: 3.25,
    alpha: -1.45,
    beta: 1.45,
    aspect: 1,
  });
  const { scene, camera, paint, show } = studio;
  const plugin = await PliantPlugin.CreateAsync(studio.engine, physics);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  camera.addBehavior(new ClothDragBehavior());

  // The ceiling: slats of wood, and one flat box that they hide.
  const ceiling = MeshBuilder.CreateBox("ceiling", { width: 6, height: 0.2, depth: 4 }, scene);
  ceiling.position.y = CEILING + 0.1;
  ceiling.isVisible = false;
  new PhysicsAggregate(ceiling, PhysicsShapeType.BOX, { mass: 0, friction: 0.3 }, scene);
  const oak = paint("#d9a771", { roughness: 0.6 });
  for (let k = -9; k <= 9; k++) {
    const slat = MeshBuilder.CreateBox("slat", { width: 0.11, height: 0.07, depth: 2.6 }, scene);
    slat.position.set(0.19 * k, CEILING + 0.035, 0.3);
    show(oak, slat);
  }

  const { gift, knot } = wrap(studio, {
    x: 0,
    z: 0,
    turn: 0.3,
    size: 0.42,
    height: 0.28,
    colors: ["#f7f1e6", "#d8344b"],
  });
  new PhysicsAggregate(gift, PhysicsShapeType.BOX, { mass: 0 }, scene);
  wrap(studio, { x: -0.62, z: 0.28, turn: -0.4, size: 0.3, height: 0.22, colors: ["#2a9d9a", "#fbe9c6"] });
  wrap(studio, { x: 0.56, z: 0.1, turn: 0.9, size: 0.24, height: 0.16, colors: ["#f3a33c", "#fff6e6"] });

  const latex: Fabric = {
    ...fabrics["rubber-sheet"],
    areaDensity: 0.2,
    stretchWarp: 600,
    stretchWeft: 600,
    shear: 200,
    friction: 0.3,
  };
  const thread = paint("#fff8ec", { roughness: 0.7 });
  const balloons = COLORS.map((color, k) => {
    const rubber = paint(color, { roughness: 0.16 });
    rubber.clearCoat.isEnabled = true;
    rubber.clearCoat.roughness = 0.05;
    rubber.subSurface.isTranslucencyEnabled = true;
    rubber.subSurface.translucencyIntensity = 0.3;
    rubber.subSurface.tintColor = Color3.FromHexString(color).toLinearSpace();
    const angle = (2 * Math.PI * k) / (COLORS.length - 1);
    const out = k === COLORS.length - 1 ? 0 : 0.4;
    const mesh = balloonMesh(scene);
    mesh.position.set(out * Math.cos(angle), out === 0 ? 1.22 : 0.98 + 0.07 * (k % 2), 0.8 * out * Math.sin(angle));
    show(rubber, mesh);
    // `gravityFactor` below zero: the balloon rises as if it were full of helium.
    const balloon = new ClothAggregate(
      mesh,
      { fabric: latex, pressure: 500, sealed: true, gravityFactor: -0.35, thickness: 0.006, substeps: 20 },
      scene,
    );
    const lowest = lowestOf(mesh);
    const end = Vector3.FromArray(mesh.getVerticesData(VertexBuffer.PositionKind)!, 3 * lowest).add(mesh.position);
    const string = new RopeAggregate(
      { path: [knot, end], radius: 0.0035, name: "string" },
      { segments: 14, substeps: 20, pins: [0], density: 700, bodyCollision: false, sides: 6 },
      scene,
    );
    show(thread, string.mesh);
    new AttachmentAggregate(
      { aggregate: string, vertices: [14], to: { aggregate: balloon, vertices: [lowest] } },
      scene,
    );
    return { balloon, string };
  });

  let [time, next, draft] = [0, 0, 0.5];
  const letGo = (): void => {
    if (next < balloons.length) balloons[next++].string.unpin([0]);
  };
  const gather = (): void => {
    [time, next] = [0, 0];
    for (const { balloon, string } of balloons) {
      // A GPU tells first where the end of the string is.
      void string.pin([0]).then(() => {
        balloon.reset();
        string.reset();
      });
    }
  };
  plugin.onBeforeStepObservable.add((dt) => {
    time += dt;
    if (time > HELD + APART * next) letGo();
    if (time > LAP) gather();
    for (const [k, { balloon }] of balloons.entries())
      balloon.setWind(new Vector3(Math.sin(1.3 * time + k), 0.1, Math.cos(0.9 * time + 2 * k)).scale(draft));
  });

  return {
    scene,
    controls: {
      letGo: { press: letGo },
      gather: { press: gather },
      draft: { value: draft, range: [0, 3] as const, unit: "m/s", set: (speed: number) => void (draft = speed) },
    },
  };
}

interface Gift {
  x: number;
  z: number;
  turn: number;
  size: number;
  height: number;
  /** of the paper and the ribbon */
  colors: [string, string];
}

/** A box with a ribbon, and the knot of its bow. */
function wrap(
  { scene, paint, show }: Studio,
  { x, z, turn, size, height, colors }: Gift,
): { gift: Mesh; knot: Vector3 } {
  const gift = MeshBuilder.CreateBox("gift", { width: size, height, depth: size }, scene);
  gift.position.set(x, height / 2, z);
  gift.rotation.y = turn;
  const part = (mesh: Mesh, y: number): Mesh => {
    mesh.parent = gift;
    mesh.position.y = y - height / 2;
    return mesh;
  };
  const wide = 1.07 * size;
  const lid = part(MeshBuilder.CreateBox("lid", { width: wide, height: 0.06, depth: wide }, scene), height - 0.01);
  show(paint(colors[0], { roughness: 0.5 }), gift, lid);
  const satin = paint(colors[1], { roughness: 0.3 });
  const [narrow, out, high] = [0.16 * size, wide + 0.004, height + 0.024];
  for (const [width, depth] of [
    [narrow, out],
    [out, narrow],
  ])
    show(satin, part(MeshBuilder.CreateBox("ribbon", { width, height: high, depth }, scene), high / 2));
  for (let k = 0; k < 6; k++) {
    const loop = MeshBuilder.CreateTorus("loop", { diameter: 0.2 * size, thickness: 0.05 * size }, scene);
    const angle = (Math.PI * k) / 3;
    loop.scaling.set(1, 2.2, 0.75);
    loop.rotation.set(1.1, angle, 0);
    part(loop, height + 0.05);
    loop.position.x = 0.12 * size * Math.sin(angle);
    loop.position.z = 0.12 * size * Math.cos(angle);
    show(satin, loop);
  }
  return { gift, knot: new Vector3(x, height + 0.07, z) };
}

/** A sphere that narrows to its mouth. */
function balloonMesh(scene: Scene): Mesh {
  const sphere = MeshBuilder.CreateIcoSphere("sphere", { radius: 1, subdivisions: 6, flat: false }, scene);
  const positions = sphere.getVerticesData(VertexBuffer.PositionKind)!;
  for (let i = 0; i < positions.length; i += 3) {
    const y = positions[i + 1];
    const narrow = y < 0 ? 1 - 0.25 * y ** 2 + 0.25 * y ** 5 : 1;
    positions[i] *= RADIUS * narrow;
    positions[i + 1] = RADIUS * (y < 0 ? 1.25 * y + 0.1 * y ** 9 : y);
    positions[i + 2] *= RADIUS * narrow;
  }
  const [indices, normals] = [sphere.getIndices()!, new Float32Array(positions.length)];
  VertexData.ComputeNormals(positions, indices, normals);
  const mesh = new Mesh("balloon", scene);
  Object.assign(new VertexData(), { positions, indices, normals }).applyToMesh(mesh);
  sphere.dispose();
  return mesh;
}

function lowestOf(mesh: Mesh): number {
  const places = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  let found = 0;
  for (let v = 0; 3 * v < places.length; v++) if (places[3 * v + 1] < places[3 * found + 1]) found = v;
  return found;
}
