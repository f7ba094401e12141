#import "gpbd/cloth/membrane-entries.wgsl"
#import "gpbd/defined/membrane-density.wgsl"
