import {
  addAttachment,
  type Attachment,
  type DeformableBody,
  type RigidBody,
  type Vec3,
  type World,
} from "../../src/index";
import { conjugate, turn } from "../../src/math/quaternions";
import type { JointReading } from "./reading";
import type { AttachmentData } from "./scene";

interface Tie {
  readonly attachment: Attachment;
  readonly body: DeformableBody;
  /** places of its vertices on what holds them: vertices there, or points in the axes of a rigid body [m] */
  readonly to: { readonly body: DeformableBody; readonly vertices: readonly number[] } | RigidPoints;
  readonly vertices: readonly number[];
  /** [m/N] */
  readonly compliance: number;
}

interface RigidPoints {
  readonly rigid: RigidBody;
  readonly points: readonly Vec3[];
}

/** The attachments of a scene. Those without compliance hold like joints, others store energy. */
export class Ties {
  private readonly ties: Tie[] = [];

  add(world: World, data: AttachmentData, softs: readonly DeformableBody[], bodies: readonly RigidBody[]): void {
    const { soft, vertices, body: number, other, compliance = 0, breakingForce } = data;
    const body = softs[soft];
    const to = other
      ? { body: softs[other.soft], vertices: other.vertices }
      : pointsOf(bodies[number!], body.model.positions, vertices);
    // Forces of bodies of gpbd on rigid ones are known on the CPU alone.
    const breaks = other || world.backend === "cpu" ? { breakingForce } : {};
    const attachment = addAttachment(world, { body, vertices, to, compliance, ...breaks });
    this.ties.push({ attachment, body, to, vertices, compliance });
  }

  /**
   * @param positionsOf the present places of particles; undefined for a body that is gone
   * @param slack see `JointReading` [m]
   */
  read(positionsOf: PlacesOf, slack: number): JointReading[] {
    return this.ties.flatMap((tie) => {
      const gaps = tie.compliance === 0 ? gapsOf(tie, positionsOf) : [];
      if (gaps.length === 0) return [];
      const holder = "rigid" in tie.to ? tie.to.rigid : tie.to.body;
      return { name: `attachment of ${tie.body.name} to ${holder.name}`, gap: Math.max(...gaps), slack };
    });
  }

  /** Elastic energy of those with compliance [J]. */
  stored(positionsOf: PlacesOf): number {
    return this.ties.reduce((sum, tie) => {
      if (tie.compliance === 0) return sum;
      return gapsOf(tie, positionsOf).reduce((total, gap) => total + (gap * gap) / (2 * tie.compliance), sum);
    }, 0);
  }
}

type PlacesOf = (body: DeformableBody) => ArrayLike<number> | undefined;

/** Distances of the vertices from what holds them [m]; none if a body is gone. */
function gapsOf({ attachment, body, to, vertices }: Tie, positionsOf: PlacesOf): number[] {
  const x = positionsOf(body);
  const there = "rigid" in to ? undefined : positionsOf(to.body);
  if (!x || ("rigid" in to ? to.rigid.isDisposed : !there)) return [];
  const held = new Set(attachment.vertices);
  return vertices.map((vertex, k) =>
    held.has(vertex) ? apart(at(x, vertex), "rigid" in to ? inWorld(to, k) : at(there!, to.vertices[k])) : 0,
  );
}

function pointsOf(rigid: RigidBody, positions: ArrayLike<number>, vertices: readonly number[]): RigidPoints {
  const { position, rotation } = rigid;
  const points = vertices.map((vertex) => {
    const [x, y, z] = at(positions, vertex);
    return vector(turn(conjugate(rotation), [x - position[0], y - position[1], z - position[2]]));
  });
  return { rigid, points };
}

function inWorld({ rigid, points }: RigidPoints, k: number): Vec3 {
  const arm = turn(rigid.rotation, points[k]);
  return vector(arm.map((value, c) => value + rigid.position[c]));
}

const vector = (v: ArrayLike<number>): Vec3 => [v[0], v[1], v[2]];
const at = (x: ArrayLike<number>, p: number): Vec3 => [x[3 * p], x[3 * p + 1], x[3 * p + 2]];
const apart = (a: Vec3, b: Vec3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
