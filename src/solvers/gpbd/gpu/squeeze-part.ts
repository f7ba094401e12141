import { Part } from "../../../part";

/** The shader of bodies that particles hold against obstacles. Until it has arrived, they are pushed by the mass of these particles. */
export const squeezePart = new Part(() => import("../../../generated/shaders/squeeze"));
