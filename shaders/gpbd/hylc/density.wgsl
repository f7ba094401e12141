#import "gpbd/hylc/material.wgsl"
#import "gpbd/hylc/splines.wgsl"

// Energy density of HYLC cloth; twin of src/materials/hylc/density.ts, whose head has the formulas and the glossary. Strains
// are (s_x, s_a, s_y), l² (II_xx, II_xy, II_yy). The table begins with 1/c₀ … 1/c₄, the number of surfaces, the starts of the
// five curves, and three numbers a surface: its strains and its start.

const hylcSurfaceCount = 5u;
const hylcCurves = 6u;
const hylcSurfaces = 11u;

// Below this scaled difference of curvatures the Hessian has derivatives for quotients.
const umbilic = 1e-3;

// G (or H) at both principal curvatures, by x = λ / c: sums and differences halved as P and Q in the reference.
struct AlongCurvature {
  // value, derivatives by x
  mean: vec3f,
  half: vec3f,
  // mean of dG/dx between the curvatures
  slope: f32,
  // a column for each in-plane strain k: ∂k, ∂kk, ∂kx; scaled strains
  strainMean: mat3x3f,
  strainHalf: mat3x3f,
  // mean of ∂k∂x between the curvatures
  strainSlope: vec3f,
}

fn alongCurvature(family: u32, scaled: vec3f, x1: f32, x2: f32) -> AlongCurvature {
  var out: AlongCurvature;
  let at = u32(table[hylcCurves + family]);
  let a = curveCubic(at, x1);
  let b = curveCubic(at, x2);
  var first = cubicJet(a, x1);
  var second = cubicJet(b, x2);
  out.slope = meanSlope(a, b, x1, x2);
  let surfaces = u32(table[hylcSurfaceCount]);
  for (var i = 0u; i < surfaces; i++) {
    let header = hylcSurfaces + 3u * i;
    if (u32(table[header + 1u]) != family) { continue; }
    let k = u32(table[header]);
    let start = u32(table[header + 2u]);
    let upper = surfaceRow(start, scaled[k], x1);
    let lower = surfaceRow(start, scaled[k], x2);
    first += cubicJet(upper.f, x1);
    second += cubicJet(lower.f, x2);
    out.slope += meanSlope(upper.f, lower.f, x1, x2);
    let byU1 = cubicJet(upper.fu, x1);
    let byU2 = cubicJet(lower.fu, x2);
    let u1 = vec3f(byU1.x, cubicJet(upper.fuu, x1).x, byU1.y);
    let u2 = vec3f(byU2.x, cubicJet(lower.fuu, x2).x, byU2.y);
    out.strainMean[k] += 0.5 * (u1 + u2);
    out.strainHalf[k] += 0.5 * (u1 - u2);
    out.strainSlope[k] += meanSlope(upper.fu, lower.fu, x1, x2);
  }
  out.mean = 0.5 * (first + second);
  out.half = 0.5 * (first - second);
  return out;
}

