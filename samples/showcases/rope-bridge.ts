// A crane lowers a crate on a bridge of planks that hangs on ropes.

import {
  Color3,
  Mesh,
  MeshBuilder,
  PhysicsAggregate,
  PhysicsShapeType,
  Scene,
  Vector3,
  VertexBuffer,
  type AbstractEngine,
  type PBRMaterial,
} from "@babylonjs/core";
import {
  AttachmentAggregate,
  ClothDragBehavior,
  PliantPlugin,
  RopeAggregate,
  type PliantPluginOptions,
} from "babylon-pliant";
import { createStudio, type Studio } from "../../site/examples/studio";

/** half of the span, height of its ends, sag, half of the width, height of the hand ropes above the planks, m */
const [HALF, DECK, SAG, WIDE, RAIL] = [1.2, 0.95, 0.17, 0.27, 0.36];
const PLANKS = 15;
/** tip of the crane, and the drum of its winch, m */
const TIP = new Vector3(0.08, 2.1, 0);
const DRUM = new Vector3(1.98, 2.02, 0.34);
/** edges of the cable, and their length, m */
const [LINKS, LINK] = [40, 0.04];
/** m of cable outside while the crate is up, and down; s of a round */
const [UP, DOWN, LAP] = [0.56, 0.92, 10];

export async function createScene(engine?: AbstractEngine, physics: PliantPluginOptions = {}) {
  const sky = "#f2dcc2";
  const studio = await createStudio({
    engine,
    floor: "#7fa39f",
    wall: sky,
    glow: "rgba(255,248,232,0.9)",
    target: new Vector3(0.36, 1.16, 0),
    radius: 5.5,
    alpha: -1.25,
    beta: 1.33,
    sun: -0.8,
    aspect: 1.55,
  });
  const { scene, camera, paint, show } = studio;
  const plugin = await PliantPlugin.CreateAsync(studio.engine, physics);
  scene.enablePhysics(new Vector3(0, -9.81, 0), plugin);
  camera.addBehavior(new ClothDragBehavior());
  scene.lights[0].intensity = 3.6;
  scene.fogMode = Scene.FOGMODE_LINEAR;
  scene.fogColor = Color3.FromHexString(sky).toLinearSpace().scale(1.5);
  [scene.fogStart, scene.fogEnd] = [5.8, 26];
  addBanks(studio);
  addCrane(studio);

  const hangs = (x: number): number => DECK - SAG * (1 - (x / HALF) ** 2);
  const pine = ["#c9935c", "#b57c48", "#d3a26c"].map((color) => paint(color, { roughness: 0.75 }));
  const step = (2 * HALF) / PLANKS;
  const planks = Array.from({ length: PLANKS }, (_, k) => {
    const x = step * (k + 0.5) - HALF;
    const size = { width: step - 0.022, height: 0.028, depth: 2 * WIDE + 0.1 };
    const plank = MeshBuilder.CreateBox("plank", size, scene);
    plank.position.set(x, hangs(x), 0);
    plank.rotation.z = Math.atan((2 * SAG * x) / HALF ** 2);
    show(pine[(k * k) % 3], plank);
    return new PhysicsAggregate(plank, PhysicsShapeType.BOX, { mass: 0.8, friction: 0.8 }, scene);
  });

  // Two ropes carry the planks, and two are for the hands. The solver `newton` solves ropes, planks and crate as one
  // system, so light planks bear a heavy crate.
  const hemp = paint("#dcc08a", { roughness: 0.9 });
  const strong = { solver: "newton", density: 900, elasticDamping: 0.02 } as const;
  const count = 2 * PLANKS;
  const along = (z: number, above: number): Vector3[] =>
    Array.from({ length: count + 1 }, (_, k) => {
      const x = HALF * ((2 * k) / count - 1);
      return new Vector3(x, hangs(x) + above, z);
    });
  for (const z of [-WIDE, WIDE]) {
    const [low, high] = [along(z, -0.035), along(z, RAIL)];
    const tied = { ...strong, segments: count, pins: [0, count] };
    const deck = new RopeAggregate({ path: low, radius: 0.014, name: "deck rope" }, tied, scene);
    const rail = new RopeAggregate({ path: high, radius: 0.011, name: "hand rope" }, tied, scene);
    show(hemp, deck.mesh, rail.mesh);
    for (const [k, { body }] of planks.entries()) {
      const at = 2 * k + 1;
      new AttachmentAggregate({ aggregate: deck, vertices: [at], to: { body } }, scene);
      if (k % 2 === 0) continue;
      const hanger = new RopeAggregate(
        { path: [high[at], low[at]], radius: 0.006, name: "hanger" },
        { ...strong, segments: 3, sides: 8 },
        scene,
      );
      show(hemp, hanger.mesh);
      new AttachmentAggregate({ aggregate: hanger, vertices: [0], to: { aggregate: rail, vertices: [at] } }, scene);
      new AttachmentAggregate({ aggregate: hanger, vertices: [3], to: { body } }, scene);
    }
  }

  // The crate on the cable. The cable begins at the boom, and its points there are held.
  const crate = addCrate(studio);
  crate.position.set(TIP.x, TIP.y - UP - 0.3, 0);
  crate.rotation.y = 0.35;
  const load = new PhysicsAggregate(crate, PhysicsShapeType.BOX, { mass: 6, friction: 0.7 }, scene);
  load.body.setAngularDamping(1);
  const inward = DRUM.subtract(TIP).normalize();
  const inside = (way: number): Vector3 => TIP.add(inward.scale(way));
  const hook = new Vector3(TIP.x, TIP.y - UP, 0);
  const cable = new RopeAggregate(
    { path: [inside(LINKS * LINK - UP), TIP, hook], radius: 0.008, name: "cable" },
    { ...strong, segments: LINKS, density: 3000, damping: 0.3 },
    scene,
  );
  const steel = paint("#3d4247", { roughness: 0.45, metallic: 0.6 });
  show(steel, cable.mesh);
  new AttachmentAggregate({ aggregate: cable, vertices: [LINKS], to: { body: load.body } }, scene);
  const rest = MeshBuilder.CreateTube("rest", { path: [inside(0.1), DRUM], radius: 0.007, tessellation: 10 }, scene);
  show(steel, rest);

  const held = new Set<number>();
  const wind = (outside: number): void => {
    for (let k = 0; k < LINKS - 1; k++) {
      const way = (LINKS - k) * LINK - outside;
      if (way > 0 && !held.has(k)) void cable.pin([k]).then(() => held.add(k));
      else if (way <= 0 && held.delete(k)) cable.unpin([k]);
      if (held.has(k)) cable.setPinPosition(k, inside(way));
    }
  };
  wind(UP);

  let [time, isWorking, outside] = [0, true, UP];
  plugin.onBeforeStepObservable.add((dt) => {
    time += dt;
    const s = (time % LAP) / LAP;
    const wanted = isWorking && s > 0.06 && s < 0.6 ? DOWN : UP;
    // m/s of the winch
    const most = 0.26 * dt;
    outside += Math.max(-most, Math.min(most, wanted - outside));
    wind(outside);
  });

  return {
    scene,
    controls: {
      work: { value: true, set: (value: boolean) => void (isWorking = value) },
      load: { value: 6, range: [1, 20] as const, unit: "kg", set: (mass: number) => setMass(load, mass) },
    },
  };
}

