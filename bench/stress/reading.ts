import type { Vec3 } from "../../src/index";

/** A body at some moment. */
export interface PartReading {
  readonly name: string;
  /** [kg] */
  readonly mass: number;
  /** furthest way of a point of it from where that was at first [m] */
  readonly travel: number;
  /** of the centre of what is rigid, of the lowest point of what is soft [m] */
  readonly height: number;
  /** [m/s] */
  readonly speed: number;
}

export interface JointReading {
  readonly name: string;
  /** distance of what it holds together [m] */
  readonly gap: number;
}

/** What a scene is at some moment. */
export interface Reading {
  /** [J] */
  readonly kinetic: number;
  /** of gravity, and of springs where they are known [J] */
  readonly potential: number;
  /** work that motors and pressure may have done so far, at most [J] */
  readonly input: number;
  /** [kg m/s] */
  readonly momentum: Vec3;
  /** Σ m |v|, what an error of it is a part of */
  readonly momentumScale: number;
  /** about the origin [kg m²/s] */
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

  /** A point of mass at x that moves with v. */
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

  /** What turns about its own centre. */
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
