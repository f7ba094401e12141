/** A word by which a visitor finds scenes. */
export type Tag =
  | "cloth"
  | "garment"
  | "knit"
  | "tearing"
  | "pressure"
  | "rope"
  | "soft body"
  | "rigid body"
  | "joints"
  | "mechanism"
  | "optimizer"
  | "learning"
  | "contact"
  | "friction"
  | "material"
  | "wind";
