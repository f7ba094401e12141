/** Three numbers: a position [m], a direction or a velocity [m/s]. */
export type Vec3 = readonly [number, number, number];
/** A unit quaternion (x, y, z, w). */
export type Quat = readonly [number, number, number, number];
