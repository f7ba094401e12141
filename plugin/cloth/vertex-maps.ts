import { VertexBuffer } from "@babylonjs/core/Buffers/buffer";
import type { Vector3 } from "@babylonjs/core/Maths/math.vector";
import type { AbstractMesh } from "@babylonjs/core/Meshes/abstractMesh";
import { Vector3 as Place } from "@babylonjs/core/Maths/math.vector";
