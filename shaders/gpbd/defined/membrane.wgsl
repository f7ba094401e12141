#import "gpbd/elements/membrane-entries.wgsl"
#import "gpbd/defined/membrane-density.wgsl"
