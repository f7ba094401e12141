import type { DeformableBody } from "../../src/index";

/**
 * Kinetic energy of a body, and its potential energy of gravity [J].
 *
 * @param gravity downwards [m/s²]
 */
export async function softEnergy(
  body: DeformableBody,
  gravity: number,
): Promise<{ kinetic: number; potential: number }> {
  const { positions: x, velocities: v } = await body.readState();
  let [kinetic, potential] = [0, 0];
  body.model.masses.forEach((m, p) => {
    kinetic += 0.5 * m * (v[3 * p] ** 2 + v[3 * p + 1] ** 2 + v[3 * p + 2] ** 2);
    potential += m * gravity * x[3 * p + 1];
  });
  return { kinetic, potential };
}
