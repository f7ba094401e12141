import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import { CreateGround } from "@babylonjs/core/Meshes/Builders/groundBuilder";
import type { PhysicsRaycastResult } from "@babylonjs/core/Physics/physicsRaycastResult";
import { ProximityCastResult } from "@babylonjs/core/Physics/proximityCastResult";
import { ShapeCastResult } from "@babylonjs/core/Physics/shapeCastResult";
import { PhysicsMotionType } from "@babylonjs/core/Physics/v2/IPhysicsEnginePlugin";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import {
  type PhysicsShape,
  PhysicsShapeBox,
  PhysicsShapeCapsule,
  PhysicsShapeContainer,
  PhysicsShapeMesh,
  PhysicsShapeSphere,
} from "@babylonjs/core/Physics/v2/physicsShape";
import type { HavokPlugin } from "@babylonjs/core/Physics/v2/Plugins/havokPlugin";
import { random } from "../../../samples/rigid";
import type { PluginScene } from "../both-plugins";
import { makeBody } from "../fixtures";
import type { TwinScene } from "./twin-scene";

const { STATIC } = PhysicsMotionType;
const UP = Quaternion.Identity();

/** Both plugins have the queries of HavokPlugin. */
const queriesOf = (t: PluginScene): HavokPlugin => t.plugin as HavokPlugin;

function generator(seed: number): { at(size: number): Vector3; turn(): Quaternion } {
  const next = random(seed);
  const between = (size: number): number => size * (2 * next() - 1);
  return {
    at: (size) => new Vector3(between(size), between(size), between(size)),
    turn: () => new Quaternion(between(1), between(1), between(1), between(1)).normalize(),
  };
}

/** A shape of each convex kind, away from its origin and turned, and a container of two of them. */
function shapesIn(t: PluginScene): PhysicsShape[] {
  const turn = Quaternion.RotationAxis(new Vector3(1, 2, 3).normalize(), 0.7);
  const box = (): PhysicsShapeBox =>
    new PhysicsShapeBox(new Vector3(0.2, 0, 0.1), turn, new Vector3(1, 2, 0.6), t.scene);
  const ball = (): PhysicsShapeSphere => new PhysicsShapeSphere(new Vector3(-0.3, 0.1, 0), 0.7, t.scene);
  const capsule = new PhysicsShapeCapsule(new Vector3(0, -0.6, 0.2), new Vector3(0.3, 0.6, 0), 0.4, t.scene);
  const container = new PhysicsShapeContainer(t.scene);
  container.addChild(box(), new Vector3(0.8, 0, 0), turn);
  container.addChild(ball(), new Vector3(-0.8, 0.3, 0));
  return [box(), ball(), capsule, container];
}

/** Bodies of these shapes at random places, randomly turned. */
function scatter(t: PluginScene, seed: number): PhysicsBody[] {
  const { at, turn } = generator(seed);
  const shapes = shapesIn(t);
  const bodies = Array.from({ length: 12 }, (_, i) =>
    makeBody(t.scene, STATIC, shapes[i % shapes.length], at(5), turn()),
  );
  t.run(1);
  return bodies;
}

const rays: TwinScene = {
  name: "rays hit solids, containers and meshes where they are, from any side",
  play: (t) => {
    scatter(t, 3);
    const ground = CreateGround("ground", { width: 20, height: 20, subdivisions: 3 }, t.scene);
    makeBody(t.scene, STATIC, new PhysicsShapeMesh(ground, t.scene), new Vector3(0, -7, 0));
    t.run(1);
    const { at } = generator(5);
    const hits = Array.from({ length: 60 }, () => t.physics.raycast(at(9).add(new Vector3(0, 9, 0)), at(6)));
    return {
      hits: hits.map(({ hasHit }) => String(hasHit)),
      distances: hits.map(({ hasHit, hitDistance }) => (hasHit ? hitDistance : 0)),
      points: hits.flatMap(({ hasHit, hitPoint }) => (hasHit ? hitPoint.asArray() : [])),
      normals: hits.flatMap(({ hasHit, hitNormal }) => (hasHit ? hitNormal.asArray() : [])),
    };
  },
  tolerance: { distances: 1e-5, points: 1e-5, normals: 1e-5 },
};

