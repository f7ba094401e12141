import { meshVolume } from "../src/geometry/tetrahedra/tet-mesh";
import { ballTetrahedra, type DeformableBody, solidModel, type Vec3, type World } from "../src/index";
import { numberOf } from "./parameters";
import type { Parameter, ParameterValues } from "./scene";

/** Parameters of a soft ball: of its material, and of its mesh. */
export function softBallParameters(
  name: string,
  defaults = { youngsModulus: 1e5, poissonRatio: 0.45, resolution: 3.5 },
): Parameter[] {
  const { youngsModulus, poissonRatio, resolution } = defaults;
  return [
    { name: "youngsModulus", default: youngsModulus, unit: "Pa", range: [2e4, 1e8], description: `of the ${name}` },
    { name: "poissonRatio", default: poissonRatio, unit: "", range: [0, 0.49], description: `of the ${name}` },
    {
      name: "resolution",
      default: resolution,
      unit: "",
      range: [2, 8],
      description: `lattice cubes along the diameter of the ${name}: 3.5 makes 336 tetrahedra`,
    },
  ];
}

/** A ball of linear tetrahedra in one solve with rigid bodies and links. */
export interface SoftBall {
  readonly body: DeformableBody;
  readonly mesh: ReturnType<typeof ballTetrahedra>;
  /** [kg] */
  readonly mass: number;
}

/** Adds a ball with the parameters of `softBallParameters`. */
export function addSoftBall(
  world: World,
  values: ParameterValues,
  { name, ...ball }: { name: string; radius: number; center: Vec3; density: number; friction: number },
): SoftBall {
  const { radius, center, density, friction } = ball;
  const mesh = ballTetrahedra({ radius, resolution: numberOf(values, "resolution"), center });
  const [youngsModulus, poissonRatio] = ["youngsModulus", "poissonRatio"].map((key) => numberOf(values, key));
  const material = { youngsModulus, poissonRatio, density, friction };
  const body = world.addBody(solidModel({ solver: "newton", ...mesh, elements: "linear", name, material }));
  return { body, mesh, mass: density * meshVolume(mesh.positions, mesh.tetrahedra) };
}
