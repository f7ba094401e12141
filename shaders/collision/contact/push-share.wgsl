#import "collision/bindings.wgsl"

// The part of a push that a particle takes, w / (w + N w_b): twin of pushShare in src/collision/obstacles/proxy-motion.ts.
// w: inverse mass of what is pushed [1/kg]; x: where [m]; n: unit normal
fn pushShare(k: u32, w: f32, x: vec3f, n: vec3f) -> f32 {
  if (colliders[k].proxy == 0u) { return 1.0; }
  let t = cross(x - colliders[k].centre, n);
  let turning = dot(colliders[k].inertiaDiagonal, t * t) + 2.0 * dot(colliders[k].inertiaOffDiagonal, t.xxy * t.yzz);
  let held = min(0.0, dot(colliders[k].support, n));
  let blocked = dot(colliders[k].blockedDiagonal, n * n) + 2.0 * dot(colliders[k].blockedOffDiagonal, n.xxy * n.yzz);
  return w / (w + colliders[k].inverseMass * (1.0 - held * held - blocked) + turning);
}
