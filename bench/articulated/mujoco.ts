import loadMujoco from "@mujoco/mujoco";
import { toMjcf } from "../mujoco/mjcf";
import type { ArticulatedScene } from "./scenes";
import type { Task } from "./timing";

type Mujoco = Awaited<ReturnType<typeof loadMujoco>>;

/** Step of MuJoCo's differences. */
const epsilon = 1e-6;

/** The timed tasks of MuJoCo, compiled to WebAssembly. */
export interface MujocoTasks {
  readonly step: Task;
  readonly forward: Task;
  readonly central: Task;
  /** Contacts in the timed state. */
  readonly contacts: number;
  dispose(): void;
}

/** Loads MuJoCo; the version is that of the package. */
export async function loadPeer(): Promise<Mujoco> {
  return loadMujoco();
}

/** A step from the scene's state, always the same state, and its derivatives by differences. */
export function mujocoTasks(mujoco: Mujoco, scene: ArticulatedScene): MujocoTasks {
  const { mechanism, ground, timeStep, qd, tau } = scene;
  const gravity = [0, -9.81, 0] as const;
  const xml = toMjcf(mechanism, { timeStep, gravity, integrator: "Euler", ground });
  const model = mujoco.MjModel.from_xml_string(xml);
  const data = new mujoco.MjData(model);
  const { nv, nu } = model;
  const a = new mujoco.DoubleBuffer(4 * nv * nv);
  const b = new mujoco.DoubleBuffer(2 * nv * nu);
  const position = positions(scene);
  const { qpos, qvel, ctrl, qacc_warmstart: warm } = data;
  const restore = () => {
    qpos.set(position);
    qvel.set(qd);
    ctrl.set(tau);
  };
  const step = () => {
    restore();
    mujoco.mj_step(model, data);
  };
  step();
  const contacts = data.ncon;
  const warmstart = Float64Array.from(warm);
  const differences = (central: boolean) => () => {
    restore();
    warm.set(warmstart);
    mujoco.mjd_transitionFD(model, data, epsilon, central, a, b, null, null);
  };
  return {
    contacts,
    step: { name: "mj_step", run: step },
    forward: { name: "mjd_transitionFD, forward", run: differences(false) },
    central: { name: "mjd_transitionFD, central", run: differences(true) },
    dispose() {
      for (const owned of [a, b, data, model]) owned.delete();
    },
  };
}

/** Coordinates as MuJoCo has them: a free joint is a position and a quaternion, and comes first in our scenes. */
function positions({ mechanism, q }: ArticulatedScene): Float64Array {
  if (mechanism.links[0].joint.type !== "free") return q;
  const angle = Math.hypot(q[0], q[1], q[2]);
  const s = angle === 0 ? 0.5 : Math.sin(angle / 2) / angle;
  const turned = [Math.cos(angle / 2), s * q[0], s * q[1], s * q[2]];
  return Float64Array.of(q[3], q[4], q[5], ...turned, ...q.subarray(6));
}
