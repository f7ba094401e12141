import { Part } from "../../part";

/** Code that puts bodies of higher layers outside those of lower ones. Bodies with a layer wait for it. */
export const layersPart = new Part(() => import("../layers/arrange-layers"));
