import { Part } from "../../src/world/backend/part";

/** The code that measures what bodies cost. */
export const costPart = new Part(() => import("./body-cost"));
