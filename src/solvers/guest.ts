/**
 * Guests: bodies of solvers that take one implicit step a frame, as seen by bodies of other solvers. Guests first make
 * their step alone. Then they yield to impulses of other bodies by the linear response of that step.
 *
 * j   impulses at the particles [N s];  A  the matrix of the step, M + h² K and all other terms;  A⁻¹ j  the answer [m/s]
 */
import type { ColliderSet } from "../collision/obstacles/collider-set";
import { ContactTable } from "../collision/soft/contact-table";
import type { DeformableModel } from "./deformable";

/** Contacts of a guest with objects that do not respond; their impulses are those of its step [N s]. */
export class HeldContacts extends ContactTable {
  /** count × 3: velocity of the particles at the contact along the frame, minus that of the touched object [m/s] */
  slip = new Float64Array(3);

  /**
   * Takes over a contact of a step.
   *
   * @param h what divides its impulse: the time step [s] where that is h² λ, 1 where it is an impulse
   */
  hold(contacts: ContactTable, n: number, h: number, slip: ArrayLike<number>): void {
    const at = 3 * this.count;
    this.take(contacts, n, n + 1);
    for (let d = 0; d < 3; d++) this.impulse[at + d] /= h;
    this.slip.set(slip, at);
  }

  /** Velocity of a contact along its normal, if that of the particles changes by u [m/s]. */
  speedWith(n: number, u: Float64Array): number {
    return this.slip[3 * n] + this.along(n, 0, u);
  }
}

export interface Guest {
  /** faces of quadratic elements are those between all their particles */
  readonly model: DeformableModel;
  /** positions without stress, particleCount × 3 [m] */
  readonly restPositions: Float64Array;
  /** edges that belong to no face, two particles each */
  readonly edges: Uint32Array | undefined;
  /** positions at the start of the frame, particleCount × 3 [m] */
  readonly start: Float64Array;
  /** and its velocities there, particleCount × 3 [m/s] */
  readonly startVelocities: Float64Array;
  /** state after the step of the guest's solver, and then as changed by other solvers */
  readonly state: { readonly positions: Float64Array; readonly velocities: Float64Array };
  /** forces of bodies of GPBD with which its solver makes the next step, a part of `push` */
  pressedBy?: { readonly isNone: boolean } | undefined;
  /** impulses of other bodies over the frame with which its solver made the step, as forces, particleCount × 3 [N] */
  readonly push: Float64Array;
  /** least distance of other guests [m] */
  readonly distance: number;
  readonly friction: number;
  readonly bodyCollision: boolean;
  /** whether the guest made a step in this frame: one that turned non-finite, or waits for its factor, stands still */
  readonly isStepped: boolean;
  /** counts placements from outside */
  readonly revision: number;
  isFixed(particle: number): boolean;
  /** Whether a particle is attached to a rigid body or another body. */
  isTied(particle: number): boolean;
  /** out = A⁻¹ j, particleCount × 3 each; zero at fixed particles. */
  answer(j: Float64Array, out: Float64Array): void;
  /** whether it is attached to a rigid body that responds, and that its answer knows nothing of */
  readonly isOnResponding?: boolean;
  /**
   * Goes on with Newton's method from its linear answer: see curved-answer.ts. A solver whose answer is linear by itself has none.
   *
   * @param j impulses, particleCount × 3 [N s]
   * @param ways change of velocity by them, as far as it is known: becomes what the body can take [m/s]
   * @param rest is filled with the change of velocity without impulses, by the matrix that `answer` has from then on [m/s]
   * @returns whether that is another one
   */
  bend?(j: Float64Array, ways: Float64Array, rest: Float64Array): boolean;
  /** Contacts of its last step with an impulse. */
  heldContacts(): HeldContacts;
  /**
   * Contacts with objects that do not respond, which it may meet if its velocity in the frame changes. They have no impulse, and the slip
   * along the normal is the speed at which its own step comes short of them.
   *
   * @param pushed change of velocity, particleCount × 3 [m/s]
   * @param h frame time [s]
   */
  hits(pushed: Float64Array, h: number, colliders: ColliderSet): HeldContacts;
  /** Elastic energy in its present state [J]. */
  elasticEnergy(): number;
}

/** Methods of a solver on the CPU that takes one implicit step a frame. */
export interface GuestSolver {
  /** the body as bodies of other solvers meet it, after its step */
  readonly guest?: Guest | undefined;
}
