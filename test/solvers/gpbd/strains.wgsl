#import "gpbd/elements/membrane-entries.wgsl"
#import "gpbd/cloth/dihedral-angle.wgsl"
#import "gpbd/cloth/stvk-density.wgsl"

// Strain measures and small linear algebra for many inputs.

// four columns x₀ … x₃ an element; w of the first: rest angle
@group(0) @binding(10) var<storage, read> hinges: array<vec4f>;
// four columns an element: xyz gradient at each corner; w of the first: angle
@group(0) @binding(11) var<storage, read_write> angles: array<vec4f>;

@compute @workgroup_size(64)
fn dihedralAngles(@builtin(global_invocation_id) id: vec3u) {
  let i = 4u * id.x;
  if (i >= arrayLength(&hinges)) {
    return;
  }
  let x = mat4x3f(hinges[i].xyz, hinges[i + 1u].xyz, hinges[i + 2u].xyz, hinges[i + 3u].xyz);
  let found = dihedralStrain(x, hinges[i].w);
  angles[i] = vec4f(found.gradient[0], found.value);
  for (var corner = 1u; corner < 4u; corner++) {
    angles[i + corner] = vec4f(found.gradient[corner], 0.0);
  }
}

// two columns of F an element
@group(0) @binding(12) var<storage, read> gradients: array<vec4f>;
// the strain, then three columns of S W S'ᵀ with the weights M = (1, 2, 3)
@group(0) @binding(13) var<storage, read_write> strains: array<vec4f>;

@compute @workgroup_size(64)
fn greenStrains(@builtin(global_invocation_id) id: vec3u) {
  let i = 2u * id.x;
  if (i >= arrayLength(&gradients)) {
    return;
  }
  let fu = gradients[i].xyz;
  let fv = gradients[i + 1u].xyz;
  strains[4u * id.x] = vec4f(greenStrain(fu, fv), 0.0);
  // against the gradient turned by its columns, so that S and S' differ
  let gram = membraneGram(vec3f(1.0, 0.4, 3.0), fu, fv, fv, fu);
  strains[4u * id.x + 1u] = vec4f(gram[0], 0.0);
  strains[4u * id.x + 2u] = vec4f(gram[1], 0.0);
  strains[4u * id.x + 3u] = vec4f(gram[2], 0.0);
}

// three columns of A an entry, w the right side
@group(0) @binding(14) var<storage, read> systems: array<vec4f>;
// xyz: solution, w: flag; then x: lower bound of the eigenvalues
@group(0) @binding(15) var<storage, read_write> solutions: array<vec4f>;

@compute @workgroup_size(64)
fn solveSystems(@builtin(global_invocation_id) id: vec3u) {
  let i = 3u * id.x;
  if (i >= arrayLength(&systems)) {
    return;
  }
  let a = mat3x3f(systems[i].xyz, systems[i + 1u].xyz, systems[i + 2u].xyz);
  let b = vec3f(systems[i].w, systems[i + 1u].w, systems[i + 2u].w);
  solutions[2u * id.x] = solvePositiveDefinite3(a, b);
  solutions[2u * id.x + 1u] = vec4f(gershgorinBound3(a), 0.0, 0.0, 0.0);
}
