#import "gpbd/cloth/membrane-entries.wgsl"
#import "gpbd/cloth/stvk-density.wgsl"
