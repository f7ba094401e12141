import type { GpuContext } from "../../gpu/device";
import type { RigidWorld } from "../rigid/rigid-world";

/** What solvers of bodies in one world share. */
export interface SolverHost {
  /** rigid bodies, for solvers that solve them together with deformable ones; it stands for the world below */
  readonly rigid: RigidWorld;
}

/** Something that all bodies of a world share, made when the first of them asks for it. */
export function perWorld<T>(create: () => T): (host: SolverHost) => T {
  const made = new WeakMap<RigidWorld, { value: T }>();
  return ({ rigid }) => {
    const known = made.get(rigid) ?? { value: create() };
    made.set(rigid, known);
    return known.value;
  };
}

/** As `perWorld` for what lives on a device: a world that goes on with another device begins another one. */
export function perDevice<T, Rest extends readonly unknown[] = []>(
  create: (context: GpuContext, host: SolverHost, ...rest: Rest) => T,
): (host: SolverHost, context: GpuContext, ...rest: Rest) => T {
  const made = new WeakMap<RigidWorld, { context: GpuContext; value: T }>();
  return (host, context, ...rest) => {
    const { rigid } = host;
    const known = made.get(rigid);
    if (known?.context === context) return known.value;
    const value = create(context, host, ...rest);
    made.set(rigid, { context, value });
    return value;
  };
}
