#import "gpbd/elements/membrane-entries.wgsl"
#import "gpbd/cloth/stvk-density.wgsl"
