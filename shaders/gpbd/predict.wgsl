#import "gpbd/step.wgsl"
#import "gpbd/faces.wgsl"

// x̃ = x⁻ + Δt v + W f_ext: equation (3) of paper 1, with lift and drag of the air. Twin of external-forces.ts.

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
@group(0) @binding(2) var<storage, read> velocity: array<vec4f>;
// xyz: where a pinned particle is to be at the end of the frame [m]; w: inverse mass [1/kg], 0 when pinned
@group(0) @binding(3) var<storage, read> pins: array<vec4f>;
// xyz: displacement by contact in this substep; w: accumulated normal push [m]
@group(0) @binding(4) var<storage, read_write> contact: array<vec4f>;
@group(0) @binding(7) var<storage, read> faces: array<u32>;

// Semi-implicit lift and drag of a face as an acceleration [m/s²].
fn faceAirAcceleration(face: u32) -> vec3f {
  let a = faces[3u * face];
  let b = faces[3u * face + 1u];
  let c = faces[3u * face + 2u];
  let areaNormal = cross(start[b].xyz - start[a].xyz, start[c].xyz - start[a].xyz);
  let doubleArea = length(areaNormal);
  let wind = step.wind - (velocity[a].xyz + velocity[b].xyz + velocity[c].xyz) / 3.0;
  let speed = length(wind);
  if (!(doubleArea > 0.0) || !(speed > 0.0)) {
    return vec3f(0.0);
  }
  var n = areaNormal / doubleArea;
  var normalSpeed = dot(n, wind);
  if (normalSpeed < 0.0) {
    normalSpeed = -normalSpeed;
    n = -n;
  }
  let rate = 0.5 * step.airDensity * normalSpeed / step.arealMass;
  let damped = rate / (1.0 + step.h * rate * (step.drag + step.lift));
  return damped * ((step.drag - step.lift * normalSpeed / speed) * wind + step.lift * speed * n);
}

@compute @workgroup_size(64)
fn predict(@builtin(global_invocation_id) id: vec3u) {
  let p = id.x;
  if (p >= step.particleCount) {
    return;
  }
  let pin = pins[p];
  contact[p] = vec4f(0.0);
  if (pin.w == 0.0) {
    displacement[p] = vec4f((pin.xyz - start[p].xyz) * step.pinShare, 0.0);
    return;
  }
  var acceleration = step.gravity;
  if (step.airDensity > 0.0) {
    let first = faceOffsets[p];
    let last = faceOffsets[p + 1u];
    var sum = vec3f(0.0);
    for (var i = first; i < last; i++) {
      sum += faceAirAcceleration(faceEntries[i] / 3u);
    }
    if (last > first) {
      acceleration += sum / f32(last - first);
    }
  }
  displacement[p] = vec4f(step.h * step.decay * (velocity[p].xyz + step.h * acceleration), pin.w);
}