function setMass({ body }: PhysicsAggregate, mass: number): void {
  const properties = body.getMassProperties();
  const part = mass / properties.mass!;
  body.setMassProperties({ ...properties, mass, inertia: properties.inertia!.scale(part) });
}

/** Cliffs at both ends with posts that hold the ropes, trees, and stones in the river. */
function addBanks({ scene, paint, show }: Studio): void {
  const stone = paint("#a89a8a", { roughness: 0.95 });
  const grass = paint("#86a659", { roughness: 1 });
  const wood = paint("#7d5434", { roughness: 0.8 });
  const leaves = ["#4e7d58", "#5f8f5c"].map((color) => paint(color, { roughness: 0.95 }));
  const river = MeshBuilder.CreateGround("river", { width: 60, height: 60 }, scene);
  river.position.y = 0.004;
  river.isPickable = false;
  const water = paint("#2b6f78", { roughness: 0.16 });
  river.material = water;
  river.receiveShadows = true;
  for (const side of [-1, 1]) {
    const layers = [
      { y: 0, height: 0.5, low: 2.35, high: 2.12 },
      { y: 0.46, height: 0.38, low: 2.2, high: 2.0 },
    ];
    for (const [k, { y, height, low, high }] of layers.entries()) {
      const rock = flat(
        MeshBuilder.CreateCylinder(
          "rock",
          { height, diameterBottom: low, diameterTop: high, tessellation: 8, subdivisions: 2 },
          scene,
        ),
        0.05,
        k + side,
      );
      rock.position.set(side * (HALF + 1.03), y + height / 2, 0.1);
      rock.rotation.y = Math.PI / 8;
      show(stone, rock);
    }
    const turf = flat(
      MeshBuilder.CreateCylinder(
        "turf",
        { height: 0.07, diameterBottom: 2.0, diameterTop: 1.92, tessellation: 8 },
        scene,
      ),
      0,
      0,
    );
    turf.position.set(side * (HALF + 1.03), DECK - 0.045, 0.1);
    turf.rotation.y = Math.PI / 8;
    show(grass, turf);
    for (const z of [-WIDE, WIDE]) {
      const post = MeshBuilder.CreateCylinder("post", { height: 0.56, diameter: 0.07, tessellation: 32 }, scene);
      post.position.set(side * (HALF + 0.03), DECK + 0.16, z);
      const cap = MeshBuilder.CreateSphere("cap", { diameter: 0.085, segments: 16 }, scene);
      cap.position.set(side * (HALF + 0.03), DECK + 0.44, z);
      show(wood, post, cap);
    }
    const trees =
      side < 0
        ? [
            [-1.75, 0.55, 1],
            [-2.3, 0.25, 0.75],
            [-2.15, 0.75, 1.25],
          ]
        : [
            [2.75, 0.7, 1.1],
            [2.7, -0.25, 0.7],
          ];
    for (const [k, [x, z, size]] of trees.entries()) tree(x, z, size, leaves[k % 2]);
  }
  const places = [
    [-0.55, -0.75, 0.1],
    [-0.42, -0.62, 0.06],
    [0.5, 0.9, 0.12],
    [0.1, -1.3, 0.05],
    [-0.2, 1.5, 0.09],
  ];
  const hills = paint("#7f9a6d", { roughness: 1 });
  for (const [x, z, wide, height] of [
    [-7, 12, 9, 2.6],
    [-1.5, 14, 8, 1.9],
    [5, 13, 10, 3.1],
    [11, 11, 8, 2.2],
    [-13, 10, 8, 1.8],
  ]) {
    const hill = flat(
      MeshBuilder.CreateCylinder(
        "hill",
        { height, diameterBottom: wide, diameterTop: 0.3 * wide, tessellation: 11, subdivisions: 2 },
        scene,
      ),
      0.35,
      x,
    );
    hill.position.set(x, height / 2 - 0.3, z);
    hill.isPickable = false;
    hill.material = hills;
  }
  for (const [k, [x, z, radius]] of places.entries()) {
    const pebble = flat(
      MeshBuilder.CreateIcoSphere("pebble", { radius, subdivisions: 2, flat: false }, scene),
      0.15 * radius,
      k,
    );
    pebble.position.set(x, 0.01, z);
    pebble.scaling.y = 0.6;
    show(stone, pebble);
  }

  function tree(x: number, z: number, size: number, needles: PBRMaterial): void {
    const trunk = MeshBuilder.CreateCylinder(
      "trunk",
      { height: 0.2 * size, diameter: 0.06 * size, tessellation: 12 },
      scene,
    );
    trunk.position.set(x, DECK + 0.08 * size, z);
    show(wood, trunk);
    for (let k = 0; k < 3; k++) {
      const wide = (0.42 - 0.11 * k) * size;
      const cone = flat(
        MeshBuilder.CreateCylinder(
          "needles",
          { height: 0.3 * size, diameterBottom: wide, diameterTop: 0.02, tessellation: 9 },
          scene,
        ),
        0,
        0,
      );
      cone.position.set(x, DECK + (0.27 + 0.17 * k) * size, z);
      cone.rotation.y = k + x;
      show(needles, cone);
    }
  }
}

