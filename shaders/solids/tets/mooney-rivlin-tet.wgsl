#import "solids/solid.wgsl"
#import "solids/densities/mooney-rivlin-solid-density.wgsl"
#import "solids/tet-entries.wgsl"
