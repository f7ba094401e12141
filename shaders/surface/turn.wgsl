#import "surface/range.wgsl"

// Displacements of a turn of several substeps, for surfaces, and the last substep's, for the body.

@group(1) @binding(2) var<uniform> part: SurfaceRange;
// of the body, see particles.wgsl
@group(0) @binding(0) var<storage, read_write> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// of all bodies
@group(0) @binding(2) var<storage, read_write> surfaceStart: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> surfaceShift: array<vec4f>;
// of the body: at least so far from all obstacles, see near-obstacles.wgsl
@group(0) @binding(4) var<storage, read_write> clearance: array<f32>;

// The particle's place in the turn so far.
fn turned(p: u32) -> vec3f {
  return start[p].xyz - surfaceStart[part.first + p].xyz + displacement[p].xyz;
}

fn takeTurn(p: u32) {
  surfaceShift[part.first + p] = vec4f(turned(p), displacement[p].w);
}

// The speed comes from the last substep alone, so it has no more of a turn's displacement than the others.
fn giveTurn(p: u32, after: vec3f) {
  let way = after - turned(p);
  clearance[p] -= length(way);
  let u = displacement[p];
  if (part.before == 0.0) {
    displacement[p] = vec4f(after, u.w);
    return;
  }
  // The end of the substep freezes a body with others, where it is.
  if (all((bitcast<vec3u>(way) & vec3u(0x7f800000u)) != vec3u(0x7f800000u))) {
    start[p] += vec4f(part.before * way, 0.0);
  }
  displacement[p] = u + vec4f((1.0 - part.before) * way, 0.0);
}
