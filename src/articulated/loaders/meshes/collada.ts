import { after, compose, transformPoint, type Affine } from "../../../collision/shape/affine";
import type { Vec3 } from "../../../math/types";
import type { MeshData } from "../sources";
import { axisAngle, identity } from "../transform";
import { parseFile, type FileElement } from "../xml";
import { MAX_TRIANGLES } from "./limits";

/**
 * Reads all triangles of the scene of a COLLADA file, in its axes and in meters. `up_axis` is ignored, as by other
 * readers of robots: their files mean the axes of the link. Polygons become fans.
 *
 * @throws PliantError with the line of an element: not well-formed, a missing source, an index without a vertex, a kind
 * of primitive or transform that is not read
 */
export function readCollada(text: string, name: string): MeshData {
  const root = parseFile(text, `mesh "${name}"`, "COLLADA");
  return new Scene(root).read();
}

class Scene {
  private readonly positions: number[] = [];
  private readonly indices: number[] = [];
  private readonly byId = new Map<string, FileElement>();
  /** Numbers of elements, which many nodes may share. */
  private readonly numbers = new Map<FileElement, readonly number[]>();
  private corners = 0;

  constructor(private readonly root: FileElement) {
    // Children come before the rest of the file, and the first element with an id counts.
    const stack = [root];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const id = next.attribute("id");
      if (id !== undefined && !this.byId.has(id)) this.byId.set(id, next);
      for (let i = next.children.length - 1; i >= 0; i--) stack.push(next.children[i]);
    }
  }

  read(): MeshData {
    const meter = this.root.child("asset")?.child("unit")?.number("meter") ?? 1;
    if (!(meter > 0)) throw this.root.error("must have a positive unit", meter);
    const whole: Affine = { a: [meter, 0, 0, 0, meter, 0, 0, 0, meter], t: [0, 0, 0] };
    const scene = this.root.child("scene")?.child("instance_visual_scene");
    if (scene === undefined)
      for (const geometry of this.root.descendants("geometry")) this.addGeometry(geometry, whole);
    else for (const node of this.target(scene, "url").childrenNamed("node")) this.addNode(node, whole);
    return { positions: this.positions, indices: this.indices };
  }

  /** The element that an attribute refers to: `#id`. */
  private target(element: FileElement, attribute: string): FileElement {
    const name = element.required(attribute);
    const found = this.byId.get(name.replace(/^#/, ""));
    if (found === undefined) throw element.error(`${attribute} must be the id of an element`, name);
    return found;
  }

  private addNode(node: FileElement, outer: Affine): void {
    let frame = outer;
    for (const child of node.children) frame = this.transformed(child, frame);
    for (const child of node.children)
      if (child.tag === "node") this.addNode(child, frame);
      else if (child.tag === "instance_geometry") this.addGeometry(this.target(child, "url"), frame);
      else if (["instance_node", "instance_controller"].includes(child.tag))
        throw child.error("is not read", child.tag, "unsupported");
  }

  /** `frame` after the transform of an element, if it is one. */
  private transformed(element: FileElement, frame: Affine): Affine {
    switch (element.tag) {
      case "matrix": {
        const m = element.textNumbers(16);
        return after(frame, {
          a: [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]],
          t: [m[3], m[7], m[11]],
        });
      }
      case "translate":
        return compose(frame, element.textNumbers(3) as unknown as Vec3, identity.rotation);
      case "rotate": {
        const [x, y, z, degrees] = element.textNumbers(4);
        if (x === 0 && y === 0 && z === 0) throw element.error("must have an axis that is not zero", [x, y, z]);
        return compose(frame, [0, 0, 0], axisAngle([x, y, z], (degrees * Math.PI) / 180));
      }
      case "scale":
        return compose(frame, [0, 0, 0], identity.rotation, element.textNumbers(3) as unknown as Vec3);
      case "lookat":
      case "skew":
        throw element.error("is not read", element.tag, "unsupported");
      default:
        return frame;
    }
  }

  private addGeometry(geometry: FileElement, frame: Affine): void {
    for (const mesh of geometry.childrenNamed("mesh"))
      for (const element of mesh.children)
        if (["triangles", "polylist", "polygons"].includes(element.tag)) this.addFaces(element, frame);
        else if (["tristrips", "trifans"].includes(element.tag))
          throw element.error("must be triangles or polygons", element.tag, "unsupported");
  }

  private addFaces(element: FileElement, frame: Affine): void {
    const inputs = element.childrenNamed("input");
    const offsetOf = (input: FileElement): number => this.whole(input, "offset");
    const vertices = inputs.find((input) => input.attribute("semantic") === "VERTEX");
    if (vertices === undefined) throw element.error("needs an <input> of vertices", undefined);
    const points = this.pointsOf(this.target(vertices, "source"));
    const stride = Math.max(...inputs.map(offsetOf)) + 1;
    const from = this.positions.length / 3;
    this.requireRoom(element, points.length / 3);
    for (let i = 0; i < points.length; i += 3) this.positions.push(...transformPoint(frame, points, i));
    const lists = element.childrenNamed("p").map((list) => this.numbersOf(list));
    const count = element.child("vcount");
    const counts = count && this.numbersOf(count);
    for (const list of lists) {
      this.requireRoom(element, list.length / stride);
      const corners: number[] = [];
      for (let i = offsetOf(vertices); i < list.length; i += stride) {
        if (!(Number.isInteger(list[i]) && list[i] >= 0 && 3 * list[i] < points.length))
          throw element.error(`must have indices below ${points.length / 3}`, list[i], "index-out-of-range");
        corners.push(from + list[i]);
      }
      let at = 0;
      const sizes =
        element.tag === "polygons"
          ? [corners.length]
          : (counts ?? Array.from({ length: Math.floor(corners.length / 3) }, () => 3));
      for (const size of sizes) {
        if (!Number.isInteger(size) || size < 0 || at + size > corners.length)
          throw element.error("must have as many corners as its polygons", size);
        for (let i = 2; i < size; i++) this.indices.push(corners[at], corners[at + i - 1], corners[at + i]);
        at += size;
      }
    }
  }

  /** Counts vertices and corners, which nodes repeat without end. */
  private requireRoom(element: FileElement, count: number): void {
    this.corners += count;
    if (this.corners > MAX_TRIANGLES)
      throw element.error(`must have at most ${MAX_TRIANGLES} vertices and corners`, this.corners);
  }

  private numbersOf(element: FileElement): readonly number[] {
    let found = this.numbers.get(element);
    if (found === undefined) this.numbers.set(element, (found = element.textNumbers(0, Infinity)));
    return found;
  }

  private whole(element: FileElement, name: string): number {
    const value = element.number(name) ?? 0;
    if (!Number.isInteger(value) || value < 0 || value > 100)
      throw element.error(`${name} must be a whole number from 0 to 100`, value);
    return value;
  }

  /** Positions of `<vertices>`. */
  private pointsOf(vertices: FileElement): ArrayLike<number> {
    const input = vertices.childrenNamed("input").find((each) => each.attribute("semantic") === "POSITION");
    if (input === undefined) throw vertices.error("needs an <input> of positions", undefined);
    const source = this.target(input, "source");
    const numbers = this.numbersOf(source.requiredChild("float_array"));
    const accessor = source.child("technique_common")?.child("accessor");
    const stride = accessor === undefined ? 3 : this.whole(accessor, "stride") || 3;
    if (stride !== 3 || numbers.length % 3 !== 0)
      throw source.error("must hold three numbers a vertex", [stride, numbers.length]);
    return numbers;
  }
}
