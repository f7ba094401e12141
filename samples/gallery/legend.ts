import { button, element } from "./controls";
import { strainScales } from "./query";

/** Explains the colors of strain; a button selects their scale. */
export class Legend {
  private chosen: number;

  constructor(
    private readonly root: HTMLElement,
    scale: number,
    private readonly onChange: () => void,
  ) {
    this.chosen = strainScales.indexOf(scale);
    this.fill();
  }

  /** elongation that is drawn as full red */
  get scale(): number {
    return strainScales[this.chosen];
  }

  set visible(visible: boolean) {
    this.root.hidden = !visible;
  }

  private fill(): void {
    const percent = `${100 * this.scale} %`;
    const change = button(`±${percent}`, () => {
      this.chosen = (this.chosen + 1) % strainScales.length;
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
