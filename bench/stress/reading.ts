import type { Vec3 } from "../../src/index";

/** The state of a body at some moment. */
export interface PartReading {
  readonly name: string;
  /** [kg] */
  readonly mass: number;
  /** largest distance of one of its points from the initial place [m] */
  readonly travel: number;
  /** height of the center of a rigid body, of the lowest point of a soft one [m] */
  readonly height: number;
  /** [m/s] */
  readonly speed: number;
}

export interface JointReading {
  readonly name: string;
  /** distance between the joined points [m] */
  readonly gap: number;
  /** distance that bodies of solvers that take turns may be apart in motion [m] */
  readonly slack?: number;
}

/** The state of a scene at some moment. */
export interface Reading {
  /** [J] */
  readonly kinetic: number;
  /** potential energy of gravity, and of springs if they are known [J] */
  readonly potential: number;
  /** upper bound of the work of motors and pressure so far, of what bodies get that begin in each other, and of what yarn released [J] */
  readonly input: number;
  /** elastic energy, except that of yarn; infinite where it isn't known [J] */
  readonly stored: number;
  /** [kg m/s] */
  readonly momentum: Vec3;
  /** Σ m |v|, the scale of errors of momentum */
  readonly momentumScale: number;
  /** angular momentum about the origin [kg m²/s] */
  readonly angular: Vec3;
  readonly angularScale: number;
  readonly parts: readonly PartReading[];
  readonly joints: readonly JointReading[];
  /** deepest contact of rigid bodies [m] */
  readonly depth: number;
}

/** Adds up a reading, particle by particle and body by body. */
export class Sums {
  kinetic = 0;
  potential = 0;
  momentumScale = 0;
  angularScale = 0;
  readonly momentum: [number, number, number] = [0, 0, 0];
  readonly angular: [number, number, number] = [0, 0, 0];

  constructor(private readonly gravity: Vec3) {}

  /** A point mass at x with velocity v. */
  add(mass: number, x: Vec3, v: Vec3): void {
    this.kinetic += 0.5 * mass * dot(v, v);
    this.potential -= mass * dot(this.gravity, x);
    this.momentumScale += mass * Math.hypot(...v);
    this.angularScale += mass * Math.hypot(...x) * Math.hypot(...v);
    const turned = cross(x, v);
    for (let c = 0; c < 3; c++) {
      this.momentum[c] += mass * v[c];
      this.angular[c] += mass * turned[c];
    }
  }

  /** The rotation of a body about its own center. */
  spin(angular: Vec3, rate: Vec3): void {
    this.kinetic += 0.5 * dot(angular, rate);
    this.angularScale += Math.hypot(...angular);
    for (let c = 0; c < 3; c++) this.angular[c] += angular[c];
  }
}

const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
