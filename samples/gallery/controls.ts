import type { Parameter, ParameterValue } from "../scene";

/** Small builders of the panel's elements; they know nothing of physics or drawing. */

export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children);
  return node;
}

export function section(title: string, ...children: readonly Node[]): HTMLElement {
  return element("section", {}, element("h2", {}, title), ...children);
}

export function button(label: string, onClick: () => void): HTMLButtonElement {
  const node = element("button", { type: "button" }, label);
  node.addEventListener("click", onClick);
  return node;
}

/** A button that stays pressed; returns the button and sets its state without calling back. */
export function toggle(label: string, pressed: boolean, onChange: (pressed: boolean) => void): HTMLButtonElement {
  const node = button(label, () => {
    const next = node.getAttribute("aria-pressed") !== "true";
    setPressed(node, next);
    onChange(next);
  });
  setPressed(node, pressed);
  return node;
}

export function setPressed(node: HTMLButtonElement, pressed: boolean): void {
  node.setAttribute("aria-pressed", String(pressed));
}

/** Some exclusive choices as a row of buttons. */
export function choiceRow<T extends string>(
  choices: readonly T[],
  chosen: T,
  onChange: (choice: T) => void,
  label: (choice: T) => string = (choice) => choice,
): HTMLElement {
  const row = element("div", { className: "row" });
  for (const choice of choices) {
    const node = button(label(choice), () => {
      for (const sibling of row.querySelectorAll("button")) setPressed(sibling, sibling === node);
      onChange(choice);
    });
    node.dataset.value = choice;
    setPressed(node, choice === chosen);
    row.append(node);
  }
  return row;
}

/** A parameter as the panel shows it. */
interface LabeledParameter extends Parameter {
  readonly label: string;
  readonly help: string;
}

/** The control of a scene's parameter: a slider, a list of choices, a tick box or a text. */
export function parameterField(
  parameter: LabeledParameter,
  value: ParameterValue,
  onChange: (value: ParameterValue) => void,
): HTMLElement {
  const label = element("label", { className: "field" }, element("span", {}, parameter.label));
  label.title = parameter.help;
  if (parameter.choices !== undefined) label.append(choiceField(parameter.choices, String(value), onChange));
  else if (typeof value === "boolean") label.append(tickBox(value, onChange));
  else if (typeof value === "number") label.append(...slider(parameter, value, onChange));
  else label.append(textField(value, onChange));
  const control = label.querySelector<HTMLElement>("input, select");
  if (control !== null) {
    control.dataset.parameter = parameter.name;
    // Some readers do not count a label around it, the value beside it included.
    control.setAttribute("aria-label", parameter.label);
  }
  return label;
}

function textField(value: string, onChange: (value: string) => void): HTMLElement {
  const field = element("input", { type: "text", value });
  field.addEventListener("change", () => onChange(field.value));
  return field;
}

function choiceField(choices: readonly string[], value: string, onChange: (value: string) => void): HTMLElement {
  const select = element("select", {}, ...choices.map((choice) => element("option", { value: choice }, choice)));
  select.value = value;
  select.addEventListener("change", () => onChange(select.value));
  return select;
}

function tickBox(value: boolean, onChange: (value: boolean) => void): HTMLElement {
  const input = element("input", { type: "checkbox", checked: value });
  input.addEventListener("change", () => onChange(input.checked));
  return input;
}

/** Positions of the slider: wide ranges are spread by ratio, not by difference. */
const SLIDER_STEPS = 1000;

function slider(parameter: Parameter, value: number, onChange: (value: number) => void): HTMLElement[] {
  const [lowest, highest] = parameter.range ?? [0, 2 * Math.abs(value) + 1];
  const byRatio = lowest > 0 && highest / lowest > 50;
  const toPosition = (x: number): number =>
    byRatio ? Math.log(x / lowest) / Math.log(highest / lowest) : (x - lowest) / (highest - lowest);
  const fromPosition = (t: number): number => {
    const x = byRatio ? lowest * (highest / lowest) ** t : lowest + (highest - lowest) * t;
    const tidy = parameter.integer === true ? Math.round(x) : Number(x.toPrecision(3));
    return Math.min(highest, Math.max(lowest, tidy));
  };
  const output = element("output", {}, formatted(value, parameter.unit));
  const input = element("input", { type: "range", min: "0", max: String(SLIDER_STEPS), step: "any" });
  input.valueAsNumber = SLIDER_STEPS * toPosition(value);
  const current = (): number => fromPosition(input.valueAsNumber / SLIDER_STEPS);
  input.addEventListener("input", () => output.replaceChildren(formatted(current(), parameter.unit)));
  input.addEventListener("change", () => onChange(current()));
  return [output, input];
}

/** A readable number with its unit. */
export function formatted(value: number, unit: string): string {
  const digits = Number(value.toPrecision(3));
  const text = Math.abs(digits) > 0 && Math.abs(digits) < 1e-3 ? value.toExponential(1) : String(digits);
  return unit === "" ? text : `${text} ${unit}`;
}
