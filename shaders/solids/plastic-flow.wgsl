#import "folds/plasticity.wgsl"
#import "math/svd3.wgsl"
#import "solids/tet-element.wgsl"

// Plastic flow of tetrahedra: twin of src/solvers/gpbd/plasticity/plastic-flow.ts. Rows are those of P, or gradients of hat functions [1/m].

@group(0) @binding(1) var<storage, read_write> elements: array<TetElement>;

fn permanentStrain(p: PlasticRows) -> f32 {
  let ab = cross(p.a, p.b);
  let bc = cross(p.b, p.c);
  let ca = cross(p.c, p.a);
  return sqrt(max(0.0, dot(ab, ab) + dot(bc, bc) + dot(ca, ca) - 3.0) / 3.0);
}

// gᵀ P
fn turned(g: vec3f, p: PlasticRows) -> vec3f {
  return g.x * p.a + g.y * p.b + g.z * p.c;
}

fn takePermanent(e: u32, p: PlasticRows) {
  let rest = rests[e];
  elements[e].g1 = turned(rest.a, p);
  elements[e].g2 = turned(rest.b, p);
  elements[e].g3 = turned(rest.c, p);
}

// Brings elements that were written anew to what they have flowed to.
@compute @workgroup_size(64)
fn restore(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < plasticity.elementCount) { takePermanent(id.x, permanent[id.x]); }
}

@compute @workgroup_size(64)
fn flow(@builtin(global_invocation_id) id: vec3u) {
  let e = id.x;
  if (e >= plasticity.elementCount) { return; }
  let element = elements[e];
  let v = element.vertices;
  let x = start[v.x].xyz;
  let edges = mat3x3f(start[v.y].xyz - x, start[v.z].xyz - x, start[v.w].xyz - x);
  let f = edges * transpose(mat3x3f(element.g1, element.g2, element.g3));
  let volume = determinant(f);
  if (!(volume > 0.0)) { return; }
  let middle = pow(volume, 1.0 / 3.0);
  let squares = dot(f[0], f[0]) + dot(f[1], f[1]) + dot(f[2], f[2]);
  let strain = sqrt(max(0.0, squares / (middle * middle) - 3.0) / 3.0);
  if (!(strain > plasticity.yieldAt)) { return; }
  let found = svd3(f);
  var part = 1.0 - (plasticity.yieldAt + (strain - plasticity.yieldAt) * plasticity.kept) / strain;
  let known = permanent[e];
  let before = permanentStrain(known);
  for (var halving = 0u; halving < halvings; halving++) {
    let p = 1.0 - part + part * middle / found.sigma;
    let scaled = p / pow(p.x * p.y * p.z, 1.0 / 3.0);
    let s = mat3x3f(scaled.x * found.v[0], scaled.y * found.v[1], scaled.z * found.v[2]) * transpose(found.v);
    let shape = PlasticRows(s * known.a, s * known.b, s * known.c, 0.0);
    let after = permanentStrain(shape);
    if (after <= plasticity.most || after <= before) {
      permanent[e] = shape;
      takePermanent(e, shape);
      return;
    }
    part *= 0.5;
  }
}
