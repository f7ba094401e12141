// Proxies of rigid bodies: twin of src/collision/obstacles/rigid-proxy.ts.

// Data of a body that the host writes in each frame.
struct RigidProxy {
  // centre of mass at the start of the frame [m]
  centre: vec3f,
  // [1/kg]
  inverseMass: f32,
  // planned velocity of the centre of mass in the frame [m/s]
  velocity: vec3f,
  // [s]
  frameTime: f32,
  // of the inverse inertia tensor, world axes [1/(kg m²)]: xx, yy, zz
  inverseInertiaDiagonal: vec3f,
  // 1 when the host was sent the impulses of the last frame: they begin at zero then
  wrenchWasSent: u32,
  // xy, xz, yz
  inverseInertiaOffDiagonal: vec3f,
  // particles that it carries
  carried: f32,
  // in which something else holds it, see rigid-proxy.ts
  support: vec3f,
  // see rigid-proxy.ts
  mobility: f32,
  // directions in which joints hold it, see rigid-proxy.ts: xx, yy, zz, then xy, xz, yz
  blockedDiagonal: vec3f,
  blockedOffDiagonal: vec3f,
  // how it turns meanwhile [rad/s]
  spin: vec3f,
  turning: f32,
  // what it has at the end of the frame [m/s], [rad/s]
  endVelocity: vec3f,
  endSpin: vec3f,
  // what acts substep by substep, see rigid-proxy.ts [m/s²], [m/s]
  acceleration: vec3f,
  drift: vec3f,
  // [rad/s²], [rad/s]
  spinAcceleration: vec3f,
  spinDrift: vec3f,
  // what the host has taken over since the last frame
  takenVelocity: vec3f,
  takenSpin: vec3f,
  takenOffset: vec3f,
  takenTurn: vec3f,
}

struct ProxyState {
  // impulse [N s] by contacts, and angular impulse about where the centre of mass was when they gave it [N m s]
  impulse: vec3f,
  // how many particles it pushed in the last substep
  contacts: f32,
  angularImpulse: vec3f,
  // how the body has yielded to them and the host has not taken over: [m/s], [rad/s], [m], rotation vector [rad]
  velocity: vec3f,
  spin: vec3f,
  offset: vec3f,
  turn: vec3f,
  // offset and turn at the start of the frame
  baseOffset: vec3f,
  baseTurn: vec3f,
}
