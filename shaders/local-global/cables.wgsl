#import "local-global/layout.wgsl"
#import "local-global/contact/layout.wgsl"

// Rows of cables, at the positions where the step begins: twin of CableRows in cable.ts.

// Input of the host for a cable.
struct LocalGlobalCable {
  // its first record among the contacts, and its points
  firstRecord: u32,
  firstPoint: u32,
  pointCount: u32,
  // KIND_CABLE or KIND_PUSHING_CABLE
  kind: u32,
  // unstretched length [m]; negative: length of its way when the first step begins
  length: f32,
  // [m/N]
  compliance: f32,
}

struct CablePoint {
  // fixed in the world [m], if there is no vertex
  place: vec3f,
  vertex: u32,
}

// State of a cable from step to step.
struct LocalGlobalCableState {
  // [m], if it is known
  length: f32,
  isKnown: u32,
  // [N]
  tension: f32,
}

@group(0) @binding(0) var<storage, read> cables: array<LocalGlobalCable>;
@group(0) @binding(1) var<storage, read> cablePoints: array<CablePoint>;
@group(0) @binding(2) var<storage, read_write> cableStates: array<LocalGlobalCableState>;
@group(0) @binding(3) var<storage, read_write> contacts: array<SoftContact>;
@group(0) @binding(4) var<storage, read> start: array<vec4f>;
@group(0) @binding(5) var<storage, read> vertices: array<vec2u>;
@group(0) @binding(6) var<storage, read> control: ContactControl;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

fn pointPlace(p: u32) -> vec3f {
  let v = cablePoints[p].vertex;
  if (v == NO_VERTEX) { return cablePoints[p].place; }
  return start[v].xyz;
}

@compute @workgroup_size(64)
fn writeCables(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= contactStep.cableCount) { return; }
  let cable = cables[id.x];
  var length_ = 0.0;
  for (var i = 1u; i < cable.pointCount; i++) {
    let p = cable.firstPoint + i;
    let way = pointPlace(p) - pointPlace(p - 1u);
    let size = length(way);
    length_ += size;
    var c: SoftContact;
    c.vertices = vec4u(cablePoints[p - 1u].vertex, cablePoints[p].vertex, NO_VERTEX, NO_VERTEX);
    c.weights = vec4f(1.0, -1.0, 0.0, 0.0);
    c.normal = select(vec3f(0.0), way / size, size > 0.0);
    c.kind = KIND_SEGMENT;
    contacts[cable.firstRecord + i - 1u] = c;
  }
  var most = cable.length;
  if (most < 0.0) { most = select(length_, cableStates[id.x].length, cableStates[id.x].isKnown == 1u); }
  cableStates[id.x].length = most;
  cableStates[id.x].isKnown = 1u;
  let head = cable.firstRecord;
  contacts[head].kind = cable.kind;
  contacts[head].segments = cable.pointCount - 1u;
  contacts[head].compliance = cable.compliance / (contactStep.stepTime * contactStep.stepTime);
  contacts[head].offset = vec3f(length_ - most, 0.0, 0.0);
  contacts[head].z = vec3f(cableStates[id.x].tension * contactStep.stepTime * contactStep.stepTime, 0.0, 0.0);
  // for the host
  contacts[head].point = vec3f(most, 0.0, 0.0);
}

// At the end of a step.
@compute @workgroup_size(64)
fn keepTensions(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < contactStep.cableCount && control.haltedAt == 0u && control.isIdle == 0u) {
    cableStates[id.x].tension =
      contacts[cables[id.x].firstRecord].z.x / (contactStep.stepTime * contactStep.stepTime);
  }
}
