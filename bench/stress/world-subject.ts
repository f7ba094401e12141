import {
  WindField,
  World,
  type AxisName,
  type DeformableBody,
  type Push,
  type RigidBody,
  type RigidJoint,
  type Vec3,
} from "../../src/index";
import { enclosedVolume } from "../../src/solvers/gpbd/pressure/inflation";
import { spinMomentum } from "../../samples/rigid";
import { elasticEnergy, yarnEnergy } from "./elastic";
import { Lift, overlapEnergy } from "./lift";
import { Sums, type JointReading, type PartReading, type Reading } from "./reading";
import type { Interference, SceneData, SoftData } from "./scene";
import type { Subject } from "./subject";
import { Ties } from "./ties";

const LINEAR = ["linearX", "linearY", "linearZ"] as const satisfies readonly AxisName[];

interface Soft {
  readonly body: DeformableBody;
  readonly data: SoftData;
  readonly start: Float64Array;
  readonly volume: number;
  /** elastic energy of the yarn at the start [J] */
  readonly yarn: number;
}

/** A scene in a world. */
export class WorldSubject implements Subject {
  private readonly starts: Vec3[];
  private frame = 0;
  private readonly lift: Lift;
  private input: number;

  private constructor(
    private readonly world: World,
    private readonly data: SceneData,
    private readonly bodies: RigidBody[],
    private readonly rigidJoints: readonly RigidJoint[],
    private readonly softs: Soft[],
    private readonly ties: Ties,
  ) {
    this.starts = bodies.map((body) => body.centerOfMass);
    this.lift = new Lift(world, bodies, data);
    this.input = overlapEnergy(data);
  }

  /** @param gpu that simulates; if undefined, the CPU does */
  static async create(data: SceneData, gpu: GPU | undefined): Promise<WorldSubject> {
    // Beside soft bodies rigid ones are solved on the CPU, as by default.
    const rigidLane = gpu && !data.softs ? "webgpu" : "auto";
    const world = await World.create({ backend: gpu ? "webgpu" : "cpu", gpu, gravity: data.gravity, rigidLane });
    try {
      const bodies = (data.bodies ?? []).map((options) => world.addRigidBody(options));
      const joints = (data.joints ?? []).map(({ a, b, ...options }) =>
        world.addJoint({ ...options, bodyA: bodies[a], bodyB: bodies[b] }),
      );
      const softs = (data.softs ?? []).map((soft): Soft => {
        const { model, velocity = [0, 0, 0], options } = soft;
        const body = world.addBody(model, options);
        const start = Float64Array.from(model.positions);
        if (velocity.some((value) => value !== 0))
          body.writeState({ positions: start, velocities: start.map((_, i) => velocity[i % 3]) });
        const volume = options?.pressure === undefined || !("faces" in model) ? 0 : enclosedVolume(start, model.faces);
        return { body, data: soft, start, volume, yarn: yarnEnergy(body.model, start) };
      });
      const ties = new Ties();
      for (const one of data.attachments ?? [])
        ties.add(
          world,
          one,
          softs.map(({ body }) => body),
          bodies,
        );
      if (data.wind) {
        const { zones, ...options } = data.wind;
        world.wind = new WindField(options);
        for (const zone of zones) world.wind.addZone(zone);
      }
      await world.whenReadyAsync();
      return new WorldSubject(world, data, bodies, joints, softs, ties);
    } catch (error) {
      world.dispose();
      throw error;
    }
  }

  async step(): Promise<void> {
    for (const one of this.data.interferences ?? []) if (one.frame === this.frame) await this.interfere(one);
    const before = this.power();
    const dt = await this.advance();
    this.input += Math.max(before, this.power()) * dt;
    this.lift.look();
  }

  private async advance(): Promise<number> {
    const { timeStep, timeSteps = [timeStep] } = this.data;
    const dt = timeSteps[this.frame++ % timeSteps.length];
    this.world.step(dt);
    await this.world.settled();
    return dt;
  }

