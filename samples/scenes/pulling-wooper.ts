import { pulledSolid } from "../pulled-solid";

/** A body of 1e7 Pa with a big head, four legs and a tail is pulled through a gap by its tail (figure 3 of paper 2). */
export const pullingWooper = pulledSolid({
  name: "pulling-wooper",
  title: "Pulling wooper",
  description:
    "A stiff creature is pulled by its tail between two bars that leave it two thirds of the width of its head.",
  defaults: { substeps: 4, youngsModulus: 1e7, poissonRatio: 0.3, friction: 0.1, model: "neo-hookean" },
  lumps: [
    [0, 0.12, 0, 0.12],
    [-0.1, 0.17, 0, 0.05],
    [0.1, 0.17, 0, 0.05],
    [0, -0.02, 0, 0.09],
    [-0.07, -0.05, 0.05, 0.035],
    [0.07, -0.05, 0.05, 0.035],
    [0, -0.13, 0, 0.06],
    [0, -0.19, 0, 0.055],
    [0, -0.24, 0, 0.055],
  ],
  flatness: 1,
  size: 0.5,
  grip: -0.23,
  gap: 0.095,
  bar: 0.05,
  below: 0.36,
  way: 0.75,
  cell: 0.05,
});
