import { it } from "vitest";
import { resolveParameters } from "../../samples/parameters";
import { clothOnSphere } from "../../samples/scenes/cloth-on-sphere";
import { largestDifference } from "../world/cloths";
import { createWorld } from "../world/worlds";
it("x", async () => {
  for (const set of [
    { fabric: "denim", damping: 20, substeps: 8 }, { fabric: "rubber-sheet", damping: 20, substeps: 8 }, { fabric: "denim", damping: 20, substeps: 4 },
    { fabric: "denim", damping: 20, method: "jacobi" }, { fabric: "denim", damping: 20, bending: "dihedral" }, { fabric: "denim", damping: 20, iterations: 3 }, { fabric: "denim", damping: 20, membrane: "springs" },
  ]) {
    const p = resolveParameters(clothOnSphere, { resolution: 32, ...set } as never);
    const [a, b] = [await createWorld("cpu"), await createWorld("webgpu")];
    await clothOnSphere.build(a, p); await clothOnSphere.build(b, p);
    const d: string[] = [];
    for (let f = 1; f <= 30; f++) {
      a.step(1 / 60); b.step(1 / 60);
      if (f % 5 === 0) d.push(largestDifference(await a.bodies[0].readPositions(), await b.bodies[0].readPositions()).toExponential(1));
    }
    console.log("DBG", JSON.stringify(set), d.join(" "));
    a.dispose(); b.dispose();
  }
}, 400000);
