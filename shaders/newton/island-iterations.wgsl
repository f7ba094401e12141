#import "newton/island-lanes.wgsl"

// The two iterations of an island: conjugate residuals for a Newton step, and contact by contact.

// (J M⁻¹ Jᵀ + C) x on unknowns that take part
fn product(x: vec3f) -> vec3f {
  respond(x);
  return w.engaged * (speedOf(responses()) + w.shift * x);
}

// Preconditioned conjugate residuals (8.2): w.x with (J M⁻¹ Jᵀ + C) x = w.rightSide, where unknowns that take no part have
// their forced values. The product is at one place in the loop, since compilers write it out at each.
fn solveLinear(isForced: bool, epsilon: f32) {
  w.shift += epsilon * w.engaged * w.diagonal;
  let diagonal = w.diagonal + w.shift;
  w.inverse = select(vec3f(0.0), w.engaged / diagonal, (diagonal > vec3f(0.0)) & (w.engaged > vec3f(0.0)));
  w.x = vec3f(0.0);
  w.r = w.rightSide;
  w.z = select(w.inverse * w.r, w.forced, isForced);
  w.d = vec3f(0.0);
  w.ad = vec3f(0.0);
  var zaz = 0.0;
  var enough = -1.0;
  var isFirst = isForced;
  for (var k = 0u; k < step.linearIterations; k++) {
    w.az = product(w.z);
    if (isFirst) {
      isFirst = false;
      w.r -= w.az;
      w.z = w.inverse * w.r;
      workgroupBarrier();
      continue;
    }
    let sums = total(vec4f(dot(w.z, w.az), dot(w.r, w.z), 0.0, 0.0));
    if (enough < 0.0) {
      enough = step.linearTolerance * step.linearTolerance * sums.y;
    } else if (sums.y <= enough) {
      break;
    }
    if (!(sums.x > 1e-30)) { break; }
    let beta = select(0.0, sums.x / zaz, zaz > 0.0);
    zaz = sums.x;
    w.d = w.z + beta * w.d;
    w.ad = w.az + beta * w.ad;
    let q = w.inverse * w.ad;
    let apq = total(vec4f(dot(w.ad, q), 0.0, 0.0, 0.0)).x;
    if (!(apq > 1e-30)) { break; }
    let alpha = zaz / apq;
    w.x += alpha * w.d;
    w.r -= alpha * w.ad;
    w.z = w.inverse * w.r;
  }
  w.x = select(w.forced, w.x, w.engaged > vec3f(0.0));
}

// Contact by contact iteration, colour after colour, to and fro.
fn sweep(count: u32, colours: u32) {
  var rest = vec3f(0.0);
  if (hasBlock) {
    w.speed = speedOf(twists()) + w.ambient;
    rest = rowRest(step.h);
  }
  for (var n = 0u; n < count; n++) {
    for (var c = 0u; c < colours; c++) {
      let colour = select(colours - 1u - c, c, (n & 1u) == 0u);
      if (hasBlock && own.colour == colour) {
        let u = sweptBlock(own, twists(), rest);
        if (own.localA != NONE) { setMotion(own.localA, u.a.linear, u.a.spin); }
        if (own.localB != NONE) { setMotion(own.localB, u.b.linear, u.b.spin); }
      }
      workgroupBarrier();
    }
  }
}
