/** The simulation and its rules. It knows nothing of the network. */

import { clothModel, gridMesh, World, type DeformableBody, type RigidBody, type Snapshot } from "babylon-pliant/engine";
import { BODIES, CURTAIN, HALF_SIDE, STEP_RATE } from "../shared/arena";
import { encodeFrame, type Push } from "../shared/wire";
import { PushRules } from "./rules";

/** A body that leaves this box comes back to its start [m]. */
const OUTSIDE = HALF_SIDE + 2;

export class Game {
  private readonly rules = new PushRules();
  private start!: Snapshot;

  private constructor(
    private readonly world: World,
    private readonly bodies: readonly RigidBody[],
    private readonly curtain: DeformableBody,
  ) {}

  static async create(): Promise<Game> {
    const world = await World.create({ backend: "cpu" });
    addWalls(world);
    const bodies = BODIES.map(({ type, size, position }) =>
      world.addRigidBody({
        shape: type === "box" ? { type, halfExtents: [size, size, size] } : { type, radius: size },
        position,
        density: 100,
        restitution: 0.3,
        angularDamping: 1,
        linearDamping: 0.2,
        maxLinearSpeed: 15,
      }),
    );
    const game = new Game(world, bodies, addCurtain(world));
    game.start = await world.snapshot();
    return game;
  }

  /** Takes the pushes of a message, as far as the rules allow them. */
  push(seat: number, pushes: readonly Push[]): void {
    for (const push of pushes) {
      if (!this.rules.takes(seat, push)) continue;
      const body = this.bodies[push.body];
      const [x, y, z] = push.kick;
      body.applyImpulse([body.mass * x, body.mass * y, body.mass * z]);
    }
  }

  step(): void {
    this.world.step(1 / STEP_RATE);
    this.rules.step();
    this.bodies.forEach((body, i) => {
      if (body.position.every((value) => Math.abs(value) < OUTSIDE)) return;
      body.teleport(BODIES[i].position, [0, 0, 0, 1]);
      body.linearVelocity = [0, 0, 0];
      body.angularVelocity = [0, 0, 0];
    });
  }

  /** The present state as bytes for clients. */
  async frame(): Promise<Uint8Array> {
    const { world, bodies, curtain, rules } = this;
    const poses = bodies.flatMap(({ position, rotation }) => [...position, ...rotation]);
    const step = world.frame;
    const taken = [...rules.taken];
    return encodeFrame({ step, taken, poses, curtain: await curtain.readPositions() });
  }

  /** Forgets the player of a seat, before another one takes it. */
  clear(seat: number): void {
    this.rules.clear(seat);
  }

  /** Puts everything back to the start. */
  restart(): void {
    this.world.restore(this.start);
  }

  dispose(): void {
    this.world.dispose();
  }
}

/** A floor, and four walls that nothing jumps over. */
function addWalls(world: World): void {
  const far = HALF_SIDE + 0.5;
  const slab = { motion: "static", restitution: 0.3 } as const;
  world.addRigidBody({ ...slab, shape: { type: "box", halfExtents: [far, 0.5, far] }, position: [0, -0.5, 0] });
  for (const side of [-far, far]) {
    world.addRigidBody({ ...slab, shape: { type: "box", halfExtents: [0.5, 5, far] }, position: [side, 5, 0] });
    world.addRigidBody({ ...slab, shape: { type: "box", halfExtents: [far, 5, 0.5] }, position: [0, 5, side] });
  }
}

function addCurtain(world: World): DeformableBody {
  const { columns, rows } = CURTAIN;
  const topRow = Array.from({ length: columns + 1 }, (_, i) => rows * (columns + 1) + i);
  return world.addBody(clothModel({ ...gridMesh(CURTAIN), fabric: "denim" }), { pins: topRow });
}
