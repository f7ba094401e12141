#import "gpbd/hylc/hylc-entries.wgsl"
#import "gpbd/defined/solid-density.wgsl"

fn hylcJet(s: Vector6) -> HylcJet {
  return HylcJet(energyDensity(s), energyGradient(s), energyHessian(s));
}
