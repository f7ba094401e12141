import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateBox } from "@babylonjs/core/Meshes/Builders/boxBuilder";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateSphere } from "@babylonjs/core/Meshes/Builders/sphereBuilder";
import { CreateTorus } from "@babylonjs/core/Meshes/Builders/torusBuilder";
import { Mesh } from "@babylonjs/core/Meshes/mesh";
import { VertexData } from "@babylonjs/core/Meshes/mesh.vertexData";
import { TransformNode } from "@babylonjs/core/Meshes/transformNode";
import { PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import { PhysicsAggregate } from "@babylonjs/core/Physics/v2/physicsAggregate";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ClothAggregate, SoftBodyAggregate, type SoftBodyOptions } from "../../plugin/index";
import { ballTetrahedra, boxTetrahedra } from "../../src/index";
import { makeSheet, refusal, testScene, type TestScene } from "./fixtures";

let t: TestScene;
beforeEach(async () => {
  t = await testScene();
});
afterEach(() => t.dispose());

/** Few and soft elements: a frame takes milliseconds. */
const soft: SoftBodyOptions = { youngsModulus: 2e4, poissonRatio: 0.3, density: 500, resolution: 4, airDensity: 0 };
const still: SoftBodyOptions = { ...soft, gravityFactor: 0 };

function ball(height = 0.5): Mesh {
  const mesh = CreateSphere("ball", { diameter: 0.4, segments: 6 }, t.scene);
  mesh.position.y = height;
  return mesh;
}

/** Two tetrahedra with the wall between them: three triangles meet at its edges. */
function threeWalls(): Mesh {
  const data = new VertexData();
  data.positions = [0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, -1, 0];
  data.indices = [0, 1, 2, 0, 1, 3, 1, 2, 3, 2, 0, 3, 0, 1, 4, 1, 2, 4, 2, 0, 4];
  const mesh = new Mesh("walls", t.scene);
  data.applyToMesh(mesh);
  return mesh;
}

/** Positions or normals of a mesh as drawn, world space. */
function drawn(mesh: Mesh, kind = VertexBuffer.PositionKind): Vector3[] {
  const local = mesh.getVerticesData(kind)!;
  const world = mesh.computeWorldMatrix(true);
  return Array.from({ length: local.length / 3 }, (_, i) => {
    const v = Vector3.FromArray(local, 3 * i);
    return kind === VertexBuffer.PositionKind
      ? Vector3.TransformCoordinates(v, world)
      : Vector3.TransformNormal(v, world.clone().invert().transpose()).normalize();
  });
}

const height = (positions: ArrayLike<number>): number =>
  Array.from(positions).reduce((sum, value, i) => sum + (i % 3 === 1 ? value : 0), 0) / (positions.length / 3);

const massOf = ({ body }: Pick<SoftBodyAggregate, "body">): number => body.model.masses.reduce((sum, m) => sum + m, 0);

describe.each(["newton", "local-global", "gpbd"] as const)("a thin bar of the solver %s", (solver) => {
  it("bends as a beam does, held by the vertices of its end", () => {
    const [length, thickness, youngsModulus, density] = [2, 0.2, 5e7, 1000];
    const size = [length, thickness, thickness] as const;
    const tetrahedra = boxTetrahedra({ size, cells: [6, 1, 1], center: [0, 0, 0] });
    const sag = (elements: "auto" | "linear"): number => {
      const warm = solver === "gpbd" ? { warmStart: 0.99 } : {};
      const options = { solver, youngsModulus, poissonRatio: 0, density, damping: 6, elements, ...warm } as const;
      const bar = SoftBodyAggregate.FromTetrahedra("bar", tetrahedra, options, t.scene);
      void bar.pinWhere(({ x }) => x < -length / 2 + 1e-6);
      t.run(75);
      const ends = drawn(bar.mesh).filter(({ x }) => x > 0.95 * (length / 2));
      bar.mesh.dispose();
      return -ends.reduce((sum, { y }) => sum + y / ends.length, 0);
    };
    // ρ g L⁴ / (8 E I / A)
    const expected = (1.5 * density * 9.81 * length ** 4) / (youngsModulus * thickness ** 2);
    expect(Math.abs(sag("auto") / expected - 1)).toBeLessThan(0.05);
    expect(sag("linear") / expected).toBeLessThan(0.5);
  });

  it("refuses elements that it does not have", () => {
    const options = { solver, elements: "cubic" as "quadratic" };
    expect(() => new SoftBodyAggregate(ball(), options, t.scene)).toThrow(/elements/);
  });
});

