import { pulledSolid } from "../pulled-solid";

/** A flat man of 1e6 Pa is pulled through a gap (figure 1 of paper 2). */
export const gingerbreadMan = pulledSolid({
  name: "gingerbread-man",
  title: "Gingerbread man",
  description: "A flat body with arms and legs is pulled by its legs between two bars and unfolds again.",
  defaults: { substeps: 2, youngsModulus: 1e6, poissonRatio: 0.3, friction: 0.1, model: "neo-hookean" },
  lumps: [
    [0, 0.2, 0, 0.085],
    [0, 0.1, 0, 0.06],
    [0, 0.03, 0, 0.08],
    [0, -0.06, 0, 0.08],
    [-0.08, 0.07, 0, 0.05],
    [0.08, 0.07, 0, 0.05],
    [-0.14, 0.08, 0, 0.045],
    [0.14, 0.08, 0, 0.045],
    [-0.045, -0.13, 0, 0.04],
    [0.045, -0.13, 0, 0.04],
    [-0.045, -0.2, 0, 0.04],
    [0.045, -0.2, 0, 0.04],
  ],
  flatness: 0.8,
  size: 0.55,
  grip: -0.19,
  gap: 0.095,
  bar: 0.06,
  below: 0.36,
  way: 0.8,
  cell: 0.045,
});
