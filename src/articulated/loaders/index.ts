export { loadMjcf, type MjcfOptions } from "./mjcf";
export { loadSkel, type SkelOptions } from "./skel";
export { loadUrdf, type UrdfOptions } from "./urdf";
export type { LoadedMechanism, MeshData, MeshLoader } from "./loaded";
