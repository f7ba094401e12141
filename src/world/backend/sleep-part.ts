import { Part } from "../../part";

/** Code that lets deformable bodies on the CPU sleep. Until it has arrived, they stay awake. */
export const sleepPart = new Part(() => import("../sleep/sleepers"));
