#import "gpbd/step-parameters.wgsl"

@group(1) @binding(0) var<uniform> step: StepParameters;
@group(1) @binding(1) var<uniform> range: ElementRange;
