// One obstacle primitive in its own frame (src/collision/distance/primitives.ts tells the canonical forms), with the poses that
// it has at the start and at the end of the frame.

const COLLIDER_SPHERE = 0u;
const COLLIDER_BOX = 1u;
const COLLIDER_CAPSULE = 2u;
const COLLIDER_CYLINDER = 3u;
const COLLIDER_HULL = 4u;
const COLLIDER_GRID = 5u;
const COLLIDER_HEIGHTFIELD = 6u;

struct ColliderPrimitive {
  startPosition: vec3f,
  kind: u32,
  endPosition: vec3f,
  // 0 or 1: whether the two poses differ
  moving: u32,
  // unit quaternions on one half sphere, so that they are interpolated without a sign test
  startRotation: vec4f,
  endRotation: vec4f,
  // sphere: radius; box: half extents; capsule and cylinder: half height, radius; hull: planes; grid: samples x, y, z and
  // cell size; heightfield: samples x, z and cell sizes x, z
  size: vec4f,
  // world box that holds the primitive during the whole frame; empty (min > max) while it is disabled
  boundsMin: vec3f,
  friction: f32,
  boundsMax: vec3f,
  // first number of this primitive in colliderData
  dataOffset: u32,
  // number of the mode that friction combines by, see friction.wgsl
  frictionCombine: u32,
  // 1 + place of the rigid body's proxy that it belongs to, 0 for none; the rest is for those that do
  proxy: u32,
  // how far it has yielded out of its bounds at most [m]
  slack: f32,
  // poses at the start and at the end of the substep, see move-proxies.wgsl
  substepStartPosition: vec3f,
  // of the body in this substep, times the number of its contacts: inverse mass and inverse inertia, world axes
  inverseMass: f32,
  substepEndPosition: vec3f,
  substepStartRotation: vec4f,
  substepEndRotation: vec4f,
  // centre of mass [m]
  centre: vec3f,
  // xx, yy, zz
  inertiaDiagonal: vec3f,
  // xy, xz, yz
  inertiaOffDiagonal: vec3f,
  support: vec3f,
  // see rigid-proxy.ts: xx, yy, zz, then xy, xz, yz
  blockedDiagonal: vec3f,
  blockedOffDiagonal: vec3f,
}
