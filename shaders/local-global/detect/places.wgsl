#import "local-global/layout.wgsl"

// Places of vertices at the start of a step, and their displacements to where iterations have come to, for detection. w: 0 for vertices that nothing
// moves.

@group(0) @binding(0) var<storage, read> start: array<vec4f>;
@group(0) @binding(1) var<storage, read> displacement: array<vec4f>;
@group(0) @binding(2) var<storage, read> pins: array<vec4f>;
@group(0) @binding(3) var<storage, read> vertices: array<vec2u>;
@group(0) @binding(4) var<storage, read> bodyStates: array<LocalGlobalBodyState>;
@group(0) @binding(5) var<storage, read_write> surfaceStart: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> surfaceShift: array<vec4f>;
@group(1) @binding(0) var<uniform> step: LocalGlobalStep;

@compute @workgroup_size(64)
fn placeSurface(@builtin(global_invocation_id) id: vec3u) {
  let v = id.x;
  if (v >= step.vertexCount) { return; }
  let isHeld = pins[v].w == HELD_EXACTLY || bodyStates[vertices[v].y].frozenAt != 0u;
  // w of the first is for the search of surfaces
  surfaceStart[v] = vec4f(start[v].xyz, 0.0);
  surfaceShift[v] = vec4f(displacement[v].xyz, select(1.0, 0.0, isHeld));
}
