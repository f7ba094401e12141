import type { PhysicsBody } from "@babylonjs/core/Physics/v2/physicsBody";
import type { PhysicsShape } from "@babylonjs/core/Physics/v2/physicsShape";
import { QuerySpace } from "../../src/collision/query/query-space";
import type { Quat, Vec3 } from "../../src/index";
import { toQuat, toVec3 } from "../geometry/convert";
import { statesOf } from "../rigid/bodies";
import type { RigidState } from "../rigid/rigid-state";
import { deepVersion, type ShapeData } from "../shape/shape-data";
import { compiledShape, type CompiledShape } from "./compiled-shape";

/** The bodies that a query considers; masks as those of shapes. */
export interface BodyFilter {
  readonly membership?: number | undefined;
  readonly collideWith?: number | undefined;
  readonly shouldHitTriggers?: boolean | undefined;
  readonly ignoreBody?: PhysicsBody | undefined;
}

/** A body, or one of its instances, in the form for queries. */
interface Entry {
  readonly id: number;
  readonly body: PhysicsBody;
  readonly state: RigidState;
  readonly data: ShapeData;
  readonly compiled: CompiledShape;
  readonly pose: readonly number[];
}

/**
 * Rigid bodies as targets of queries. It is updated for each query, since bodies may have been moved and shapes may
 * have changed since the last step.
 */
export class BodySpace {
  readonly space = new QuerySpace();
  private readonly entries = new Map<RigidState, Entry>();
  private readonly byId: (Entry | undefined)[] = [];
  private readonly freeIds: number[] = [];

  /** Takes over the present places and shapes of all bodies. */
  refresh(bodies: Iterable<PhysicsBody>): void {
    const seen = new Set<RigidState>();
    for (const body of bodies) {
      const data = body.shape?._pluginData as ShapeData | undefined;
      if (!data || data.disposed) continue;
      for (const state of statesOf(body)) if (!state.isLeftOut && this.update(body, state, data)) seen.add(state);
    }
    for (const [state, entry] of this.entries) if (!seen.has(state)) this.remove(state, entry);
  }

  bodyOf(id: number): { body: PhysicsBody; index: number | undefined } {
    const { body, state } = this.byId[id]!;
    return { body, index: state.index };
  }

  /** Babylon's shape of a part: in a container, that of the child. */
  shapeOf(id: number, part: number): PhysicsShape | undefined {
    return this.byId[id]!.compiled.owners[part]?.data.owner;
  }

  /** The filter for the engine's query. */
  filter({ membership = ~0, collideWith = ~0, shouldHitTriggers = false, ignoreBody }: BodyFilter): {
    accepts: (id: number, part: number) => boolean;
  } {
    return {
      accepts: (id, part) => {
        const { body, compiled } = this.byId[id]!;
        if (body === ignoreBody) return false;
        const leaf = compiled.owners[part];
        return (
          (membership & leaf.collideMask) !== 0 &&
          (collideWith & leaf.membershipMask) !== 0 &&
          (shouldHitTriggers || !leaf.isTrigger)
        );
      },
    };
  }

  /** Returns whether the state has a shape that queries can hit. */
  private update(body: PhysicsBody, state: RigidState, data: ShapeData): boolean {
    const old = this.entries.get(state);
    const isSame = old?.data === data && old.body === body;
    // A scaled shape is compiled anew each time, unless nothing has changed.
    const kept = isSame && state.scale && old.compiled.version === deepVersion(data) ? old.compiled : undefined;
    const compiled = kept ?? compiledShape(data, state.scale);
    if (!compiled) return false;
    const position: Vec3 = toVec3(state.position);
    const rotation: Quat = toQuat(state.rotation);
    const pose = [...position, ...rotation];
    if (isSame && old.compiled === compiled && pose.every((value, i) => value === old.pose[i])) return true;
    const id = old?.id ?? this.freeIds.pop() ?? this.byId.length;
    const entry = { id, body, state, data, compiled, pose };
    this.entries.set(state, entry);
    this.byId[id] = entry;
    this.space.set(id, compiled.shape, position, rotation);
    return true;
  }

  private remove(state: RigidState, { id }: Entry): void {
    this.entries.delete(state);
    this.byId[id] = undefined;
    this.freeIds.push(id);
    this.space.remove(id);
  }
}
