import type { AbstractEngine } from "@babylonjs/core/Engines/abstractEngine";

/** Size of a picture in the strip, as the cards of the overview show it, pixels. */
const WIDTH = 320;
const HEIGHT = 200;
const QUALITY = 0.72;

/** Pictures of a run below one another: the moving preview of a scene. */
export class Strip {
  private readonly canvas: HTMLCanvasElement;
  private readonly painter: CanvasRenderingContext2D;
  private taken = 0;

  constructor(
    private readonly engine: AbstractEngine,
    private readonly shots: number,
  ) {
    this.canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: shots * HEIGHT });
    this.painter = this.canvas.getContext("2d")!;
    this.painter.imageSmoothingQuality = "high";
  }

  /** Whether a picture is due at this frame. */
  wants(frame: number, frames: number): boolean {
    return frame >= Math.max(1, Math.round(((this.taken + 1) * frames) / this.shots)) && this.taken < this.shots;
  }

  /** Adds the image of the canvas. WebGPU keeps it for the task that drew it only. */
  add(): void {
    const source = this.engine.getRenderingCanvas()!;
    // the middle, in the shape of a card
    const width = Math.min(source.width, (source.height * WIDTH) / HEIGHT);
    const height = (width * HEIGHT) / WIDTH;
    const [x, y] = [(source.width - width) / 2, (source.height - height) / 2];
    this.painter.drawImage(source, x, y, width, height, 0, this.taken++ * HEIGHT, WIDTH, HEIGHT);
  }

  /** Adds all pictures to the page, as WebP. */
  show(): void {
    const image = Object.assign(new Image(), { id: "strip", src: this.canvas.toDataURL("image/webp", QUALITY) });
    image.hidden = true;
    document.body.append(image);
  }
}
