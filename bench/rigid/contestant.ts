import type { Contestant } from "../contestant";
import type { RigidCast } from "./cast";
import type { RigidEngine } from "./engine";
import { FRAME, Judge, LOOK } from "./judge";

/** An engine of rigid bodies in a race with others; penetration is that of all frames that the judge looked at. */
export function rigidContestant(engine: RigidEngine, cast: RigidCast): Contestant {
  const judge = new Judge(cast);
  let frames = 0;
  return {
    label: engine.name === "pliant" ? { backend: "cpu" } : { peer: engine.name },
    settings: engine.settings,
    triangles: 0,
    async frame() {
      engine.step(FRAME);
    },
    async afterFrame() {
      if (++frames % LOOK === 0) judge.look(engine);
    },
    async measure() {
      judge.look(engine);
      return { ...judge.verdict };
    },
    dispose: () => engine.dispose(),
  };
}
