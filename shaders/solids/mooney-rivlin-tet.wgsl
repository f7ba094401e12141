#import "solids/solid.wgsl"
#import "solids/mooney-rivlin-solid-density.wgsl"
#import "solids/tet-entries.wgsl"
