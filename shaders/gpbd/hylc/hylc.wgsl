#import "gpbd/hylc/hylc-entries.wgsl"
#import "gpbd/hylc/density.wgsl"