/** Moves the vertices of a mesh by up to `most` m, the same for all at one place, and gives it flat faces. */
function flat(mesh: Mesh, most: number, seed: number): Mesh {
  const places = mesh.getVerticesData(VertexBuffer.PositionKind)!;
  const moved = places.map((_, i) => {
    const [x, y, z] = places.slice(i - (i % 3), i - (i % 3) + 3).map((value) => Math.round(1e3 * value));
    const noise = Math.sin(12.9898 * x + 78.233 * y + 37.719 * z + 11 * seed + 5 * (i % 3)) * 43758.5453;
    return places[i] + most * (2 * (noise - Math.floor(noise)) - 1);
  });
  mesh.setVerticesData(VertexBuffer.PositionKind, moved);
  mesh.convertToFlatShadedMesh();
  return mesh;
}

/** A mast of bars on the far bank, its boom, a weight behind, and a winch. */
function addCrane({ scene, paint, show }: Studio): void {
  const yellow = paint("#eba82b", { roughness: 0.35 });
  yellow.clearCoat.isEnabled = true;
  const steel = paint("#4a5056", { roughness: 0.4, metallic: 0.7 });
  const bar = (from: Vector3, to: Vector3, radius: number): Mesh =>
    MeshBuilder.CreateTube("bar", { path: [from, to], radius, tessellation: 10, cap: Mesh.CAP_ALL }, scene);
  /** Four bars from `a` to `b` in a square of half the width `w`, and diagonals between them. */
  const lattice = (a: Vector3, b: Vector3, cells: number, w: number, end = w): Mesh[] => {
    const way = b.subtract(a).normalize();
    const side = Vector3.Cross(way, Math.abs(way.y) > 0.9 ? Vector3.Right() : Vector3.Up()).normalize();
    const up = Vector3.Cross(side, way);
    const corner = (k: number, turn: number): Vector3 => {
      const wide = (w + ((end - w) * k) / cells) * Math.SQRT2;
      const angle = Math.PI / 4 + (Math.PI / 2) * turn;
      const out = side.scale(wide * Math.cos(angle)).add(up.scale(wide * Math.sin(angle)));
      return Vector3.Lerp(a, b, k / cells).add(out);
    };
    const bars: Mesh[] = [];
    for (let turn = 0; turn < 4; turn++) {
      bars.push(bar(corner(0, turn), corner(cells, turn), 0.013));
      for (let k = 0; k < cells; k++)
        bars.push(bar(corner(k, turn + (k % 2)), corner(k + 1, turn + ((k + 1) % 2)), 0.006));
    }
    return bars;
  };
  const foot = new Vector3(DRUM.x + 0.12, DECK, DRUM.z);
  const head = new Vector3(foot.x, DRUM.y, foot.z);
  const peak = head.add(new Vector3(0, 0.38, 0));
  const inward = DRUM.subtract(TIP).normalize();
  const back = head.add(inward.scale(0.5));
  const above = new Vector3(0, 0.05, 0);
  const beam = [TIP.add(above).add(inward.scale(0.04)), back.add(above)];
  const parts = [
    ...lattice(foot, head, 8, 0.07),
    ...lattice(beam[0], beam[1], 18, 0.035, 0.05),
    ...lattice(head, peak, 3, 0.06, 0.015),
    bar(peak, Vector3.Lerp(beam[0], beam[1], 0.16), 0.007),
    bar(peak, beam[1], 0.007),
  ];
  const crane = Mesh.MergeMeshes(parts, true)!;
  show(yellow, crane);
  const block = (width: number, height: number, depth: number, at: Vector3): void => {
    const box = MeshBuilder.CreateBox("block", { width, height, depth }, scene);
    box.position = at;
    show(steel, box);
  };
  block(0.22, 0.26, 0.22, back.add(new Vector3(-0.05, -0.08, 0)));
  block(0.3, 0.06, 0.3, foot.add(new Vector3(0, 0.01, 0)));
  block(0.06, 0.03, 0.1, TIP.add(new Vector3(0.02, 0.02, 0)));
  const wheel = (diameter: number, height: number, at: Vector3): void => {
    const drum = MeshBuilder.CreateCylinder("drum", { height, diameter, tessellation: 48 }, scene);
    drum.position = at;
    drum.rotation.x = Math.PI / 2;
    show(steel, drum);
  };
  wheel(0.05, 0.05, TIP.add(new Vector3(0.02, -0.015, 0)));
  wheel(0.11, 0.14, DRUM);
}

