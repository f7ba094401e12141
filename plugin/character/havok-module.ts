import { Quaternion, Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import { PliantError } from "../../src/errors";
import type { FirstHit, Neighbour, ShapeQuery } from "../queries/around-shape";
import { stateOf } from "../rigid/bodies";
import { masksOf } from "../shape/leaves";
import type { ShapeData } from "../shape/shape-data";
import { sidesOf } from "./sides";

/** Answers the queries of the controller. */
export interface Surroundings {
  _neighbours(query: ShapeQuery, distance: number): Neighbour[];
  _firstHit(query: ShapeQuery, way: Vector3): FirstHit | undefined;
}

type Triple = readonly [number, number, number];
type Quadruple = readonly [number, number, number, number];
/** Havok's id of a body. */
export type BodyId = readonly [number];
type Contact = readonly [body: BodyId, shape: undefined, path: undefined, position: Triple, normal: Triple];
/** Distance or free part of the way, the contact on the queried shape, the contact on the body. */
type Result = readonly [amount: number, input: Contact, hit: Contact];
type Answer<T> = readonly [status: 0, value: T];
type ProximityInput = readonly [ShapeData, Triple, Quadruple, number, boolean, BodyId];
type CastInput = readonly [ShapeData, Quadruple, Triple, Triple, boolean, BodyId];

interface Hit {
  readonly body: PhysicsBody;
  readonly index: number | undefined;
  readonly result: Result;
}

interface Collector {
  readonly capacity: number;
  hits: readonly Hit[];
}

const answer = <T>(value: T): Answer<T> => [0, value];
const triple = ({ x, y, z }: Vector3): Triple => [x, y, z];

/**
 * The part of Havok's module that Babylon's `PhysicsCharacterController` calls directly, in Havok's formats: contacts
 * around a shape, and hits of a shape on its way, collected nearest first.
 */
export class HavokModule {
  private readonly collectors = new Map<number, Collector>();
  private lastId = 0;

  constructor(private readonly around: Surroundings) {}

  /** Bodies by the ids of the present hits in collectors, as in `HavokPlugin._bodies`. */
  readonly bodies = {
    get: (id: number): { body: PhysicsBody; index: number } | undefined => {
      for (const { hits } of this.collectors.values())
        for (const { body, index, result } of hits) if (result[2][0][0] === id) return { body, index: index ?? 0 };
      return undefined;
    },
  };

  HP_QueryCollector_Create(capacity: number): Answer<number> {
    this.collectors.set(++this.lastId, { capacity, hits: [] });
    return answer(this.lastId);
  }

  HP_QueryCollector_Release(collector: number): void {
    this.collectors.delete(collector);
  }

  HP_QueryCollector_GetNumHits(collector: number): Answer<number> {
    return answer(this.collector(collector).hits.length);
  }

  HP_QueryCollector_GetShapeProximityResult(collector: number, index: number): Answer<Result> {
    return answer(this.collector(collector).hits[index].result);
  }

  HP_QueryCollector_GetShapeCastResult(collector: number, index: number): Answer<Result> {
    return answer(this.collector(collector).hits[index].result);
  }

  /** Collects a contact for each side of a body within the distance. */
  HP_World_ShapeProximityWithCollector(
    _world: unknown,
    collector: number,
    [data, position, rotation, distance, , ignored]: ProximityInput,
  ): void {
    const query = queryOf(data, position, rotation, (id) => id === ignored[0]);
    const found = sidesOf(this.around._neighbours(query, distance));
    this.collect(collector, found, ({ distance: amount }) => amount);
  }

  /** Collects the first contact with each body on the way. */
  HP_World_ShapeCastWithCollector(
    _world: unknown,
    collector: number,
    [data, rotation, start, end, , ignored]: CastInput,
  ): void {
    const passed = new Set<number>(ignored);
    const query = queryOf(data, start, rotation, (id) => passed.has(id));
    const way = Vector3.FromArray(end).subtractInPlace(query.position);
    const found: FirstHit[] = [];
    const { capacity } = this.collector(collector);
    for (let hit = this.around._firstHit(query, way); hit; hit = this.around._firstHit(query, way)) {
      found.push(hit);
      if (found.length === capacity) break;
      passed.add(idOf(hit));
    }
    this.collect(collector, found, ({ fraction }) => fraction);
  }

  private collect<T extends Neighbour | FirstHit>(collector: number, found: readonly T[], amount: (hit: T) => number) {
    const target = this.collector(collector);
    target.hits = found
      .map((hit) => ({ body: hit.body, index: hit.index, result: resultOf(hit, amount(hit)) }))
      .sort((a, b) => a.result[0] - b.result[0])
      .slice(0, target.capacity);
  }

  private collector(id: number): Collector {
    const collector = this.collectors.get(id);
    if (!collector)
      throw new PliantError("disposed", "PhysicsCharacterController", id, "was disposed, or is of another plugin");
    return collector;
  }
}

const idOf = ({ body, index }: Pick<Neighbour, "body" | "index">): number => stateOf(body, index).hpBodyId[0];

function resultOf(hit: Neighbour | FirstHit, amount: number): Result {
  const point = triple(hit.point);
  const { x, y, z } = hit.normal;
  return [
    amount,
    [[0], undefined, undefined, point, [-x, -y, -z]],
    [[idOf(hit)], undefined, undefined, point, [x, y, z]],
  ];
}

function queryOf(
  data: ShapeData,
  position: Triple,
  rotation: Quadruple,
  passes: (id: number) => boolean,
): ShapeQuery & { readonly position: Vector3 } {
  return {
    data,
    position: Vector3.FromArray(position),
    rotation: Quaternion.FromArray(rotation),
    ...masksOf(data),
    ignores: (body, index) => passes(idOf({ body, index })),
  };
}
