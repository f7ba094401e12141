#import "newton/bindings.wgsl"

// Variables that invocations share in a workgroup that solves an island, and those of each invocation for its block and its body.

override WIDTH: u32 = 64u;
override BODIES: u32 = 64u;

@group(0) @binding(7) var<storage, read_write> reports: array<f32>;

// linear and angular velocity, 6 numbers a body
var<workgroup> motion: array<f32, BODIES * 6u>;
// M⁻¹ Jᵀ x, likewise
var<workgroup> response: array<f32, BODIES * 6u>;
// of each block: force, moment on A, moment on B; also the scratch of sums
var<workgroup> wrenches: array<f32, WIDTH * 9u>;
var<workgroup> partial: array<vec4f, 16>;
var<workgroup> result: vec4f;

// this invocation's body and block, if it has them
var<private> hasBody: bool;
var<private> hasBlock: bool;
var<private> lane: u32;
var<private> place: u32;
var<private> body: BodyInput;
var<private> free: FreeMotion;
var<private> start: BodyState;
var<private> heldLinear: vec3f;
var<private> heldSpin: vec3f;
var<private> bestLinear: vec3f;
var<private> bestSpin: vec3f;
var<private> own: Block;
var<private> firstIncidence: u32;
var<private> endIncidence: u32;

fn bodyTwist(local: u32) -> Twist {
  let at = 6u * local;
  return Twist(
    vec3f(motion[at], motion[at + 1u], motion[at + 2u]),
    vec3f(motion[at + 3u], motion[at + 4u], motion[at + 5u]),
  );
}

fn setMotion(local: u32, linear: vec3f, angular: vec3f) {
  let at = 6u * local;
  for (var k = 0u; k < 3u; k++) {
    motion[at + k] = linear[k];
    motion[at + 3u + k] = angular[k];
  }
}

fn responseTwist(local: u32) -> Twist {
  let at = 6u * local;
  return Twist(
    vec3f(response[at], response[at + 1u], response[at + 2u]),
    vec3f(response[at + 3u], response[at + 4u], response[at + 5u]),
  );
}

// Velocities of the block's bodies.
fn twists() -> Twists {
  var u: Twists;
  if (own.localA != NONE) { u.a = bodyTwist(own.localA); }
  if (own.localB != NONE) { u.b = bodyTwist(own.localB); }
  return u;
}

// Responses of the block's bodies.
fn responses() -> Twists {
  var u: Twists;
  if (own.localA != NONE) { u.a = responseTwist(own.localA); }
  if (own.localB != NONE) { u.b = responseTwist(own.localB); }
  return u;
}

// response = M⁻¹ Jᵀ x
fn respond(x: vec3f) {
  if (hasBlock) {
    let f = w.direction * x;
    let a = w.turnA * x;
    let b = w.turnB * x;
    let at = 9u * lane;
    for (var k = 0u; k < 3u; k++) {
      wrenches[at + k] = f[k];
      wrenches[at + 3u + k] = a[k];
      wrenches[at + 6u + k] = b[k];
    }
  }
  workgroupBarrier();
  if (hasBody) {
    var f = vec3f(0.0);
    var t = vec3f(0.0);
    for (var i = firstIncidence; i < endIncidence; i++) {
      let entry = lists[i];
      let at = 9u * (entry >> 1u);
      let side = entry & 1u;
      let turn = at + 3u + 3u * side;
      f += select(-1.0, 1.0, side == 1u) * vec3f(wrenches[at], wrenches[at + 1u], wrenches[at + 2u]);
      t += vec3f(wrenches[turn], wrenches[turn + 1u], wrenches[turn + 2u]);
    }
    f *= start.inverseMass;
    t = free.inverseInertia * t;
    let at = 6u * lane;
    for (var k = 0u; k < 3u; k++) {
      response[at + k] = f[k];
      response[at + 3u + k] = t[k];
    }
  }
  workgroupBarrier();
}

// u += M⁻¹ Jᵀ x, that is t times the response that is there
fn follow(t: f32) {
  if (hasBody) {
    let at = 6u * lane;
    for (var k = 0u; k < 6u; k++) { motion[at + k] += t * response[at + k]; }
  }
  workgroupBarrier();
}

// Over all invocations: sums of x and y, the largest z and w.
fn total(v: vec4f) -> vec4f {
  let at = 9u * lane;
  wrenches[at] = v.x;
  wrenches[at + 1u] = v.y;
  wrenches[at + 2u] = v.z;
  wrenches[at + 3u] = v.w;
  workgroupBarrier();
  if (lane < 16u) {
    var sum = vec4f(0.0);
    for (var i = lane; i < WIDTH; i += 16u) {
      let source = 9u * i;
      sum = vec4f(
        sum.x + wrenches[source],
        sum.y + wrenches[source + 1u],
        max(sum.z, wrenches[source + 2u]),
        max(sum.w, wrenches[source + 3u]),
      );
    }
    partial[lane] = sum;
  }
  workgroupBarrier();
  if (lane == 0u) {
    var sum = partial[0];
    for (var i = 1u; i < 16u; i++) { sum = vec4f(sum.xy + partial[i].xy, max(sum.zw, partial[i].zw)); }
    result = sum;
  }
  return workgroupUniformLoad(&result);
}
