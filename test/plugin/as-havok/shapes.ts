import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import { CreateTorus } from "@babylonjs/core/Meshes/Builders/torusBuilder";
import type { GroundMesh } from "@babylonjs/core/Meshes/groundMesh";
import { PhysicsMotionType, PhysicsShapeType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { PhysicsMaterialCombineMode } from "@babylonjs/core/Physics/v2/physicsMaterial";
import {
  PhysicsShape,
  PhysicsShapeCapsule,
  PhysicsShapeContainer,
  PhysicsShapeConvexHull,
  PhysicsShapeCylinder,
  PhysicsShapeMesh,
} from "@babylonjs/core/Physics/v2/physicsShape";
import type { PluginScene } from "../both-plugins";
import { makeBody } from "../fixtures";
import { ballShape, block, boxShape, floor, placeOf, velocityOf } from "./parts";
import type { TwinScene } from "./twin-scene";

const { STATIC, DYNAMIC } = PhysicsMotionType;

/** A hilly ground. */
function hills(t: PluginScene): GroundMesh {
  const ground = CreateGround("hills", { width: 8, height: 8, subdivisions: 16, updatable: true }, t.scene);
  const positions = ground.getVerticesData(VertexBuffer.PositionKind)!;
  for (let i = 0; i < positions.length; i += 3)
    positions[i + 1] = 0.4 * Math.sin(positions[i]) * Math.cos(positions[i + 2]);
  ground.updateVerticesData(VertexBuffer.PositionKind, positions);
  return ground;
}

const boxes: TwinScene = {
  name: "shapes of every kind have the same type, box, filters and density",
  play: (t) => {
    const torus = CreateTorus("torus", { diameter: 2, thickness: 0.5 }, t.scene);
    const container = new PhysicsShapeContainer(t.scene);
    container.addChild(boxShape(t, 1), new Vector3(2, 0, 0), Quaternion.RotationAxis(Vector3.Up(), 0.5));
    container.addChild(ballShape(t), new Vector3(-2, 1, 0));
    container.addChild(ballShape(t), new Vector3(-9, 1, 0));
    container.removeChild(2);
    const shapes: PhysicsShape[] = [
      boxShape(t, 1, 2, 3),
      ballShape(t, 0.7),
      new PhysicsShapeCapsule(new Vector3(0, -1, 0), new Vector3(0, 1, 0), 0.4, t.scene),
      new PhysicsShapeCylinder(new Vector3(0, -1, 0), new Vector3(0, 1, 0), 0.4, t.scene),
      new PhysicsShapeConvexHull(torus, t.scene),
      new PhysicsShapeMesh(torus, t.scene),
      container,
    ];
    shapes.forEach((shape, i) => {
      shape.filterMembershipMask = 1 << i;
      shape.filterCollideMask = 0xff ^ (1 << i);
    });
    t.run(1);
    return {
      // Havok has no answer for a sphere's type and a container's filters
      kinds: shapes.filter((_, i) => i !== 1).map((shape) => t.plugin.getShapeType(shape)),
      filters: shapes.slice(0, -1).flatMap((shape) => [shape.filterMembershipMask, shape.filterCollideMask]),
      children: container.getNumChildren(),
      boxes: shapes.flatMap((shape) => {
        const { minimum, maximum } = shape.getBoundingBox();
        return [...minimum.asArray(), ...maximum.asArray()];
      }),
    };
  },
  // Havok's boxes have a margin.
  tolerance: { boxes: 0.015 },
};

const filters: TwinScene = {
  name: "two bodies collide where each is a member of what the other collides with",
  play: (t) => {
    const ground = floor(t);
    ground.shape!.filterMembershipMask = 2;
    ground.shape!.filterCollideMask = 5;
    const cases = [
      [1, 2],
      [1, 1],
      [2, 2],
      [4, 3],
      [4, 0],
      [0, 2],
      [8, 2],
    ];
    const bodies = cases.map(([membership, collide], i) => {
      const shape = boxShape(t, 0.5);
      shape.filterMembershipMask = membership;
      shape.filterCollideMask = collide;
      return makeBody(t.scene, DYNAMIC, shape, new Vector3(i - 3, 0.3, 0));
    });
    t.run(30);
    return { stands: bodies.map(({ transformNode }) => String(transformNode.position.y > 0)) };
  },
  tolerance: 0,
};

/** A box that slides and a ball that bounces on floors of some material. */
const materials: TwinScene = {
  name: "friction and restitution combine by every mode",
  play: (t) => {
    const modes = [
      PhysicsMaterialCombineMode.GEOMETRIC_MEAN,
      PhysicsMaterialCombineMode.MINIMUM,
      PhysicsMaterialCombineMode.MAXIMUM,
      PhysicsMaterialCombineMode.ARITHMETIC_MEAN,
      PhysicsMaterialCombineMode.MULTIPLY,
    ];
    const pairs = modes.map((mode, i) => {
      const ground = makeBody(t.scene, STATIC, boxShape(t, 30, 1, 1), new Vector3(0, -0.5, 3 * i));
      ground.shape!.material = { friction: 0.2, restitution: 0.3, frictionCombine: mode, restitutionCombine: mode };
      const material = { friction: 0.5, restitution: 0.7, frictionCombine: mode, restitutionCombine: mode };
      const slider = makeBody(t.scene, DYNAMIC, boxShape(t, 0.5, 0.2, 0.5), new Vector3(0, 0.1, 3 * i));
      slider.shape!.material = { ...material, restitution: 0 };
      slider.setLinearVelocity(new Vector3(3, 0, 0));
      const ball = makeBody(t.scene, DYNAMIC, ballShape(t, 0.3), new Vector3(-5, 1.3, 3 * i));
      ball.shape!.material = material;
      return { slider, ball };
    });
    t.run(20);
    const speeds = pairs.map(({ slider }) => slider.getLinearVelocity().x);
    let top = pairs.map(() => 0);
    t.run(15);
    for (let i = 0; i < 40; i++) {
      t.run(1);
      top = pairs.map(({ ball }, k) => Math.max(top[k], ball.transformNode.position.y));
    }
    const { friction, restitution } = t.plugin.getMaterial(pairs[0].ball.shape!);
    return { speeds, tops: top, material: [friction!, restitution!] };
  },
  tolerance: { speeds: 0.15, tops: 0.095, material: 1e-6 },
};

const grounds: TwinScene = {
  name: "balls and boxes rest on hills: a mesh, and a height field",
  play: (t) => {
    const ground = hills(t);
    makeBody(t.scene, STATIC, new PhysicsShapeMesh(ground, t.scene));
    const field = new PhysicsShape({ type: PhysicsShapeType.HEIGHTFIELD, parameters: { groundMesh: ground } }, t.scene);
    makeBody(t.scene, STATIC, field, new Vector3(20, 0, 0));
    const bodies = [0, 20].flatMap((x) =>
      [new Vector3(-1.57, 0, 0), new Vector3(1.57, 0, 3.14)].map((at, i) => {
        const shape = i === 0 ? boxShape(t, 0.4) : ballShape(t, 0.25);
        shape.material = { friction: 1 };
        const body = makeBody(t.scene, DYNAMIC, shape, at.add(new Vector3(x, 0.3, 0)));
        body.setLinearDamping(1);
        body.setAngularDamping(3);
        return body;
      }),
    );
    const rays = [-3, -1, 0.5, 2].flatMap((x) =>
      [0, 20].map((offset) => {
        t.run(1);
        return t.physics.raycast(new Vector3(x + offset, 5, 0.7), new Vector3(x + offset, -5, 0.7)).hitPoint.y;
      }),
    );
    t.run(150);
    return { rays, places: bodies.flatMap(placeOf) };
  },
  tolerance: { rays: 7.5e-4, places: 0.006 },
};

/** A ground with corners at some height, and its heights in the order of Babylon's vertices, row by row from the largest z. */
function bumps(
  t: PluginScene,
  [countX, countZ]: readonly [number, number],
  [width, height]: readonly [number, number],
): { ground: GroundMesh; field: PhysicsShape } {
  const grid = { width, height, subdivisionsX: countX - 1, subdivisionsY: countZ - 1, updatable: true };
  const ground = CreateGround("bumps", grid, t.scene);
  const positions = ground.getVerticesData(VertexBuffer.PositionKind)!;
  const heights = Float32Array.from({ length: countX * countZ }, (_, i) => 0.3 * Math.sin(1.7 * i) + 0.05 * (i % 5));
  heights.forEach((y, i) => (positions[3 * i + 1] = y));
  ground.updateVerticesData(VertexBuffer.PositionKind, positions);
  const parameters = {
    numHeightFieldSamplesX: countX,
    numHeightFieldSamplesZ: countZ,
    heightFieldSizeX: width,
    heightFieldSizeZ: height,
    heightFieldData: heights,
  };
  return { ground, field: new PhysicsShape({ type: PhysicsShapeType.HEIGHTFIELD, parameters }, t.scene) };
}

/** Heights at which rays meet a shape from above and from below, between its corners; −10 for a miss. */
function heightsOf(t: PluginScene, shape: PhysicsShape, width: number, height: number): number[] {
  const turn = Quaternion.RotationAxis(Vector3.Up(), 0.4);
  const body = makeBody(t.scene, STATIC, shape, new Vector3(3, 1, -2), turn);
  t.run(1);
  const found = [-0.51, -0.49, -0.3, 0.04, 0.21, 0.49, 0.51].flatMap((x) =>
    [-0.51, -0.49, -0.13, 0.27, 0.49, 0.51].flatMap((z) => {
      const at = new Vector3(x * width, 0, z * height).applyRotationQuaternion(turn).add(body.transformNode.position);
      const [above, below] = [at.add(new Vector3(0, 5, 0)), at.add(new Vector3(0, -5, 0))];
      return [
        [above, below],
        [below, above],
      ].map(([from, to]) => {
        const { hasHit, hitPoint } = t.physics.raycast(from, to);
        return hasHit ? hitPoint.y : -10;
      });
    }),
  );
  body.dispose();
  return found;
}

const samples: TwinScene = {
  name: "a height field of numbers is where a ground of the same numbers is, to its edges, from above and below",
  play: (t) => {
    const square = bumps(t, [5, 5], [8, 4.5]);
    const oblong = bumps(t, [7, 4], [12, 4.5]);
    const heights = heightsOf(t, square.field, 8, 4.5);
    const ofMesh = heightsOf(t, new PhysicsShapeMesh(oblong.ground, t.scene), 12, 4.5);
    const ofField = heightsOf(t, oblong.field, 12, 4.5);
    return {
      heights,
      ofMesh,
      oblong: Math.max(...ofMesh.map((y, i) => Math.abs(y - ofField[i]))),
    };
  },
  tolerance: { heights: 1e-5, ofMesh: 1e-3, oblong: 1e-6 },
  differs: {
    oblong: {
      why: "the same numbers are the same ground; Havok mixes up rows where there are more of them than columns, or fewer",
      pliant: 0,
    },
  },
};

const compound: TwinScene = {
  name: "a container of parts of different densities stands, tips and spins as one body",
  play: (t) => {
    floor(t);
    const hammer = new PhysicsShapeContainer(t.scene);
    const [head, shaft] = [boxShape(t, 0.4), boxShape(t, 0.1, 1, 0.1)];
    head.density = 3000;
    shaft.density = 500;
    hammer.addChild(head, new Vector3(0, 0.6, 0));
    hammer.addChild(shaft, Vector3.Zero(), Quaternion.Identity());
    const body = makeBody(t.scene, DYNAMIC, hammer, new Vector3(0, 3, 0));
    const { mass, centerOfMass } = body.getMassProperties();
    body.setAngularVelocity(new Vector3(0, 0, 4));
    t.run(20);
    return { mass: mass!, centre: [...centerOfMass!.asArray()], velocity: velocityOf(body), place: placeOf(body) };
  },
  tolerance: { mass: 3.5e-5, centre: 1e-5, velocity: 0.0055, place: 0.01 },
};

const changes: TwinScene = {
  name: "shapes are changed, taken away and shared while bodies stand on them",
  play: (t) => {
    const ground = floor(t);
    const shared = boxShape(t, 0.5);
    const bodies: PhysicsBody[] = [0, 1].map((i) => makeBody(t.scene, DYNAMIC, shared, new Vector3(2 * i, 0.3, 0)));
    t.run(40);
    const heights = bodies.map(({ transformNode }) => transformNode.position.y);
    bodies[0].shape = ballShape(t, 0.5);
    t.run(90);
    heights.push(bodies[0].transformNode.position.y);
    ground.shape!.filterCollideMask = 0;
    bodies.forEach((body) => body.applyImpulse(new Vector3(0, -0.1, 0), body.transformNode.position));
    t.run(30);
    return {
      heights,
      fell: bodies.map(({ transformNode }) => String(transformNode.position.y < 0)),
      hasShape: String(t.plugin.getShape(bodies[1]) !== null),
    };
  },
  tolerance: { heights: 0.005 },
  differs: {
    fell: {
      why: "what the ground does not collide with any more falls; Havok asks only those pairs that begin to touch",
      pliant: ["true", "true"],
      havok: ["false", "false"],
    },
  },
};

const geometry: TwinScene = {
  name: "viewers get the geometry and the box of a body",
  play: (t) => {
    const body = block(t, DYNAMIC, new Vector3(1, 2, 3), Quaternion.RotationAxis(Vector3.Up(), Math.PI / 2));
    body.shape = boxShape(t, 1, 2, 3);
    body.setGravityFactor(0);
    t.run(1);
    const { positions } = t.plugin.getBodyGeometry(body) as { positions: Float32Array };
    const farthest = [0, 1, 2].map((axis) =>
      positions.filter((_, i) => i % 3 === axis).reduce((a, b) => Math.max(a, b)),
    );
    const { minimum, maximum } = body.getBoundingBox();
    return { farthest, size: [...maximum.subtract(minimum).asArray()] };
  },
  // Havok draws boxes without their rounding.
  tolerance: { farthest: 0.02, size: 1e-6 },
};

export const shapeScenes: readonly TwinScene[] = [
  boxes,
  filters,
  materials,
  grounds,
  samples,
  compound,
  changes,
  geometry,
];
