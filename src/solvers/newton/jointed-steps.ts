/**
 * Steps of an island with joints. J is constant in a step, and SHAKE (newton-solver.ts) holds joints with it as long as
 * they turn only a little. So an island takes as many steps in a frame as its joints need, each with the current J. A
 * step that leaves joints apart or creates energy is repeated in halves.
 *
 * Contacts of the frame are kept, with constant J, and gaps follow the displacement: Cₙ ← Cₙ + h Jₙ u.
 */

import { type BodyTable, POSE_SIZE, TWIST_SIZE } from "./motion/bodies";
import { relativeSpeed } from "./contact/contacts";
import {
  addEnergy,
  addLinearEnergy,
  addSlowEnergy,
  boundEnergy,
  drivenWork,
  scaleVelocities,
  squared,
  TRUSTED_GAIN,
} from "./motion/energy-bound";
import { predict } from "./motion/free-motion";
import { advance } from "./motion/kinematic-motion";
import type { Gathering } from "./contact/gathering";
import type { IslandSystem } from "./island/island-system";
import type { NewtonSolver, RowEvaluator } from "./island/newton-solver";

/** Angle [rad] by which a joint may turn in a step. */
const MOST_TURN = 0.3;
/** Largest number of steps in a frame. */
const MOST_STEPS = 16;
/** Largest energy needed to close joints, as a part of the kinetic energy. */
const TRUSTED_ERROR = 1e-4;
/**
 * Largest gap of a joint after a step, as a part of the radius of gyration of its smaller body: beside a heavy load a light link that flies
 * off has no energy that counts.
 */
const TRUSTED_OPENING = 0.5;
/** Part of small joint errors that a step closes without giving bodies speed. */
const DRAWN = 0.3;
/**
 * Gap of a joint above which it is closed whole, as a part of the radius of gyration of its smaller body, and the largest number of
 * motions that close it.
 */
const [OPEN, MOST_MOTIONS] = [0.05, 16];
/**
 * Γ of the rows of joints that are drawn together, as a part of their mobility. Small errors: joints that cannot close, as in a taut bridge,
 * stay as they are. Large ones: at first and at least; a motion that does not help is made again with more, and the next one has less, as
 * in Levenberg's and Marquardt's method.
 */
const [STEADY, DAMPING, LEAST_DAMPING] = [1e-3, 1e-4, 1e-8];
/** Kinetic energy below which joints have friction, as a part of the energy of a fall by the size of a body. */
const SETTLING = 3e-3;
/** Largest part of its speed that an island loses by this friction in a second. */
const SETTLING_RATE = 2;

export class JointedSteps {
  /** largest gap of a joint of the island, relative to the radius of gyration of the smaller one of its bodies, and the sum of their squares */
  private opening = 0;
  private squares = 0;
  /** impulses of contacts for a whole frame */
  private impulses = new Float64Array(0);

  /** @param finish moves bodies by the velocities of a step */
  constructor(
    private readonly system: IslandSystem,
    private readonly gathering: Gathering,
    private readonly newton: NewtonSolver,
    private readonly evaluator: RowEvaluator,
    private readonly finish: (h: number) => void,
  ) {}

  /** Number of steps of a frame of H [s] for which no joint of an island turns by more than J allows. */
  count(island: number, H: number): number {
    const { joints, jointStart } = this.gathering;
    found[0] = 0;
    for (let k = jointStart[island]; k < jointStart[island + 1]; k++) joints[k].turnRate(this.system.bodies, found);
    const steps = Math.ceil((H * found[0]) / MOST_TURN);
    // a rate that is NaN gives the largest number, too
    return steps < MOST_STEPS ? Math.max(1, steps) : MOST_STEPS;
  }

  /** Steps the selected island, predicted for H [s], through the frame. */
  solve(island: number, H: number, gravity: ArrayLike<number>): void {
    const { system, gathering, newton, evaluator } = this;
    this.keepImpulses(1);
    let h = H / gathering.steps[island];
    for (let left = H; left > 1e-9 * H;) {
      if (h > left) h = left;
      const isLast = h <= H / MOST_STEPS;
      if (h < H) this.begin(island, h, H, gravity);
      this.startImpulses(h / H);
      newton.solve(system, h, evaluator, false, undefined);
      const isTrusted = this.isTrusted(h);
      if (!isTrusted) {
        for (let k = system.firstBody; k < system.firstBody + system.bodyCount; k++)
          goBack(system.bodies, system.bodyList[k]);
        if (!isLast) {
          h /= 2;
          continue;
        }
        evaluator.values(system);
        newton.sweep(system, h);
      }
      drivenWork(system, 6, work);
      this.moveGaps(h);
      this.finish(h);
      // Bodies that turn by a large angle in a step, and pushing contacts, would add energy.
      boundEnergy(system, work);
      gathering.keepJoints(island, H / h);
      this.keepImpulses(H / h);
      this.close(island, h, H, isTrusted);
      left -= h;
      if (left > 0) h = Math.min(h, H / this.count(island, H));
    }
    this.startImpulses(1);
    this.settle(H, gravity);
  }

