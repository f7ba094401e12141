#import "local-global/global/sum.wgsl"
#import "local-global/trust/layout.wgsl"

// A workgroup a body: its elastic energy now, and where the frame began.

@group(0) @binding(0) var<storage, read> terms: array<TermRange>;
@group(0) @binding(1) var<storage, read> energies: array<f32>;
// where the frame began
@group(0) @binding(2) var<storage, read> keptEnergies: array<f32>;
@group(0) @binding(3) var<storage, read_write> accounts: array<BodyAccount>;

@compute @workgroup_size(SUM_WIDTH)
fn sumEnergies(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  var sums = vec3f(0.0);
  for (var t = 0u; t < arrayLength(&terms); t++) {
    if (terms[t].body == group.x) {
      for (var e = terms[t].firstElement + lane; e < terms[t].firstElement + terms[t].elementCount; e += SUM_WIDTH) {
        sums += vec3f(energies[e], keptEnergies[e], 0.0);
      }
    }
  }
  sums = workgroupSum(sums, lane);
  if (lane == 0u) {
    accounts[group.x].elasticNow = sums.x;
    accounts[group.x].elasticStart = sums.y;
  }
}
