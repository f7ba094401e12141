#import "surface/range.wgsl"

// The effect of surfaces on a body in a turn of several substeps. The importing module supplies turned, which is the particle's place in the turn
// so far, startOf, setStart, displacementOf, setDisplacement, clearanceOf, setClearance.

@group(1) @binding(2) var<uniform> part: SurfaceRange;

// The speed comes from the last substep alone, so it has no more of a turn's displacement than the others.
fn giveTurn(p: u32, after: vec3f) {
  let way = after - turned(p);
  setClearance(p, clearanceOf(p) - length(way));
  let u = displacementOf(p);
  if (part.before == 0.0) {
    setDisplacement(p, vec4f(after, u.w));
    return;
  }
  // The end of the substep freezes a body with others, where it is.
  if (all((bitcast<vec3u>(way) & vec3u(0x7f800000u)) != vec3u(0x7f800000u))) {
    setStart(p, startOf(p) + vec4f(part.before * way, 0.0));
  }
  setDisplacement(p, u + vec4f((1.0 - part.before) * way, 0.0));
}
