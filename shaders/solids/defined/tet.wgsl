#import "solids/solid.wgsl"
#import "gpbd/defined/solid-density.wgsl"
#import "solids/tet-entries.wgsl"
