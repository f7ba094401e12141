import {
  addAttachment,
  World,
  type AxisName,
  type DeformableBody,
  type RigidBody,
  type RigidJoint,
  type Vec3,
} from "../../src/index";
import { enclosedVolume } from "../../src/solvers/gpbd/pressure/inflation";
import { spinMomentum } from "../../samples/rigid";
import { yarnEnergy } from "./curl";
import { Lift, overlapEnergy } from "./lift";
import { Sums, type JointReading, type PartReading, type Reading } from "./reading";
import type { Interference, SceneData, SoftData } from "./scene";
import type { Subject } from "./subject";

const LINEAR = ["linearX", "linearY", "linearZ"] as const satisfies readonly AxisName[];

interface Soft {
  readonly body: DeformableBody;
  readonly data: SoftData;
  readonly start: Float64Array;
  readonly volume: number;
  /** elastic energy of the yarn at the start [J] */
  readonly stored: number;
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
    private readonly softs: readonly Soft[],
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
        return { body, data: soft, start, volume, stored: yarnEnergy(soft, start) };
      });
      for (const { soft, vertices, body } of data.attachments ?? [])
        addAttachment(world, { body: softs[soft].body, vertices, to: { rigid: bodies[body] } });
      await world.whenReadyAsync();
      return new WorldSubject(world, data, bodies, joints, softs);
    } catch (error) {
      world.dispose();
      throw error;
    }
  }

  async step(): Promise<void> {
    const { timeStep, timeSteps = [timeStep], interferences = [] } = this.data;
    for (const one of interferences) if (one.frame === this.frame) await this.interfere(one);
    const dt = timeSteps[this.frame++ % timeSteps.length];
    const before = this.power();
    this.world.step(dt);
    await this.world.settled();
    this.input += Math.max(before, this.power()) * dt;
    this.lift.look();
  }

  /** Energy that comes or goes by it counts as put in. */
  private async interfere({ add, remove, change }: Interference): Promise<void> {
    const before = await this.read();
    if (add) {
      const body = this.world.addRigidBody(add);
      this.bodies.push(body);
      this.starts.push(body.centerOfMass);
    }
    if (change) this.bodies.find(({ name }) => name === change.name)!.change(change.to);
    const at = this.bodies.findIndex(({ name }) => name === remove);
    if (at >= 0) {
      this.bodies.splice(at, 1)[0].dispose();
      this.starts.splice(at, 1);
    }
    const after = await this.read();
    this.input += after.kinetic + after.potential - before.kinetic - before.potential;
    this.lift.note();
  }

  async read(): Promise<Reading> {
    const sums = new Sums(this.data.gravity);
    const parts: PartReading[] = [];
    let released = 0;
    this.bodies.forEach((body, i) => {
      if (body.motion === "dynamic") parts.push(this.addRigid(sums, body, this.starts[i]));
    });
    for (const soft of this.softs) {
      const { part, work } = await this.addSoft(sums, soft);
      parts.push(part);
      released += work;
    }
    const joints = this.rigidJoints.map(jointReading);
    return { ...sums, input: this.input + this.lift.work + released, parts, joints, depth: this.depth() };
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
    { body, data, start, volume, stored }: Soft,
  ): Promise<{ part: PartReading; work: number }> {
    const { positions, velocities } = await body.readState();
    const { masses } = body.model;
    let [travel, height, speed, mass] = [0, Infinity, 0, 0];
    masses.forEach((m, p) => {
      const at = (of: ArrayLike<number>): Vec3 => [of[3 * p], of[3 * p + 1], of[3 * p + 2]];
      const [x, v] = [at(positions), at(velocities)];
      // a held vertex moves as its holder prescribes
      if (body.isPinned(p)) return;
      sums.add(m, x, v);
      mass += m;
      travel = most(travel, apart(x, at(start)));
      speed = most(speed, Math.hypot(...v));
      height = Math.min(height, x[1]);
    });
    const { model } = body;
    const grown = volume > 0 && "faces" in model ? enclosedVolume(positions, model.faces) - volume : 0;
    const blown = Math.max(0, grown) * Math.abs(data.options?.pressure ?? 0);
    const work = blown + Math.max(0, stored - yarnEnergy(data, positions));
    return { part: { name: body.name, mass, travel, height: height === Infinity ? 0 : height, speed }, work };
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

const apart = (a: Vec3, b: Vec3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
/** The greater one; NaN if one of them is NaN. */
const most = (a: number, b: number): number => (a >= b ? a : b);
