import type { RigidBodyOptions, Vec3 } from "../../../src/index";
import { drawSetting, ground } from "../draw";
import type { Family, JointData } from "../scene";

/** Cars on four sprung wheels with motors drive over a ramp and into each other. */
export const vehicles: Family = {
  name: "vehicles",
  hasGpu: true,
  draw(random) {
    const setting = drawSetting(random, 3);
    const { size, gravity } = setting;
    const speed = Math.min(setting.speed, 20 * Math.sqrt(size * 9.81));
    const bodies: RigidBodyOptions[] = [ground(setting, 1)];
    const joints: JointData[] = [];
    if (random.chance(0.6))
      bodies.push({
        name: "ramp",
        motion: "static",
        shape: { type: "box", halfExtents: [2 * size, 0.1 * size, 2 * size] },
        position: [3.5 * size, 0, 0],
        rotation: [0, 0, Math.sin(0.06), Math.cos(0.06)],
      });
    const wheelRadius = 0.15 * size;
    for (let car = random.whole(1, 4) - 1; car >= 0; car--) {
      const from: Vec3 = [-1.6 * size * car, 1.3 * wheelRadius, 0.1 * size * car];
      const mass = 300 * size ** 3;
      const wheelMass = mass * random.decades(0.003, 0.05);
      const chassis = bodies.length;
      bodies.push({
        name: `car ${car}`,
        shape: { type: "box", halfExtents: [0.5 * size, 0.1 * size, 0.25 * size] },
        mass,
        position: [from[0], from[1] + 0.2 * size, from[2]],
      });
      // the spring sinks in by a twentieth of its length, and swings with a part of critical damping
      const stiffness = (mass * -gravity[1]) / (4 * 0.05 * size);
      const damping = random.between(0.1, 1) * 2 * Math.sqrt((stiffness * mass) / 4);
      const target = -speed / wheelRadius;
      const maxForce = mass * 9.81 * wheelRadius * random.between(0.02, 0.3);
      for (const x of [-0.4, 0.4])
        for (const z of [-0.36, 0.36]) {
          const wheel = bodies.length;
          const half = 0.05 * size;
          bodies.push({
            name: `wheel of car ${car}`,
            shape: { type: "cylinder", pointA: [0, 0, -half], pointB: [0, 0, half], radius: wheelRadius },
            mass: wheelMass,
            friction: 1,
            position: [from[0] + x * size, from[1], from[2] + z * size],
          });
          joints.push({
            a: chassis,
            b: wheel,
            type: "six-dof",
            pivotA: [x * size, -0.2 * size, z * size],
            axisA: [0, 0, 1],
            axisB: [0, 0, 1],
            perpendicularA: [0, 1, 0],
            perpendicularB: [0, 1, 0],
            axes: {
              linearX: { mode: "locked" },
              linearY: { mode: "limited", min: 0, max: 0, stiffness, damping },
              linearZ: { mode: "locked" },
              angularY: { mode: "locked" },
              angularZ: { mode: "locked" },
              angularX: { motor: "velocity", target, maxForce },
            },
          });
        }
    }
    return { ...setting, floor: true, bodies, joints };
  },
};
