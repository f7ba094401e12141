import type { ColliderSet } from "./collider-set";
import type { ContactReaction } from "./contact-reaction";
import type { RigidProxy } from "./rigid-proxy";
import type { DriveMeter } from "./drive-meter";

/** The sum of `RigidProxy.drive`. Only worlds with dynamic rigid bodies load it. */
export const driveMeter: DriveMeter = {
  note({ displacement, owner }: ContactReaction, set: ColliderSet, w, v, h, share = 1): void {
    for (let p = 0; p < owner.length; p++) {
      const k = owner[p];
      if (k >= 0 && w[p] > 0)
        for (let i = 3 * p; i < 3 * p + 3; i++) set.proxies[k].drive -= (share * h * displacement[i] * v[i]) / w[p];
    }
  },

  relate(proxy: RigidProxy, w): void {
    const { yielded, velocity, spin } = proxy;
    for (let a = 0; a < 3; a++)
      proxy.drive -= w[a] * (velocity[a] + yielded[a]) + w[3 + a] * (spin[a] + yielded[3 + a]);
  },
};
