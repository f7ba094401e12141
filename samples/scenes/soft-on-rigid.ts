import { softAndRigid } from "../soft-and-rigid";

/** A soft cube comes to rest on a rigid box. */
export const softOnRigid = softAndRigid(
  {
    name: "soft-on-rigid",
    title: "Soft on rigid",
    description: "A soft cube on a rigid box, solved together; beside them the same two meet in free space.",
  },
  true,
);
