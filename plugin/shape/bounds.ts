export { shapeBounds, union, type Bounds } from "../../src/collision/shape-bounds";