const filteredRays: TwinScene = {
  name: "rays obey masks, triggers, an ignored body and the number of hits",
  play: (t) => {
    const row = [0, 1, 2, 3].map((i) => {
      const shape = new PhysicsShapeBox(Vector3.Zero(), UP, Vector3.One(), t.scene);
      shape.filterMembershipMask = 1 << i;
      if (i === 1) shape.isTrigger = true;
      return makeBody(t.scene, STATIC, shape, new Vector3(3 * i, 0, 0));
    });
    t.run(1);
    const [from, to] = [new Vector3(-5, 0.1, 0.2), new Vector3(20, 0.1, 0.2)];
    const single = (query: object): number => {
      const hit = t.physics.raycast(from, to, query);
      return hit.hasHit ? hit.hitDistance : -1;
    };
    const plugin = queriesOf(t);
    const several = (most: number, query: object = {}): number[] => {
      plugin.setMaxQueryCollectorHits(most);
      const results: PhysicsRaycastResult[] = [];
      plugin.raycast(from, to, results, query);
      return results.map((hit) => hit.hitDistance);
    };
    return {
      supported: String(plugin.isSupported()),
      first: single({}),
      masked: [single({ collideWith: 4 }), single({ collideWith: 10 }), single({ collideWith: 16 })],
      triggers: single({ collideWith: 2, shouldHitTriggers: true }),
      ignoring: single({ ignoreBody: row[0] }),
      allHits: several(10),
      withTriggers: several(10, { shouldHitTriggers: true }),
      twoHits: several(2),
      inside: t.physics.raycast(new Vector3(0, 0.1, 0.2), to).hitDistance,
    };
  },
  tolerance: {
    first: 1e-5,
    masked: 1e-5,
    triggers: 1e-5,
    ignoring: 1e-5,
    allHits: 1e-5,
    withTriggers: 1e-5,
    twoHits: 1e-4,
    inside: 1e-5,
  },
  differs: {
    twoHits: { why: "two were allowed; Havok gives a third", pliant: [4.5, 10.5], havok: [4.5, 10.5, 13.5] },
  },
};

const points: TwinScene = {
  name: "the body closest to a point, and where on it",
  play: (t) => {
    scatter(t, 11);
    const { at } = generator(7);
    const found = Array.from({ length: 40 }, () => {
      const result = new ProximityCastResult();
      const query = { position: at(8), maxDistance: 3, collisionFilter: {}, shouldHitTriggers: false };
      queriesOf(t).pointProximity(query, result);
      return result;
    }).filter(({ hasHit, hitDistance }) => !hasHit || hitDistance > 0);
    return {
      hits: found.map(({ hasHit }) => String(hasHit)),
      distances: found.map(({ hasHit, hitDistance }) => (hasHit ? hitDistance : 0)),
      points: found.flatMap(({ hasHit, hitPoint }) => (hasHit ? hitPoint.asArray() : [])),
    };
  },
  // Havok rounds the edges of boxes.
  tolerance: { distances: 0.02, points: 0.02 },
};

const closest: TwinScene = {
  name: "the body closest to a turned shape: one point in the shape's space, one in the world",
  play: (t) => {
    scatter(t, 23);
    const { at, turn } = generator(13);
    const shapes = shapesIn(t);
    const found = Array.from({ length: 40 }, (_, i) => {
      const [input, hit] = [new ProximityCastResult(), new ProximityCastResult()];
      const query = {
        shape: shapes[i % 3],
        position: at(8),
        rotation: turn(),
        maxDistance: 4,
        shouldHitTriggers: false,
      };
      queriesOf(t).shapeProximity(query, input, hit);
      return { input, hit };
    }).filter(({ hit }) => !hit.hasHit || hit.hitDistance > 0.05);
    return {
      hits: found.map(({ input, hit }) => `${input.hasHit} ${hit.hasHit}`),
      distances: found.map(({ hit }) => (hit.hasHit ? hit.hitDistance : 0)),
      gaps: found.map(({ input, hit }) => input.hitDistance - hit.hitDistance),
      onShapes: found.flatMap(({ input }) => (input.hasHit ? input.hitPoint.asArray() : [])),
      normals: found.flatMap(({ input, hit }) => [...input.hitNormal.asArray(), ...hit.hitNormal.asArray()]),
      onBodies: found.flatMap(({ hit }) => (hit.hasHit ? hit.hitPoint.asArray() : [])),
    };
  },
  tolerance: { distances: 0.02, gaps: 1e-6, onShapes: 0.03, normals: 0.02, onBodies: 0.03 },
};

const casts: TwinScene = {
  name: "a turned shape on its way: the fraction, one point in the shape's space, one in the world",
  play: (t) => {
    const bodies = scatter(t, 31);
    const { at, turn } = generator(17);
    const shapes = shapesIn(t);
    const found = Array.from({ length: 40 }, (_, i) => {
      const [input, hit] = [new ShapeCastResult(), new ShapeCastResult()];
      const start = at(4).add(new Vector3(i % 2 === 0 ? 12 : -12, 0, 0));
      const query = {
        shape: shapes[i % 3],
        rotation: turn(),
        startPosition: start,
        endPosition: at(4),
        shouldHitTriggers: false,
      };
      queriesOf(t).shapeCast(i % 5 === 0 ? { ...query, ignoreBody: bodies[i % bodies.length] } : query, input, hit);
      return { input, hit };
    });
    return {
      hits: found.map(({ input, hit }) => `${input.hasHit} ${hit.hasHit} ${bodies.indexOf(hit.body!)}`),
      fractions: found.map(({ hit }) => (hit.hasHit ? hit.hitFraction : 1)),
      onShapes: found.flatMap(({ input }) => (input.hasHit ? input.hitPoint.asArray() : [])),
      onBodies: found.flatMap(({ hit }) => (hit.hasHit ? hit.hitPoint.asArray() : [])),
      normals: found.flatMap(({ input, hit }) => [...input.hitNormal.asArray(), ...hit.hitNormal.asArray()]),
    };
  },
  tolerance: { fractions: 2e-3, onShapes: 0.03, onBodies: 0.03, normals: 0.03 },
};

export const queryScenes: readonly TwinScene[] = [rays, filteredRays, points, closest, casts];
