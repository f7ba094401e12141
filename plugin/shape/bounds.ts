export { shapeBounds, union, type Bounds } from "../../src/collision/shape/shape-bounds";
