import { Part } from "../../src/world/backend/part";

/** Code that measures what bodies cost. */
export const costPart = new Part(() => import("./body-cost"));
/** Code that lets far bodies take longer steps. */
export const lodPart = new Part(() => import("./level-of-detail"));