  /** Prepares the island for a step of h instead of H. */
  private begin(island: number, h: number, H: number, gravity: ArrayLike<number>): void {
    const { system, gathering } = this;
    const { bodies, bodyList, firstBody, bodyCount, firstJoint, jointCount } = system;
    const { stiffness } = bodies.scratch;
    for (let k = firstBody; k < firstBody + bodyCount; k++) stiffness.fill(0, 6 * bodyList[k], 6 * bodyList[k] + 6);
    for (let k = firstJoint; k < firstJoint + jointCount; k++) gathering.joints[k].addStiffness(bodies, H);
    for (let k = firstBody; k < firstBody + bodyCount; k++) {
      const slot = bodyList[k];
      for (let i = 6 * slot; i < 6 * slot + 6; i++) stiffness[i] *= (h / H) * (h / H);
      predict(bodies, slot, gravity, h);
    }
    gathering.renewJoints(island, H / h, H);
    system.prepare();
  }

  /** Whether a step of h left joints closed and created no energy. */
  private isTrusted(h: number): boolean {
    const { rows, bodies, firstRow, rowCount } = this.system;
    found[0] = 0;
    addLinearEnergy(this.system, bodies.scratch.freeVelocity, found);
    addSlowEnergy(this.system, false, found);
    const before = found[0];
    let error = 0;
    for (let r = firstRow; r < firstRow + rowCount; r++)
      if (rows.isRigid(r) && rows.isBilateral(r) && rows.diagonal[r] > 0)
        error += ((rows.value[r] / h) * (rows.value[r] / h)) / rows.diagonal[r];
    // also if the error is NaN
    if (!(0.5 * error <= TRUSTED_ERROR * before)) return false;
    this.findOpening();
    if (this.opening > TRUSTED_OPENING) return false;
    // A spring may turn spin into speed even if its total work is zero.
    drivenWork(this.system, 6, work);
    drivenWork(this.system, 3, found);
    const most = Math.max(work[0], found[0]);
    found[0] = TRUSTED_GAIN * before;
    addSlowEnergy(this.system, true, found);
    const trusted = found[0] + most;
    found[0] = 0;
    addLinearEnergy(this.system, bodies.scratch.velocity, found);
    return found[0] <= trusted;
  }

  /**
   * Joints have no friction, and the arm of a lying figure would swing forever. So an island that touches something and
   * hardly moves is slowed down: its energy must be far below that of a fall by the radius of gyration of its largest
   * body.
   */
  private settle(H: number, gravity: ArrayLike<number>): void {
    const { bodies, bodyList, firstBody, bodyCount, contactCount } = this.system;
    if (contactCount === 0 || this.isDriven()) return;
    let mass = 0;
    let size = 0;
    for (let k = firstBody; k < firstBody + bodyCount; k++) {
      const inverse = bodies.scratch.inverseMass[bodyList[k]];
      if (inverse === 0) continue;
      mass += 1 / inverse;
      size = Math.max(size, gyration(bodies, bodyList[k]));
    }
    const most = SETTLING * mass * Math.sqrt(squared(gravity, 0)) * size;
    found[0] = 0;
    addEnergy(this.system, bodies.state.velocity, found);
    const energy = found[0];
    if (energy < most) scaleVelocities(this.system, 1 - H * SETTLING_RATE * (1 - energy / most));
  }

  /** Whether a motor or a spring drives the island. */
  private isDriven(): boolean {
    const { rows, firstRow, rowCount } = this.system;
    for (let r = firstRow; r < firstRow + rowCount; r++)
      if (rows.target[r] !== 0 || (rows.share[r] > 0 && !rows.isRigid(r))) return true;
    return false;
  }