// The terms of G (family 3) or H (4); m, d, q are the curvatures in 1/m.
fn curvatureTerms(family: u32, scaled: vec3f, m: f32, d: f32, q: f32) -> HylcJet {
  let sign = select(-1.0, 1.0, family == 3u);
  let inverse = table[family];
  let r = sqrt(d * d + q * q);
  var c = 1.0;
  var s = 0.0;
  if (r > 0.0) {
    c = sign * d / r;
    s = q / r;
  }
  let x1 = (m + r) * inverse;
  let x2 = (m - r) * inverse;
  let g = alongCurvature(family, scaled, x1, x2);
  var out: HylcJet;
  out.value = g.mean.x + c * g.half.x;
  let radial = g.half.y + c * g.mean.y;
  let even = g.mean.y + c * g.half.y;
  let scale = material.bending * inverse;
  let byD = sign * (c * radial + s * s * g.slope);
  out.gradient.shear = scale * vec3f(0.5 * (even + byD), s * (radial - c * g.slope), 0.5 * (even - byD));
  let inPlane = vec3f(table[0], table[1], table[2]);
  let byStrain = g.strainMean + c * g.strainHalf;
  out.gradient.normal = inPlane * vec3f(byStrain[0].x, byStrain[1].x, byStrain[2].x);

  let x = r * inverse;
  let apart = x > umbilic;
  let a2 = g.mean.z;
  let k1 = select(a2, g.half.y / x, apart);
  let l = select(0.0, (g.mean.y - g.slope) / x, apart);
  let evenRate = a2 + c * g.half.z;
  let oddRate = g.half.z + c * a2;
  let md = sign * (c * oddRate + s * s * k1);
  let mq = s * oddRate - c * s * k1;
  let dd = c * c * evenRate + s * s * (k1 + 3.0 * c * l);
  let dq = sign * (c * s * (evenRate - k1) + s * (s * s - 2.0 * c * c) * l);
  let qq = s * s * evenRate + c * c * k1 + c * (c * c - 2.0 * s * s) * l;
  let xx = 0.25 * (evenRate + 2.0 * md + dd);
  let xq = 0.5 * (mq + dq);
  let xy = 0.25 * (evenRate - dd);
  let yq = 0.5 * (mq - dq);
  let yy = 0.25 * (evenRate - 2.0 * md + dd);
  out.hessian.ss = scale * scale * mat3x3f(xx, xq, xy, xq, qq, yq, xy, yq, yy);

  let second = inPlane * inPlane * vec3f(byStrain[0].y, byStrain[1].y, byStrain[2].y);
  out.hessian.nn = mat3x3f(second.x, 0.0, 0.0, 0.0, second.y, 0.0, 0.0, 0.0, second.z);
  let ak = vec3f(g.strainMean[0].z, g.strainMean[1].z, g.strainMean[2].z);
  let bk = vec3f(g.strainHalf[0].z, g.strainHalf[1].z, g.strainHalf[2].z);
  let kMean = ak + c * bk;
  let kRadial = bk + c * ak;
  let kD = sign * (c * kRadial + s * s * g.strainSlope);
  out.hessian.ns = mat3x3f(
    0.5 * scale * inPlane * (kMean + kD),
    scale * inPlane * (s * (kRadial - c * g.strainSlope)),
    0.5 * scale * inPlane * (kMean - kD),
  );
  return out;
}

fn hylcJet(s: Vector6) -> HylcJet {
  let inPlane = vec3f(table[0], table[1], table[2]);
  let scaled = s.normal * inPlane;
  var out: HylcJet;
  for (var k = 0u; k < 3u; k++) {
    let f = cubicJet(curveCubic(u32(table[hylcCurves + k]), scaled[k]), scaled[k]);
    out.value += f.x;
    out.gradient.normal[k] = f.y * inPlane[k];
    out.hessian.nn[k][k] = f.z * inPlane[k] * inPlane[k];
  }
  let surfaces = u32(table[hylcSurfaceCount]);
  for (var i = 0u; i < surfaces; i++) {
    let header = hylcSurfaces + 3u * i;
    let k = u32(table[header]);
    let l = u32(table[header + 1u]);
    if (l > 2u) { continue; }
    let row = surfaceRow(u32(table[header + 2u]), scaled[k], scaled[l]);
    let f = cubicJet(row.f, scaled[l]);
    let fu = cubicJet(row.fu, scaled[l]);
    out.value += f.x;
    out.gradient.normal[k] += fu.x * inPlane[k];
    out.gradient.normal[l] += f.y * inPlane[l];
    out.hessian.nn[k][k] += cubicJet(row.fuu, scaled[l]).x * inPlane[k] * inPlane[k];
    out.hessian.nn[k][l] += fu.y * inPlane[k] * inPlane[l];
    out.hessian.nn[l][k] += fu.y * inPlane[k] * inPlane[l];
    out.hessian.nn[l][l] += f.z * inPlane[l] * inPlane[l];
  }
  let curvature = material.bending * s.shear;
  let m = 0.5 * (curvature.x + curvature.z);
  let d = 0.5 * (curvature.x - curvature.z);
  for (var family = 3u; family < 5u; family++) {
    let terms = curvatureTerms(family, scaled, m, d, curvature.y);
    out.value += terms.value;
    out.gradient = add6(out.gradient, 1.0, terms.gradient);
    out.hessian = addMatrix6(out.hessian, 1.0, terms.hessian);
  }
  return out;
}