describe("a thin box with the default options", () => {
  it("bends as a beam does", () => {
    // It bends by a twentieth of its length, by itself and in shear.
    const [length, thickness, youngsModulus] = [0.6, 0.1, 4e5];
    const expected = length / 20;
    const slender = (thickness / length) ** 2;
    const shear = 0.8 * 1.4 * slender;
    const gravityFactor = (expected * youngsModulus * slender) / ((1 + shear) * 1.5 * 1000 * 9.81 * length ** 2);
    const mesh = CreateBox("bar", { width: length, height: thickness, depth: thickness }, t.scene);
    const bar = new SoftBodyAggregate(mesh, { youngsModulus, gravityFactor, damping: 11 }, t.scene);
    // The end of the cage: pins of the corners of the box would hold the next layer of the cage, too.
    const rest = bar.body.model.positions;
    bar.body.pin([...bar.body.model.masses.keys()].filter((p) => rest[3 * p] < (0.02 - 0.5) * length));
    const sagOf = (): number => {
      const ends = drawn(mesh).filter(({ x }) => x > 0.45 * length);
      return -ends.reduce((sum, { y }) => sum + y / ends.length, 0);
    };
    t.run(70);
    expect(Math.abs(sagOf() / expected - 1)).toBeLessThan(0.05);
    mesh.dispose();
  });

  it("has linear elements where quadratic ones cost too much, or something needs linear ones", () => {
    const particles = (size: readonly [number, number, number], options: SoftBodyOptions = {}): number => {
      const [width, height, depth] = size;
      const mesh = CreateBox("box", { width, height, depth }, t.scene);
      const { body } = new SoftBodyAggregate(mesh, options, t.scene);
      mesh.dispose();
      return body.model.middles ? 10 : 4;
    };
    const bar = [1, 0.1, 0.1] as const;
    expect(particles(bar)).toBe(10);
    expect(particles(bar, { elements: "linear" })).toBe(4);
    expect(particles(bar, { plasticity: { yield: 0.1 } })).toBe(4);
    expect(particles(bar, { material: { model: "stvk" } as SoftBodyOptions["material"] })).toBe(4);
    expect(particles([1, 1, 0.1])).toBe(4);
    expect(particles([1, 1, 1])).toBe(4);
  });
});