  /**
   * Call after a step. Sweeps hold joints in their current state, and errors of light bodies beside heavy ones have no energy that
   * counts, so joints may be open: they are closed by motions without speed, with the J of each pose, as far as these help.
   */
  close(island: number, h: number, H: number, isTrusted: boolean, most = MOST_MOTIONS): void {
    const { system, gathering } = this;
    this.findOpening();
    let damping = DAMPING;
    let isMoved = true;
    let hasMoved = false;
    for (let motion = 0; motion < most && this.opening > OPEN; motion++) {
      const { opening, squares } = this;
      if (isMoved) gathering.renewJoints(island, H / h, H);
      const scale = this.drawTogether(1, damping);
      if (scale === 0) return;
      this.findOpening();
      isMoved = this.squares < squares;
      damping = Math.max(isMoved && scale === 1 ? damping / 10 : 10 * damping, LEAST_DAMPING);
      if (isMoved) {
        hasMoved = true;
        continue;
      }
      this.opening = opening;
      this.squares = squares;
      for (let k = system.firstBody; k < system.firstBody + system.bodyCount; k++)
        goBack(system.bodies, system.bodyList[k]);
    }
    // An axis across that of its joint has no way to turn that closes gaps: it has to turn first.
    if (!isTrusted && !hasMoved) this.drawTogether(DRAWN, STEADY);
  }

  private findOpening(): void {
    const { system, gathering } = this;
    const { bodies, firstJoint, jointCount } = system;
    let most = 0;
    let squares = 0;
    for (let k = firstJoint; k < firstJoint + jointCount; k++) {
      const joint = gathering.joints[k];
      // Steps of bodies that do not turn are exact: their joints stay closed.
      const a = gyration(bodies, joint.slotA) || Infinity;
      const b = gyration(bodies, joint.slotB) || Infinity;
      joint.gap(bodies.state.pose, found);
      const gap = found[0] / Math.min(a, b);
      most = Math.max(most, gap);
      squares += gap * gap;
    }
    this.opening = most;
    this.squares = squares;
  }

  /**
   * Moves poses, but not velocities, a part of the way to closed joints.
   *
   * @returns less than 1 if the bodies would turn too far, by so much less; 0 if there is no way
   */
  private drawTogether(part: number, compliance: number): number {
    const { system, newton, evaluator } = this;
    const { bodies, bodyList, firstBody, bodyCount } = system;
    const { response, velocity, startPose, spinOffset, inverseMass } = bodies.scratch;
    evaluator.values(system);
    if (!newton.drawTogether(system, part, compliance)) return 0;
    let turn = 0;
    for (let k = firstBody; k < firstBody + bodyCount; k++) {
      const at = TWIST_SIZE * bodyList[k] + 3;
      turn = Math.max(turn, Math.sqrt(squared(response, at)));
    }
    const scale = turn > MOST_TURN ? MOST_TURN / turn : 1;
    for (let k = firstBody; k < firstBody + bodyCount; k++) {
      const slot = bodyList[k];
      if (inverseMass[slot] === 0) continue;
      for (let i = 0; i < POSE_SIZE; i++) startPose[POSE_SIZE * slot + i] = bodies.state.pose[POSE_SIZE * slot + i];
      for (let i = TWIST_SIZE * slot; i < TWIST_SIZE * (slot + 1); i++) velocity[i] = scale * response[i];
      spinOffset.fill(0, 3 * slot, 3 * slot + 3);
      advance(bodies, slot, 1);
    }
    return scale;
  }

  private keepImpulses(scale: number): void {
    const { contacts, firstContact, contactCount } = this.system;
    if (this.impulses.length < 3 * contactCount) this.impulses = new Float64Array(6 * contactCount);
    for (let i = 0; i < 3 * contactCount; i++) this.impulses[i] = scale * contacts.impulse[3 * firstContact + i];
  }

  private startImpulses(scale: number): void {
    const { contacts, firstContact, contactCount } = this.system;
    for (let i = 0; i < 3 * contactCount; i++) contacts.impulse[3 * firstContact + i] = scale * this.impulses[i];
  }

  private moveGaps(h: number): void {
    const { contacts, bodies, firstContact, contactCount } = this.system;
    for (let c = firstContact; c < firstContact + contactCount; c++)
      contacts.gap[c] += h * relativeSpeed(contacts, c, 0, bodies.scratch.velocity);
  }
}

/** A number that functions hand over. */
const found = new Float64Array(1);
const work = new Float64Array(1);

/** Largest radius of gyration of a body [m], 0 if it does not turn. */
function gyration({ model, scratch }: BodyTable, slot: number): number {
  const inverse = scratch.inverseMass[slot];
  if (inverse === 0) return 0;
  let size = 0;
  for (let i = 3 * slot; i < 3 * slot + 3; i++) size = Math.max(size, Math.sqrt(model.inertia[i] * inverse));
  return size;
}

/** Returns a body to its pose at the start of the step. */
export function goBack({ state, scratch }: BodyTable, slot: number): void {
  for (let i = POSE_SIZE * slot; i < POSE_SIZE * (slot + 1); i++) state.pose[i] = scratch.startPose[i];
}
