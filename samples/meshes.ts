import bunny from "bunny";
import teapot from "teapot";

/** A triangle mesh in meters that stands on y = 0, centered on the y axis. */
export interface StandingMesh {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

/** The Stanford bunny of the npm package `bunny`, `height` meters tall, turned about the y axis (radians). */
export const standingBunny = (height: number, turn = 0): StandingMesh => standing(bunny, height, turn);

/** The Utah teapot of the npm package `teapot`, `height` meters tall, turned about the y axis (radians). */
export const standingTeapot = (height: number, turn = 0): StandingMesh => standing(teapot, height, turn);

function standing(mesh: { positions: number[][]; cells: number[][] }, height: number, turn: number): StandingMesh {
  const lowest = [Infinity, Infinity, Infinity];
  const highest = [-Infinity, -Infinity, -Infinity];
  for (const point of mesh.positions) {
    for (let axis = 0; axis < 3; axis++) {
      lowest[axis] = Math.min(lowest[axis], point[axis]);
      highest[axis] = Math.max(highest[axis], point[axis]);
    }
  }
  const scale = height / (highest[1] - lowest[1]);
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
  const positions = mesh.positions.flatMap(([px, py, pz]) => {
    const x = scale * (px - (lowest[0] + highest[0]) / 2);
    const z = scale * (pz - (lowest[2] + highest[2]) / 2);
    return [cos * x + sin * z, scale * (py - lowest[1]), cos * z - sin * x];
  });
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(mesh.cells.flat()) };
}