/** A crate of boards, and slings to its hook. */
function addCrate({ scene, paint, show }: Studio): Mesh {
  const [size, height] = [0.34, 0.28];
  const crate = MeshBuilder.CreateBox("crate", { width: size, height, depth: size }, scene);
  const frame = paint("#8f5b33", { roughness: 0.7 });
  const sling = paint("#d8473c", { roughness: 0.8 });
  show(paint("#cf8f52", { roughness: 0.7 }), crate);
  const part = (look: PBRMaterial, mesh: Mesh, x: number, y: number, z: number): void => {
    mesh.parent = crate;
    mesh.position.set(x, y, z);
    show(look, mesh);
  };
  const [out, thick] = [size / 2 - 0.012, 0.036];
  const box = (width: number, tall: number, depth: number): Mesh =>
    MeshBuilder.CreateBox("edge", { width, height: tall, depth }, scene);
  for (const a of [-1, 1])
    for (const b of [-1, 1]) {
      part(frame, box(thick, height + 0.008, thick), a * out, 0, b * out);
      part(frame, box(size + 0.01, thick, thick), 0, a * (height / 2 - 0.014), b * out);
      part(frame, box(thick, thick, size + 0.01), a * out, b * (height / 2 - 0.014), 0);
      const path = [new Vector3(a * out, height / 2, b * out), new Vector3(0, height / 2 + 0.16, 0)];
      part(sling, MeshBuilder.CreateTube("sling", { path, radius: 0.008, tessellation: 10 }, scene), 0, 0, 0);
    }
  part(sling, MeshBuilder.CreateTorus("hook", { diameter: 0.05, thickness: 0.014 }, scene), 0, height / 2 + 0.155, 0);
  return crate;
}
