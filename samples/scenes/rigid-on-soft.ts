import { softAndRigid } from "../soft-and-rigid";

/** A rigid box comes to rest on a soft cushion. */
export const rigidOnSoft = softAndRigid(
  {
    name: "rigid-on-soft",
    title: "Rigid on soft",
    description: "A rigid box on a soft cushion, solved together; beside them the same two meet in free space.",
  },
  false,
);