  /** Energy that comes or goes by it counts as put in. */
  private async interfere({ add, remove, change, push, move, rehearse }: Interference): Promise<void> {
    if (rehearse !== undefined) await this.rehearse(rehearse);
    const before = await this.read();
    if (add) {
      const body = this.world.addRigidBody(add);
      this.bodies.push(body);
      this.starts.push(body.centerOfMass);
    }
    if (change) this.bodies.find(({ name }) => name === change.name)?.change(change.to);
    const at = this.bodies.findIndex(({ name }) => name === remove);
    if (at >= 0) {
      this.bodies.splice(at, 1)[0].dispose();
      this.starts.splice(at, 1);
    }
    const gone = this.softs.findIndex(({ body }) => body.name === remove);
    if (gone >= 0) this.softs.splice(gone, 1)[0].body.dispose();
    if (push) this.push(push.name, push.by);
    if (move) await this.move(move.name, move.by);
    await this.world.whenReadyAsync();
    const after = await this.read();
    this.input += after.kinetic + after.potential - before.kinetic - before.potential;
    if (after.stored > before.stored) this.input += after.stored - before.stored;
    this.lift.note();
  }

  private push(name: string, by: Push): void {
    this.softs.find(({ body }) => body.name === name)?.body.push(by);
    const rigid = this.bodies.find((body) => body.name === name);
    if (!rigid) return;
    const { linearVelocity, angularVelocity, impulse } = by;
    if (linearVelocity) rigid.linearVelocity = linearVelocity;
    if (angularVelocity) rigid.angularVelocity = angularVelocity;
    if (impulse) rigid.applyImpulse(impulse, by.point);
  }

  /** Puts a body elsewhere; its way there does not count. */
  private async move(name: string, by: Vec3): Promise<void> {
    const i = this.bodies.findIndex((body) => body.name === name);
    if (i >= 0) {
      this.bodies[i].teleport(sum(this.bodies[i].position, by));
      this.starts[i] = sum(this.starts[i], by);
    }
    const soft = this.softs.find(({ body }) => body.name === name);
    if (!soft) return;
    const { positions, ...rest } = await soft.body.readState();
    soft.body.writeState({ ...rest, positions: Float64Array.from(positions, (value, k) => value + by[k % 3]) });
    soft.start.forEach((value, k) => (soft.start[k] = value + by[k % 3]));
  }

  /** Plays frames twice from a snapshot, and goes back to it. @throws Error if they differ on the CPU */
  private async rehearse(frames: number): Promise<void> {
    const { world, frame } = this;
    const snapshot = await world.snapshot();
    const play = async (): Promise<string> => {
      for (let k = 0; k < frames; k++) await this.advance();
      const { kinetic, potential, momentum, angular } = await this.read();
      world.restore(snapshot);
      this.frame = frame;
      return [kinetic, potential, ...momentum, ...angular].join(" ");
    };
    const first = await play();
    const second = await play();
    if (first !== second && world.backend === "cpu")
      throw new Error(`goes another way from the same snapshot: ${first} then ${second}`);
  }

  async read(): Promise<Reading> {
    const sums = new Sums(this.data.gravity);
    const parts: PartReading[] = [];
    let [released, stored] = [0, 0];
    this.bodies.forEach((body, i) => {
      if (body.motion === "dynamic") parts.push(this.addRigid(sums, body, this.starts[i]));
    });
    const places = new Map<DeformableBody, ArrayLike<number>>();
    for (const soft of this.softs) {
      const { part, work, positions, elastic } = await this.addSoft(sums, soft);
      parts.push(part);
      places.set(soft.body, positions);
      released += work;
      stored += elastic;
    }
    const placesOf = (body: DeformableBody): ArrayLike<number> | undefined => places.get(body);
    stored += this.ties.stored(placesOf) + this.springs();
    const joints = [...this.rigidJoints.map(jointReading), ...this.ties.read(placesOf, this.slack(parts))];
    return { ...sums, input: this.input + this.lift.work + released, stored, parts, joints, depth: this.depth() };
  }

  /** Bodies of different solvers take turns, so attachments open by a part of the way in a step [m]. */
  private slack(parts: readonly PartReading[]): number {
    const { timeStep, gravity } = this.data;
    const speed = Math.max(0, ...parts.map((part) => part.speed));
    return 0.5 * timeStep * (speed + timeStep * Math.hypot(...gravity));
  }

  async frozen(): Promise<string | undefined> {
    for (const [body, frame] of await this.world.frozenBodies()) return `${body.name} froze at frame ${frame}`;
    return undefined;
  }

  dispose(): void {
    this.world.dispose();
  }

