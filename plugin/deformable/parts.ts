import { Part } from "../../src/part";

/** Code that measures what bodies cost. */
export const costPart = new Part(() => import("./body-cost"));
/** Code that lets far bodies take longer steps. */
export const lodPart = new Part(() => import("./level-of-detail"));
/** Code for carriers that jump. Until it has arrived, they pull at what they carry. */
export const leapPart = new Part(() => import("./leap"));
