#import "surface/turn.wgsl"

// A body whose particles have a part of the list of all bodies.

// of the body, see particles.wgsl
@group(0) @binding(0) var<storage, read_write> start: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> displacement: array<vec4f>;
// of all bodies
@group(0) @binding(2) var<storage, read_write> surfaceStart: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> surfaceShift: array<vec4f>;
// of the body: at least so far from all obstacles, see near-obstacles.wgsl
@group(0) @binding(4) var<storage, read_write> clearance: array<f32>;

fn setStart(p: u32, x: vec4f) {
  start[p] = x;
}

fn turned(p: u32) -> vec3f {
  return start[p].xyz - surfaceStart[part.first + p].xyz + displacement[p].xyz;
}

fn takeTurn(p: u32) {
  surfaceShift[part.first + p] = vec4f(turned(p), displacement[p].w);
}
