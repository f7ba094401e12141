import type { ColliderSet } from "../../collision/obstacles/collider-set";
import type { Vec3 } from "../../math/types";
import type { BackendName } from "../backend/backend";
import type { Systems } from "../backend/systems";
import type { DeformableBody } from "../body";
import type { RigidWorld } from "../rigid/rigid-world";

/** All that sleep depends on, see `World`. */
export interface SleepScene {
  readonly bodies: readonly DeformableBody[];
  readonly rigid: RigidWorld;
  readonly colliderSet: ColliderSet;
  readonly systems: Systems;
  readonly backend: BackendName;
  /** [m/s²] */
  readonly gravity: Vec3;
}