  private addRigid(sums: Sums, body: RigidBody, start: Vec3): PartReading {
    const { centerOfMass, linearVelocity, angularVelocity, mass, name } = body;
    sums.add(mass, centerOfMass, linearVelocity);
    sums.spin(spinMomentum(body), angularVelocity);
    const travel = apart(centerOfMass, start);
    // a point of the body at the distance of its size
    const speed = Math.hypot(...linearVelocity) + Math.hypot(...angularVelocity) * this.data.size;
    return { name, mass, travel, height: centerOfMass[1], speed };
  }

  private async addSoft(
    sums: Sums,
    { body, data, start, volume, yarn }: Soft,
  ): Promise<{ part: PartReading; work: number; elastic: number; positions: ArrayLike<number> }> {
    const state = await body.readState();
    const { positions, velocities } = state;
    const { masses } = body.model;
    let [travel, height, speed, mass] = [0, Infinity, 0, 0];
    masses.forEach((m, p) => {
      const at = (of: ArrayLike<number>): Vec3 => [of[3 * p], of[3 * p + 1], of[3 * p + 2]];
      const [x, v] = [at(positions), at(velocities)];
      // a held vertex moves as its holder prescribes
      if (body.isPinned(p)) return;
      sums.add(m, x, v);
      mass += m;
      // Tears add particles.
      if (3 * p < start.length) travel = most(travel, apart(x, at(start)));
      speed = most(speed, Math.hypot(...v));
      height = Math.min(height, x[1]);
    });
    const { model } = body;
    const grown = volume > 0 && "faces" in model ? enclosedVolume(positions, model.faces) - volume : 0;
    const pressure = Math.abs(data.options?.pressure ?? 0);
    const curl = yarn - yarnEnergy(model, positions);
    const work = pressure * Math.max(0, grown) + Math.max(0, curl);
    // Of torn sheets it isn't known.
    const isWhole = 3 * (state.inUse ?? masses.length) === start.length;
    const elastic =
      (isWhole ? elasticEnergy(model, state) : Infinity) + pressure * Math.max(0, -grown) + Math.max(0, -curl);
    const part = { name: body.name, mass, travel, height: height === Infinity ? 0 : height, speed };
    return { part, work, elastic, positions };
  }

  /** Energy of the springs of joints [J]. */
  private springs(): number {
    let sum = 0;
    this.rigidJoints.forEach((joint, j) => {
      for (const [name, options] of Object.entries(this.data.joints![j].axes ?? {})) {
        const { stiffness = 0, min = -Infinity, max = Infinity } = options;
        const at = joint.position(name as AxisName);
        if (stiffness > 0) sum += 0.5 * stiffness * Math.max(0, min - at, at - max) ** 2;
      }
    });
    return sum;
  }

  /** Upper bound of the present power of motors [W]. */
  private power(): number {
    let sum = 0;
    for (const { bodyA, bodyB, ...joint } of this.motors())
      for (const { isTurning, maxForce } of joint.motors) {
        const [a, b] = isTurning
          ? [bodyA.angularVelocity, bodyB.angularVelocity]
          : [bodyA.linearVelocity, bodyB.linearVelocity];
        sum += maxForce * apart(a, b);
      }
    return sum;
  }

  private motors() {
    return this.rigidJoints.map(({ bodyA, bodyB }, j) => {
      const axes = Object.entries(this.data.joints![j].axes ?? {});
      const driven = axes.filter(([, { motor = "none" }]) => motor !== "none");
      const motors = driven.map(([name, { maxForce = 0 }]) => ({ isTurning: name.startsWith("angular"), maxForce }));
      return { bodyA, bodyB, motors };
    });
  }

  private depth(): number {
    if (this.bodies.length === 0) return 0;
    const { contacts } = this.world.rigid;
    let deepest = 0;
    for (let c = 0; c < contacts.count; c++) deepest = Math.max(deepest, -contacts.separation[c]);
    return deepest;
  }
}

function jointReading(joint: RigidJoint): JointReading {
  const gaps = LINEAR.filter((axis) => joint.axis(axis).mode === "locked").map((axis) => joint.position(axis));
  return { name: `joint of ${joint.bodyA.name} and ${joint.bodyB.name}`, gap: Math.hypot(...gaps) };
}

const sum = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const apart = (a: Vec3, b: Vec3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
/** The greater one; NaN if one of them is NaN. */
const most = (a: number, b: number): number => (a >= b ? a : b);
