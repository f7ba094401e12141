#import "local-global/contact/layout.wgsl"
#import "local-global/trust/layout.wgsl"

// Bodies that touched one another in any pass of an attempt: twin of clusters.ts. One workgroup, after each pass. Every body gets the least
// number of its cluster's bodies as root.

const CLUSTER_LANES = 256u;

// roots, then whether a body touches anything
@group(0) @binding(0) var<storage, read_write> roots: array<atomic<u32>>;
// of each rigid body: a number, and so many bodies of the clusters that touched it
@group(0) @binding(1) var<storage, read_write> proxyRoots: array<u32>;
@group(0) @binding(2) var<storage, read> contacts: array<SoftContact>;
// column and body
@group(0) @binding(3) var<storage, read> vertices: array<vec2u>;
@group(0) @binding(4) var<storage, read> nodes: array<ContactNode>;
@group(0) @binding(5) var<storage, read> incidence: array<u32>;
@group(0) @binding(6) var<storage, read> control: ContactControl;
@group(1) @binding(0) var<uniform> contactStep: ContactStep;

var<workgroup> changed: atomic<u32>;
var<workgroup> goesOn: u32;

@compute @workgroup_size(CLUSTER_LANES)
fn joinBodies(@builtin(local_invocation_index) lane: u32) {
  let count = contactStep.bodyCount;
  let isFirst = contactStep.fraction0 == 0.0 && control.passes <= 1u;
  for (var b = lane; b < count && isFirst; b += CLUSTER_LANES) {
    atomicStore(&roots[b], b);
    atomicStore(&roots[count + b], 0u);
  }
  for (var p = lane; p < contactStep.rigidCount && isFirst; p += CLUSTER_LANES) { proxyRoots[PROXY_ROOTS * p] = 0u; }
  if (lane == 0u) { goesOn = u32(control.haltedAt == 0u); }
  storageBarrier();
  while (workgroupUniformLoad(&goesOn) != 0u) {
    if (lane == 0u) { atomicStore(&changed, 0u); }
    workgroupBarrier();
    for (var n = lane; n < control.count; n += CLUSTER_LANES) {
      let known = contacts[n].vertices;
      atomicStore(&roots[count + contacts[n].body], 1u);
      var least = atomicLoad(&roots[contacts[n].body]);
      for (var i = 0u; i < 4u && known[i] != NO_VERTEX; i++) {
        least = min(least, atomicLoad(&roots[vertices[known[i]].y]));
      }
      for (var i = 0u; i < 4u && known[i] != NO_VERTEX; i++) {
        let body = vertices[known[i]].y;
        atomicStore(&roots[count + body], 1u);
        if (atomicMin(&roots[body], least) > least) { atomicStore(&changed, 1u); }
      }
    }
    storageBarrier();
    for (var b = lane; b < count; b += CLUSTER_LANES) {
      let root = atomicLoad(&roots[b]);
      atomicMin(&roots[b], atomicLoad(&roots[root]));
    }
    storageBarrier();
    workgroupBarrier();
    if (lane == 0u) { goesOn = atomicLoad(&changed); }
    workgroupBarrier();
  }
  for (var p = lane; p < contactStep.rigidCount; p += CLUSTER_LANES) { listRoots(p); }
}

// A rigid body has been touched by the bodies of so many clusters at most.
fn listRoots(p: u32) {
  let node = contactStep.bodyCount + p;
  for (var e = nodes[node].first; e < nodes[node].first + nodes[node].count && control.haltedAt == 0u; e++) {
    noteBody(p, contacts[incidence[e]].body);
  }
}

fn noteBody(p: u32, body: u32) {
  let at = PROXY_ROOTS * p;
  let known = proxyRoots[at];
  for (var k = 1u; k <= known; k++) {
    if (atomicLoad(&roots[proxyRoots[at + k]]) == atomicLoad(&roots[body])) { return; }
  }
  if (known + 1u < PROXY_ROOTS) {
    proxyRoots[at + known + 1u] = body;
    proxyRoots[at] = known + 1u;
  }
}
