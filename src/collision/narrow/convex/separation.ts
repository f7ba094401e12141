/** The origin of the separating direction: a face of A, a face of B or two edges. */
export const AxisOwner = { faceA: 0, faceB: 1, edges: 2 } as const;
export type AxisOwner = (typeof AxisOwner)[keyof typeof AxisOwner];

/** The direction along which two cores are furthest apart, or overlap least. One object is used for all pairs. */
export class Separation {
  /** along the normal, negative where the cores overlap [m] */
  distance = 0;
  /** unit normal from A to B in the working frame */
  nx = 0;
  ny = 0;
  nz = 0;
  owner: AxisOwner = AxisOwner.faceA;
  /** face of the owner, or edge of A */
  indexA = 0;
  /** edge of B */
  indexB = 0;

  set(distance: number, nx: number, ny: number, nz: number, owner: AxisOwner, indexA: number, indexB: number): void {
    this.distance = distance;
    this.nx = nx;
    this.ny = ny;
    this.nz = nz;
    this.owner = owner;
    this.indexA = indexA;
    this.indexB = indexB;
  }

  /**
   * Notes a lower bound of the distance of the cores [m]; returns false, which the caller passes on: the cores are not
   * near.
   */
  isApart(distance: number): false {
    this.distance = distance;
    return false;
  }
}

/**
 * A face of B replaces one of A, and a pair of edges replaces a face, only if it is better by this part of the smaller
 * size of the two: faces give manifolds of several points, and the choice must not change with rounding.
 */
export const PREFERENCE = 1e-5;
