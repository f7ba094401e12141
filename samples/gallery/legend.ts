import { button, element } from "./controls";

/** Elongations that are drawn as full red. */
const SCALES: readonly number[] = [0.01, 0.05, 0.2];

/** Explains the colors of strain; a button selects their scale. */
export class Legend {
  private chosen = 0;

  constructor(
    private readonly root: HTMLElement,
    private readonly onChange: () => void,
  ) {
    this.fill();
  }

  /** elongation that is drawn as full red */
  get scale(): number {
    return SCALES[this.chosen];
  }

  set visible(visible: boolean) {
    this.root.hidden = !visible;
  }

  private fill(): void {
    const percent = `${100 * this.scale} %`;
    const change = button(`±${percent}`, () => {
      this.chosen = (this.chosen + 1) % SCALES.length;
      this.fill();
      this.onChange();
    });
    change.title = "Change the scale";
    change.dataset.action = "scale";
    this.root.replaceChildren(
      element("figcaption", {}, "Strain ", change),
      element("div", { className: "colors" }),
      element(
        "div",
        { className: "ends" },
        element("span", {}, `shorter by ${percent}`),
        element("span", {}, `longer by ${percent}`),
      ),
    );
  }
}