describe("SoftBodyAggregate", () => {
  it("leaves the mesh as it looks, wherever it stands, and has the mass of its volume", () => {
    const mesh = CreateTorus("ring", { diameter: 0.8, thickness: 0.3, tessellation: 24 }, t.scene);
    mesh.position.set(1, 2, 3);
    mesh.rotationQuaternion = Quaternion.RotationYawPitchRoll(0.4, 1, 2);
    mesh.scaling.set(1, -1.5, 0.7);
    const before = [drawn(mesh), drawn(mesh, VertexBuffer.NormalKind)];
    const body = new SoftBodyAggregate(mesh, { ...still, resolution: 10 }, t.scene);
    const after = [drawn(mesh), drawn(mesh, VertexBuffer.NormalKind)];
    before[0].forEach((x, i) => expect(Vector3.Distance(x, after[0][i])).toBeLessThan(1e-5));
    before[1].forEach((n, i) => expect(Vector3.Distance(n, after[1][i])).toBeLessThan(1e-4));
    const volume = 2 * Math.PI ** 2 * 0.4 * 0.15 ** 2 * 1.5 * 0.7;
    expect(massOf(body) / (500 * volume)).toBeGreaterThan(0.9);
    expect(massOf(body) / (500 * volume)).toBeLessThan(1);
    expect(t.plugin.softBodyAggregates).toEqual([body]);
    expect(t.plugin.clothAggregates).toEqual([]);
  });

  it("turns vertices and normals as its body turns", () => {
    const mesh = ball();
    const body = new SoftBodyAggregate(mesh, still, t.scene);
    const [x, n] = [drawn(mesh), drawn(mesh, VertexBuffer.NormalKind)];
    const turn = Quaternion.RotationYawPitchRoll(1, 2, 3);
    const turned = new Float64Array(body.body.model.positions.length);
    for (let i = 0; i < turned.length; i += 3)
      turned.set(Vector3.FromArray(body.body.model.positions, i).applyRotationQuaternionInPlace(turn).asArray(), i);
    body.body.writeState({ positions: turned });
    t.run(1);
    drawn(mesh).forEach((y, i) => expect(Vector3.Distance(y, x[i].applyRotationQuaternion(turn))).toBeLessThan(1e-4));
    drawn(mesh, VertexBuffer.NormalKind).forEach((y, i) =>
      expect(Vector3.Distance(y, n[i].applyRotationQuaternion(turn))).toBeLessThan(1e-3),
    );
  });

  it.each(["gpbd", "newton", "local-global"] as const)("falls and comes to lie on the ground: %s", async (solver) => {
    const ground = CreateGround("ground", { width: 4, height: 4 }, t.scene);
    new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0, extents: new Vector3(4, 0.2, 4) }, t.scene);
    const top = 0.1;
    const mesh = ball(0.35);
    const body = new SoftBodyAggregate(
      mesh,
      { ...soft, ...(solver === "newton" && { airDensity: undefined }), resolution: 3, solver },
      t.scene,
    );
    const start = height(await body.readPositions());
    t.run(30);
    const positions = await body.readPositions();
    const lowest = Math.min(...positions.filter((_, i) => i % 3 === 1));
    expect(height(positions)).toBeLessThan(start - 0.02);
    expect(lowest).toBeGreaterThan(top - 0.03);
    expect(lowest).toBeLessThan(top + 0.06);
    expect(drawn(mesh)[5].y).toBeCloseTo(positions[3 * 5 + 1], 4);
    const box = mesh.getBoundingInfo().boundingBox;
    expect(box.minimumWorld.y).toBeLessThanOrEqual(lowest + 1e-6);
  });

  it.each([0.1, 0.5, 2])("falls straight when it is dropped flat, with default options: %f m", async (size) => {
    const ground = CreateGround("ground", { width: 10 * size, height: 10 * size }, t.scene);
    new PhysicsAggregate(ground, PhysicsShapeType.MESH, { mass: 0, friction: 0.5 }, t.scene);
    const mesh = CreateBox("cube", { size }, t.scene);
    mesh.position.set(0.3 * size, 2.5 * size, -0.2 * size);
    const { body } = new SoftBodyAggregate(mesh, {}, t.scene);
    // It meets the ground after two thirds of them.
    for (let frame = 0; frame < 60 * Math.sqrt(size); frame++) {
      t.run(1);
      const positions = await body.readPositions();
      const middle = [0, 2].map((c) => {
        const sum = body.model.masses.reduce((all, mass, p) => all + mass * positions[3 * p + c], 0);
        return sum / massOf({ body });
      });
      // A lattice that was not its own mirror image leaned by 6 % of the size.
      expect(Math.abs(middle[0] - 0.3 * size) / size).toBeLessThan(0.01);
      expect(Math.abs(middle[1] + 0.2 * size) / size).toBeLessThan(0.01);
    }
  });

  it("pushes a dynamic body, and is pushed back", async () => {
    const mesh = ball(0.5);
    const body = new SoftBodyAggregate(mesh, { ...still, resolution: 4 }, t.scene);
    const block = CreateBox("block", { size: 0.3 }, t.scene);
    block.position.set(0, 0.86, 0);
    const rigid = new PhysicsAggregate(block, PhysicsShapeType.BOX, { mass: 8 }, t.scene);
    rigid.body.setGravityFactor(0);
    rigid.body.setLinearVelocity(new Vector3(0, -2, 0));
    t.run(25);
    const velocity = rigid.body.getLinearVelocity().y;
    const own = height(await body.readVelocities());
    expect(velocity).toBeGreaterThan(-1.95);
    expect(own).toBeLessThan(-0.2);
    // momentum is conserved: one gains the other's loss
    const v = (await body.body.readState()).velocities;
    let momentum = 0;
    body.body.model.masses.forEach((m, p) => (momentum += m * v[3 * p + 1]));
    expect(momentum + 8 * velocity).toBeCloseTo(-16, 1);
  });

  it.each([undefined, false])("lands on another and on cloth unless told not to: %s", async (bodyCollision) => {
    const sheet = makeSheet(t.scene, 0.8, 6);
    sheet.position.y = 0;
    const touching = { airDensity: 0, bodyCollision, damping: 10, substeps: 12 };
    const edge = Array.from({ length: 49 }, (_, i) => i).filter((i) => i % 7 === 0 || i % 7 === 6 || i < 7 || i > 41);
    const cloth = new ClothAggregate(sheet, { ...touching, fabric: "rubber-sheet", pins: edge }, t.scene);
    const [lower, upper] = [0.13, 0.37].map((y) => {
      const mesh = CreateBox("cube", { size: 0.2 }, t.scene);
      mesh.position.y = y;
      return new SoftBodyAggregate(mesh, { ...soft, ...touching, resolution: 2 }, t.scene);
    });
    t.run(20);
    const [low, high] = await Promise.all([lower, upper].map(async (body) => height(await body.readPositions())));
    const under = Math.min(...(await cloth.readPositions()).filter((_, i) => i % 3 === 1));
    // Free bodies all fall alike; otherwise each is held up by the one below it, and yields by its weight.
    expect(low > under + 0.05).toBe(bodyCollision !== false);
    expect(high - low < 0.2).toBe(bodyCollision !== false);
    expect(high - low).toBeGreaterThan(0.15);
  });

  it.each(["gpbd", "local-global"] as const)(
    "is held where it is pinned, goes where pins go, and hangs on nodes: %s",
    async (solver) => {
      const mesh = CreateBox("bar", { width: 0.2, height: 0.2, depth: 0.2 }, t.scene);
      const node = new TransformNode("hand", t.scene);
      const body = new SoftBodyAggregate(
        mesh,
        { ...soft, solver, resolution: 3, pins: [0], attach: { node, vertices: [6] } },
        t.scene,
      );
      const before = await body.readPositions();
      t.run(5);
      const held = await body.readPositions();
      for (const vertex of [0, 6])
        for (let c = 0; c < 3; c++) expect(held[3 * vertex + c]).toBeCloseTo(before[3 * vertex + c], 5);
      const target = new Vector3(before[0] + 0.005, before[1] + 0.01, before[2]);
      body.setPinPosition(0, target);
      node.position.y += 0.015;
      t.run(3);
      const moved = await body.readPositions();
      expect(Vector3.Distance(Vector3.FromArray(moved), target)).toBeLessThan(1e-5);
      expect(moved[3 * 6 + 1]).toBeCloseTo(before[3 * 6 + 1] + 0.015, 5);
      // the node's particles are released, pinned ones stay
      body.detach(node);
      t.run(3);
      const released = await body.readPositions();
      expect(released[3 * 6 + 1]).toBeLessThan(moved[3 * 6 + 1] - 1e-3);
      expect(Vector3.Distance(Vector3.FromArray(released), target)).toBeLessThan(1e-5);
      body.unpin();
      t.run(10);
      expect(height(await body.readPositions())).toBeLessThan(height(moved) - 0.02);
    },
  );

  describe.each(["local-global", "newton"] as const)("with solver %s", (solver) => {
    const compliance = 2e-3;
    const all = Array.from({ length: 24 }, (_, vertex) => vertex);
    const free: SoftBodyOptions = { youngsModulus: 1e6, poissonRatio: 0.3, density: 1000, resolution: 2, damping: 12 };

    /** Depth of a body below its support, relative to compliance times force. */
    async function sagOf(more: SoftBodyOptions, hold?: (body: SoftBodyAggregate) => unknown): Promise<number> {
      const body = new SoftBodyAggregate(
        CreateBox("cube", { size: 0.2 }, t.scene),
        { ...free, solver, ...more },
        t.scene,
      );
      await hold?.(body);
      const held = Array.from({ length: body.body.particleCount }, (_, p) => p).filter((p) => body.body.isPinned(p));
      t.run(30);
      const positions = await body.body.readPositions();
      const sag = held.reduce((sum, p) => sum + body.body.model.positions[3 * p + 1] - positions[3 * p + 1], 0);
      body.dispose();
      const [, gravity] = t.plugin.world.gravity;
      return -sag / (compliance * gravity * massOf(body));
    }

    it("gives by the compliance of its pins and attachments", async () => {
      const node = new TransformNode("hook", t.scene);
      expect(await sagOf({ pins: all, pinCompliance: compliance })).toBeCloseTo(1, 2);
      expect(await sagOf({ attach: { node, vertices: all, compliance } })).toBeCloseTo(1, 2);
      expect(await sagOf({}, (body) => body.attach(all, node, undefined, { compliance }))).toBeCloseTo(1, 2);
      expect(await sagOf({}, (body) => body.pin(all, { compliance }))).toBeCloseTo(1, 2);
      expect(await sagOf({ pins: all })).toBeCloseTo(0, 5);
    });

    it("gives as much with quadratic elements", async () => {
      expect(await sagOf({ elements: "quadratic", pins: all, pinCompliance: compliance })).toBeCloseTo(1, 2);
    });
  });

  it("says where a solver has no compliance of pins and attachments", () => {
    const node = new TransformNode("hook", t.scene);
    const cube = (name: string): Mesh => CreateBox(name, { size: 0.2 }, t.scene);
    const options: SoftBodyOptions = { ...soft, resolution: 2 };
    const refused = (more: SoftBodyOptions): string =>
      refusal(() => new SoftBodyAggregate(cube("refused"), { ...options, ...more }, t.scene)).message;
    expect(refused({ pins: [0], pinCompliance: 1e-3 })).toMatch(/pins.compliance: is not for solver "gpbd"/);
    expect(refused({ attach: { node, vertices: [0], compliance: 1e-3 } })).toMatch(/attach.compliance: is not for/);
    expect(refused({ solver: "local-global", pins: [0], pinCompliance: -1 })).toMatch(/must not be negative/);
    const other = new SoftBodyAggregate(cube("other"), options, t.scene);
    expect(refusal(() => void other.pin([0], { compliance: 1e-3 })).code).toBe("unsupported");
    expect(refusal(() => other.body.pin([0], { compliance: 1e-3 })).code).toBe("unsupported");
    expect(refusal(() => other.body.pin([0], { compliance: NaN })).code).toBe("non-finite");
    expect(other.body.isPinned(0)).toBe(false);
    expect(t.plugin.world.bodies).toHaveLength(1);
  });

  it("is made of tetrahedra of one's own, and makes a mesh for them", async () => {
    const tetrahedra = ballTetrahedra({ radius: 0.2, resolution: 4, center: [0, 1, 0] });
    const body = SoftBodyAggregate.FromTetrahedra("ball", tetrahedra, still, t.scene);
    expect(body.mesh.getTotalVertices()).toBeLessThan(tetrahedra.positions.length / 3);
    const [x, n] = [drawn(body.mesh), drawn(body.mesh, VertexBuffer.NormalKind)];
    const middle = new Vector3(0, 1, 0);
    x.forEach((p, i) => {
      expect(Vector3.Distance(p, middle)).toBeCloseTo(0.2, 5);
      expect(Vector3.Dot(p.subtract(middle), n[i]) / 0.2).toBeGreaterThan(0.9);
    });
    expect(massOf(body)).toBeLessThan(500 * (4 / 3) * Math.PI * 0.2 ** 3);
    body.setOptions({ damping: 3 });
    expect(body.body.options.damping).toBe(3);
    body.dispose();
    expect(body.isDisposed).toBe(true);
    expect(t.plugin.deformableAggregates).toEqual([]);
    expect(refusal(() => body.setOptions({})).code).toBe("disposed");
  });

  it.each(["gpbd", "local-global"] as const)(
    "is not attached to two nodes that contradict each other: %s",
    (solver) => {
      const mesh = CreateBox("bar", { size: 0.2 }, t.scene);
      const [left, right] = [new TransformNode("left", t.scene), new TransformNode("right", t.scene)];
      const attach = [
        { node: left, vertices: [0, 1] },
        { node: right, vertices: [1] },
      ];
      const refused = refusal(() => new SoftBodyAggregate(mesh, { solver, attach }, t.scene));
      expect([refused.code, refused.message]).toEqual([
        "invalid-argument",
        expect.stringMatching(/vertex 1.*left.*right/),
      ]);
      expect(t.plugin.world.bodies).toHaveLength(0);
      const agreed = [attach[0], { node: left, vertices: [1, 2] }];
      expect(new SoftBodyAggregate(mesh, { solver, attach: agreed, resolution: 2 }, t.scene).isDisposed).toBe(false);
    },
  );

  it.each(["gpbd", "local-global", "newton"] as const)("may change its material with the solver %s", async (solver) => {
    const mesh = CreateBox("bar", { width: 0.6, height: 0.1, depth: 0.1 }, t.scene);
    const left = [...mesh.getVerticesData(VertexBuffer.PositionKind)!.keys()]
      .filter((i) => i % 3 === 0 && mesh.getVerticesData(VertexBuffer.PositionKind)![i] < 0)
      .map((i) => i / 3);
    const options = { solver, youngsModulus: 3e5, resolution: 6, pins: left, damping: 8 } as const;
    const body = new SoftBodyAggregate(mesh, options, t.scene);
    t.run(60);
    const soft = Math.min(...(await body.readPositions()).filter((_, i) => i % 3 === 1));
    body.setMaterial({ youngsModulus: 6e6 });
    t.run(60);
    const stiff = Math.min(...(await body.readPositions()).filter((_, i) => i % 3 === 1));
    // measured from its lower edge at rest
    expect((-0.05 - soft) / (-0.05 - stiff)).toBeGreaterThan(8);
    expect(refusal(() => body.setMaterial({ poissonRatio: 0.6 })).code).toBe("invalid-argument");
  });

  it("keeps its lengths within limits with the local-global solver, and refuses options of others", async () => {
    const bar = (name: string): Mesh => CreateBox(name, { width: 0.1, height: 0.4, depth: 0.1 }, t.scene);
    const top = [...bar("probe").getVerticesData(VertexBuffer.PositionKind)!].flatMap((y, i) =>
      i % 3 === 1 && y > 0 ? [(i - 1) / 3] : [],
    );
    const options = { solver: "local-global", youngsModulus: 5e3, resolution: 4, pins: top, damping: 8 } as const;
    const length = async (name: string, more: SoftBodyOptions): Promise<number> => {
      const body = new SoftBodyAggregate(bar(name), { ...options, ...more }, t.scene);
      t.run(30);
      const lowest = Math.min(...(await body.readPositions()).filter((_, i) => i % 3 === 1));
      // the next one hangs in its place
      body.dispose();
      return 0.2 - lowest;
    };
    expect(await length("free", {})).toBeGreaterThan(0.48);
    const limited = await length("limited", { stretchLimits: [0.9, 1.1], iterations: 20 });
    expect(limited).toBeGreaterThan(0.42);
    expect(limited).toBeLessThan(0.45);
    for (const [key, value] of Object.entries({ pressure: 10, warmStart: 0.5 })) {
      const error = refusal(() => new SoftBodyAggregate(bar(key), { ...options, [key]: value }, t.scene));
      expect([error.code, error.message]).toEqual(["unsupported", expect.stringContaining(key)]);
    }
    expect(refusal(() => new SoftBodyAggregate(ball(), { stretchLimits: [0.9, 1.1] }, t.scene)).code).toBe(
      "unsupported",
    );
  });

  it("takes a toy of merged meshes that overlap, which falls and lies as one body", async () => {
    const body = CreateSphere("body", { diameter: 0.3, segments: 6 }, t.scene);
    const head = CreateSphere("head", { diameter: 0.2, segments: 6 }, t.scene);
    head.position.y = 0.2;
    const arms = CreateBox("arms", { width: 0.5, height: 0.08, depth: 0.08 }, t.scene);
    const toy = Mesh.MergeMeshes([body, head, arms], true)!;
    toy.position.y = 0.4;
    const ground = CreateGround("ground", { width: 4, height: 4 }, t.scene);
    new PhysicsAggregate(ground, PhysicsShapeType.BOX, { mass: 0, friction: 1 }, t.scene);
    const aggregate = new SoftBodyAggregate(toy, { youngsModulus: 1e5, resolution: 7 }, t.scene);
    const before = await aggregate.readPositions();
    t.run(90);
    const after = await aggregate.readPositions();
    const widest = (places: Float32Array, from: number, to: number): number => {
      const way = (c: number): number => places[3 * from + c] - places[3 * to + c];
      return Math.sqrt(way(0) ** 2 + way(1) ** 2 + way(2) ** 2);
    };
    // Of the first piece, the second and the third: they keep their distances.
    const last = before.length / 3 - 1;
    for (const [from, to] of [
      [0, last],
      [0, last - 30],
      [last, last - 30],
    ])
      expect(Math.abs(widest(after, from, to) / widest(before, from, to) - 1)).toBeLessThan(0.15);
    const heights = after.filter((_, i) => i % 3 === 1);
    expect(Math.min(...heights)).toBeGreaterThan(-0.02);
    expect(Math.max(...heights)).toBeLessThan(0.5);
  });

  it("refuses what cannot be a soft body, and leaves the scene as it was", () => {
    const sheet = makeSheet(t.scene);
    const cases: [() => unknown, string, RegExp][] = [
      [() => new SoftBodyAggregate(sheet), "degenerate-geometry", /^SoftBodyAggregate "sheet": must be closed/],
      [
        () => new SoftBodyAggregate(threeWalls()),
        "degenerate-geometry",
        /^SoftBodyAggregate "walls": must be manifold/,
      ],
      [() => new SoftBodyAggregate(ball(), { poissonRatio: 0.5 }), "invalid-argument", /poissonRatio/],
      [() => new SoftBodyAggregate(ball(), { youngsModulus: -1 }), "invalid-argument", /youngsModulus/],
      [() => new SoftBodyAggregate(ball(), { resolution: 1 }), "invalid-argument", /resolution/],
      [
        () => new SoftBodyAggregate(ball(), { solver: "magic" as "gpbd" }),
        "invalid-argument",
        /solver: must be one of/,
      ],
      [() => new SoftBodyAggregate(ball(), { pins: [9999] }), "index-out-of-range", /pins: must be a vertex/],
      [() => new SoftBodyAggregate(ball(), { substeps: 0 }), "invalid-argument", /substeps/],
      [
        () =>
          SoftBodyAggregate.FromTetrahedra(
            "flat",
            { positions: new Float64Array(12), tetrahedra: Uint32Array.of(0, 1, 2, 3) },
            {},
            t.scene,
          ),
        "degenerate-geometry",
        /must have a volume/,
      ],
      [
        () =>
          SoftBodyAggregate.FromTetrahedra(
            "flat",
            { positions: undefined as unknown as number[], tetrahedra: [0, 1, 2, 3] },
            {},
            t.scene,
          ),
        "invalid-argument",
        /positions: must be a list/,
      ],
    ];
    for (const [call, code, message] of cases) {
      const error = refusal(call);
      expect({ code: error.code, message: error.message }).toEqual({ code, message: expect.stringMatching(message) });
    }
    expect(t.plugin.deformableAggregates).toEqual([]);
    expect(t.plugin.world.bodies).toEqual([]);
    expect(t.scene.getMeshByName("flat")).toBeNull();
    const cloth = new ClothAggregate(sheet, {}, t.scene);
    expect(refusal(() => new SoftBodyAggregate(cloth.mesh)).message).toContain("is cloth already");
    const body = new SoftBodyAggregate(ball(), soft);
    expect(refusal(() => new ClothAggregate(body.mesh)).message).toContain("is a soft body already");
    expect(refusal(() => body.setPinPosition(0, Vector3.Zero())).message).toContain("must be pinned");
  });
});
