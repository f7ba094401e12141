import {
  boxTetrahedra,
  clothModel,
  gridMesh,
  ropeModel,
  solidModel,
  type BodyModel,
  type DeformableBody,
  type Vec3,
  type World,
} from "../../src/index";
import { solidLaws, type SolidLaw } from "../../src/materials/solid-material";
import { RandomGeometry } from "../collision/random";
import { softEnergy } from "./soft-energy";
import { tilted } from "./tilted";
import { frameTime } from "./worlds";

/** The partners of a meeting: solids with each other, with cloth or a rope, with a body of another solver, or one that may touch itself. */
export const meetings = ["two", "three", "cloth", "rope", "itself", "local-global", "newton"] as const;
export type Meeting = (typeof meetings)[number];

interface Thrown {
  readonly model: BodyModel;
  readonly velocity: Vec3;
  readonly selfCollision?: boolean;
}

/** Bodies that fly at each other. */
export function drawMeeting(meeting: Meeting, seed: number): { size: number; gravity: number; thrown: Thrown[] } {
  const random = new RandomGeometry(1000 * meetings.indexOf(meeting) + seed);
  const decades = (low: number, high: number): number => low * (high / low) ** random.between(0, 1);
  const size = decades(1e-3, 10);
  // in sizes per second, or less than 40 m/s
  const speed = Math.min(40, size * decades(1, 1000), decades(1, 40));
  const gravity = seed % 2 === 0 ? 9.81 : 0;
  const solid = (
    center: Vec3,
    velocity: Vec3,
    laws: readonly SolidLaw[],
    solver?: "local-global" | "newton",
  ): Thrown => {
    const density = decades(100, 1e4);
    const cells = 1 + Math.floor(random.between(0, 1.999));
    const material = {
      model: laws[Math.floor(random.between(0, laws.length - 0.001))],
      youngsModulus: Math.min(1e8, Math.max(1e3, density * speed * speed * decades(1e-2, 10))),
      poissonRatio: [0, 0.3, 0.45, 0.49, 0.499][Math.floor(random.between(0, 4.999))],
      density,
    };
    const mesh = boxTetrahedra({ size: [size, size, size], cells: [cells, cells, cells] });
    const positions = tilted(mesh.positions, random.between(0, 0.8)).map((value, i) => value + center[i % 3]);
    return {
      model: solidModel({ positions, tetrahedra: mesh.tetrahedra, material, ...(solver && { solver }) }),
      velocity,
    };
  };
  const aside = (): number => random.between(-0.4, 0.4) * size;
  const up = (share: number): Vec3 => [0.2 * speed * random.between(-1, 1), share * speed, 0];
  const first = solid([0, 0, 0], up(1), solidLaws);
  const height = 1.7 * size;
  const other = (): Thrown[] => {
    switch (meeting) {
      case "two":
        return [solid([aside(), height, aside()], up(-1), solidLaws)];
      case "three":
        return [
          solid([aside(), height, aside()], up(-1), solidLaws),
          solid([aside(), -height, aside()], up(2), solidLaws),
        ];
      case "cloth": {
        const mesh = gridMesh({ width: 2 * size, height: 2 * size, columns: 8, rows: 8, center: [0, 1.1 * size, 0] });
        return [{ model: clothModel(mesh), velocity: up(-0.5) }];
      }
      case "rope": {
        const positions = Array.from({ length: 13 }, (_, i) => [(size * (i - 6)) / 6, 1.1 * size, 0.1 * size]).flat();
        return [{ model: ropeModel({ positions, radius: 0.02 * size, density: 1000 }), velocity: up(-0.5) }];
      }
      case "itself":
        return [];
      default:
        return [solid([aside(), height, aside()], up(-1), ["stable-neo-hookean", "corotational"], meeting)];
    }
  };
  const thrown = [{ ...first, selfCollision: meeting === "itself" }, ...other()];
  return { size, gravity, thrown };
}

export interface Outcome {
  /** gain of kinetic and potential energy, as a part of the initial energy and the work of gravity */
  readonly energy: number;
  /** momentum from nothing, as a part of Σ m |v| */
  readonly momentum: number;
}

/** Throws bodies together. */
export async function throwTogether(world: World, meeting: Meeting, seed: number, frames: number): Promise<Outcome> {
  const { size, gravity, thrown } = drawMeeting(meeting, seed);
  if (meeting === "itself")
    world.addCollider({ type: "box", halfExtents: [1e3, 1e3, 1e3] }, { position: [0, 1e3 + size, 0] });
  const bodies = thrown.map(({ model, velocity, selfCollision = false }) => {
    const body = world.addBody(model, selfCollision ? { airDensity: 0, selfCollision } : { airDensity: 0 });
    body.writeState({ positions: model.positions, velocities: model.positions.map((_, i) => velocity[i % 3]) });
    return body;
  });
  const start = await look(bodies, gravity);
  let [energy, momentum, work] = [0, 0, 0];
  for (let frame = 1; frame <= frames; frame++) {
    world.step(frameTime);
    const now = await look(bodies, gravity);
    const fallen = start.potential - now.potential;
    work = Math.max(work, fallen);
    energy = Math.max(energy, (now.kinetic - Math.max(0, fallen) + work) / (start.kinetic + work));
    const fall = -gravity * start.mass * frame * frameTime;
    const off = Math.hypot(
      now.momentum[0] - start.momentum[0],
      now.momentum[1] - start.momentum[1] - fall,
      now.momentum[2] - start.momentum[2],
    );
    momentum = Math.max(momentum, off / (start.scale + Math.abs(fall)));
    if (!(energy < 1e6)) break;
  }
  return { energy, momentum };
}

async function look(bodies: readonly DeformableBody[], gravity: number) {
  const sum = { kinetic: 0, potential: 0, momentum: [0, 0, 0], mass: 0, scale: 0 };
  for (const body of bodies) {
    const { kinetic, potential } = await softEnergy(body, gravity);
    sum.kinetic += kinetic;
    sum.potential += potential;
    const { velocities: v } = await body.readState();
    body.model.masses.forEach((m, p) => {
      sum.mass += m;
      sum.scale += m * Math.hypot(v[3 * p], v[3 * p + 1], v[3 * p + 2]);
      for (let c = 0; c < 3; c++) sum.momentum[c] += m * v[3 * p + c];
    });
  }
  return sum;
}
