#import "newton/deformable/element.wgsl"
#import "newton/deformable/model.wgsl"

// Passes over elements: their force, their stiffness and their damping.

const unit = mat3x3f(1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0);

struct Deformation {
  frame: Svd3,
  point: StretchPoint,
}

// x_a − x₀ of a corner at the start of the step, without loss far from the origin
fn edgeAtStart(e: FemElement, a: u32) -> vec3f {
  let x = e.corners[a];
  let origin = e.corners.x;
  return (nodeStates[x].position - nodeStates[origin].position) + (nodeStates[x].low - nodeStates[origin].low);
}

fn edgeVelocity(e: FemElement, a: u32) -> vec3f {
  return nodeStates[e.corners[a]].u - nodeStates[e.corners.x].u;
}

// F from the edges of corners 1 to 3
fn gradientOf(e: FemElement, edges: mat3x3f) -> mat3x3f {
  var f: mat3x3f;
  for (var i = 0u; i < 3u; i++) { f[i] = edges * vec3f(e.gradient1[i], e.gradient2[i], e.gradient3[i]); }
  return f;
}

fn deformed(e: FemElement, edges: mat3x3f, inertia: f32) -> Deformation {
  var result: Deformation;
  result.frame = svd3(gradientOf(e, edges));
  // Stress is linear in all of them.
  let share = driven[e.stressAt].y;
  let pressure = share * driven[e.stressAt].x;
  let sigma = result.frame.sigma;
  result.point =
    stretchPoint(e.law, e.dimension, share * e.mu, share * e.lambda, pressure, share * inertia, sigma);
  return result;
}

// ĝ of the corners, as columns: 0 comes from the others
fn turnedGradients(e: FemElement, v: mat3x3f) -> array<vec3f, 4> {
  let back = transpose(v);
  let g1 = back * e.gradient1;
  let g2 = back * e.gradient2;
  let g3 = back * e.gradient3;
  return array<vec3f, 4>(-(g1 + g2 + g3), g1, g2, g3);
}

fn startEdges(e: FemElement) -> mat3x3f {
  return mat3x3f(edgeAtStart(e, 1u), edgeAtStart(e, 2u), edgeAtStart(e, 3u));
}

// h D at the start of the step.
@compute @workgroup_size(64)
fn dampElements(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= soft.elements) { return; }
  let e = elements[id.x];
  let scale = soft.h * e.damping * e.volume;
  if (e.dimension == 0u || !(scale > 0.0)) {
    for (var pair = 0u; pair < 10u; pair++) { dampingBlocks[10u * id.x + pair] = mat3x3f(); }
    return;
  }
  let shape = deformed(e, startEdges(e), 0.0);
  let frame = materialFrame(shape.frame.u, shape.frame.sigma, e.dimension, shape.point);
  var g = turnedGradients(e, shape.frame.v);
  for (var a = 0u; a < 4u; a++) {
    for (var b = 0u; b <= a; b++) {
      dampingBlocks[10u * id.x + a * (a + 1u) / 2u + b] = scale * stiffnessBlock(frame, g[a], g[b]);
    }
  }
}

// Springs without length, between any two corners.
fn evaluateBending(index: u32, e: FemElement) {
  let edges = startEdges(e) + soft.h * mat3x3f(edgeVelocity(e, 1u), edgeVelocity(e, 2u), edgeVelocity(e, 3u));
  var x = array<vec3f, 4>(vec3f(0.0), edges[0], edges[1], edges[2]);
  var springs = array<vec3f, 2>(e.gradient1, e.gradient2);
  var force: array<vec3f, 4>;
  var sums: array<f32, 4>;
  let share = driven[e.stressAt].y;
  let square = soft.h * soft.h;
  for (var a = 1u; a < 4u; a++) {
    for (var b = 0u; b < a; b++) {
      let n = a * (a - 1u) / 2u + b;
      let k = share * springs[n / 3u][n % 3u];
      let pull = soft.h * k * (x[a] - x[b]);
      force[a] += pull;
      force[b] -= pull;
      sums[a] += k;
      sums[b] += k;
      elementWorks[index].stiffness[a * (a + 1u) / 2u + b] = -square * k * unit;
    }
  }
  for (var a = 0u; a < 4u; a++) {
    elementWorks[index].force[a] = force[a];
    elementWorks[index].stiffness[a * (a + 3u) / 2u] = square * sums[a] * unit;
  }
}

// Force and stiffness at the iterate.
@compute @workgroup_size(64)
fn evaluateElements(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= soft.elements || softControl.state == SOFT_SOLVED) { return; }
  let e = elements[id.x];
  if (e.dimension == 0u) {
    evaluateBending(id.x, e);
    return;
  }
  let speeds = mat3x3f(edgeVelocity(e, 1u), edgeVelocity(e, 2u), edgeVelocity(e, 3u));
  let shape = deformed(e, startEdges(e) + soft.h * speeds, e.inertia / (soft.h * soft.h));
  var g = turnedGradients(e, shape.frame.v);
  let isProjected = bodyControls[softNodes[e.corners.x].body].isProjected == 1u;
  let frame = stiffnessFrame(shape.frame.u, shape.frame.sigma, e.dimension, shape.point, isProjected);
  let first = 10u * id.x;
  var total = vec3f(0.0);
  for (var a = 3u; a > 0u; a--) {
    var force = soft.h * e.volume * (shape.frame.u * (shape.point.stress * g[a]));
    if (soft.isDamped == 1u) {
      for (var b = 1u; b < 4u; b++) {
        if (b <= a) {
          force += dampingBlocks[first + a * (a + 1u) / 2u + b] * speeds[b - 1u];
        } else {
          force += transpose(dampingBlocks[first + b * (b + 1u) / 2u + a]) * speeds[b - 1u];
        }
      }
    }
    elementWorks[id.x].force[a] = force;
    total += force;
  }
  elementWorks[id.x].force[0] = -total;
  let scale = soft.h * soft.h * e.volume;
  for (var a = 0u; a < 4u; a++) {
    for (var b = 0u; b <= a; b++) {
      let pair = a * (a + 1u) / 2u + b;
      var part = scale * stiffnessBlock(frame, g[a], g[b]);
      if (soft.isDamped == 1u) { part += dampingBlocks[first + pair]; }
      elementWorks[id.x].stiffness[pair] = part;
    }
  }
}
