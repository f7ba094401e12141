export { shapeMoments, sumMoments, type Moments } from "../../src/collision/shape/moments";
