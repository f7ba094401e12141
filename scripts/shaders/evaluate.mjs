// Values of scalar WGSL constant expressions, in double precision.
//
// wgsl_reflect evaluates constants in f32 and reads hexadecimal floats as zero; the host wants the number as written.
// Only scalars are understood; anything else (vectors, arrays, user functions) evaluates to undefined and is left out.

const TOKEN =
  /\s*(0[xX][0-9a-fA-F]*\.?[0-9a-fA-F]*[pP][+-]?\d+[fh]?|0[xX][0-9a-fA-F]+[iu]?|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[iufh]?|[A-Za-z_]\w*|<<|>>|&&|\|\||[=!<>]=|[-+*/%<>&|^~!(),])/y;

/** Binary operators from the loosest to the tightest binding. */
const LEVELS = [
  ["||"],
  ["&&"],
  ["|"],
  ["^"],
  ["&"],
  ["==", "!="],
  ["<", "<=", ">", ">="],
  ["<<", ">>"],
  ["+", "-"],
  ["*", "/", "%"],
];

/**
 * @typedef {object} Scalar
 * @property {"int" | "float" | "bool"} kind
 * @property {number} value booleans are 0 or 1
 */

const int = (value) => ({ kind: "int", value: Math.trunc(value) });
const float = (value) => ({ kind: "float", value });
const bool = (value) => ({ kind: "bool", value: value ? 1 : 0 });
const same = (a, b, value) => (a.kind === "float" || b.kind === "float" ? float(value) : int(value));

const BINARY = {
  "||": (a, b) => bool(a.value || b.value),
  "&&": (a, b) => bool(a.value && b.value),
  "|": (a, b) => (a.kind === "bool" ? bool(a.value | b.value) : int(Number(BigInt(a.value) | BigInt(b.value)))),
  "&": (a, b) => (a.kind === "bool" ? bool(a.value & b.value) : int(Number(BigInt(a.value) & BigInt(b.value)))),
  "^": (a, b) => int(Number(BigInt(a.value) ^ BigInt(b.value))),
  "==": (a, b) => bool(a.value === b.value),
  "!=": (a, b) => bool(a.value !== b.value),
  "<": (a, b) => bool(a.value < b.value),
  "<=": (a, b) => bool(a.value <= b.value),
  ">": (a, b) => bool(a.value > b.value),
  ">=": (a, b) => bool(a.value >= b.value),
  "<<": (a, b) => int(a.value * 2 ** b.value),
  ">>": (a, b) => int(Math.floor(a.value / 2 ** b.value)),
  "+": (a, b) => same(a, b, a.value + b.value),
  "-": (a, b) => same(a, b, a.value - b.value),
  "*": (a, b) => same(a, b, a.value * b.value),
  "/": (a, b) => same(a, b, a.value / b.value),
  "%": (a, b) => same(a, b, a.value % b.value),
};

/** Functions of scalars that give a float. */
const FLOAT_FUNCTIONS = {
  sqrt: Math.sqrt,
  inverseSqrt: (x) => 1 / Math.sqrt(x),
  pow: Math.pow,
  exp: Math.exp,
  exp2: (x) => 2 ** x,
  log: Math.log,
  log2: Math.log2,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  acos: Math.acos,
  asin: Math.asin,
  atan: Math.atan,
  atan2: Math.atan2,
  floor: Math.floor,
  ceil: Math.ceil,
  radians: (x) => (x * Math.PI) / 180,
  degrees: (x) => (x * 180) / Math.PI,
};

const FUNCTIONS = {
  f32: (a) => float(a.value),
  f16: (a) => float(a.value),
  i32: (a) => int(a.value),
  u32: (a) => int(a.value < 0 ? a.value + 2 ** 32 : a.value),
  bool: (a) => bool(a.value !== 0),
  min: (a, b) => same(a, b, Math.min(a.value, b.value)),
  max: (a, b) => same(a, b, Math.max(a.value, b.value)),
  abs: (a) => same(a, a, Math.abs(a.value)),
  clamp: (a, low, high) => same(a, low, Math.min(Math.max(a.value, low.value), high.value)),
  select: (a, b, condition) => (condition.value ? b : a),
};

class NotScalar extends Error {}

/**
 * @param {string} text right-hand side of a module-scope `const` or `override`
 * @param {(name: string) => Scalar | undefined} lookup values of other constants
 * @returns {Scalar | undefined} undefined if the expression is not a scalar that this file understands
 */
export function evaluate(text, lookup) {
  try {
    const tokens = tokenize(text);
    const state = { tokens, at: 0, lookup };
    const result = binary(state, 0);
    return state.at === tokens.length && Number.isFinite(result.value) ? result : undefined;
  } catch (error) {
    if (error instanceof NotScalar) return undefined;
    throw error;
  }
}

function tokenize(text) {
  const tokens = [];
  const source = text.trim();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < source.length) {
    const match = TOKEN.exec(source);
    if (!match) throw new NotScalar();
    tokens.push(match[1]);
  }
  return tokens;
}

function binary(state, level) {
  if (level === LEVELS.length) return unary(state);
  let left = binary(state, level + 1);
  while (LEVELS[level].includes(state.tokens[state.at])) {
    const operator = state.tokens[state.at++];
    left = BINARY[operator](left, binary(state, level + 1));
  }
  return left;
}

function unary(state) {
  const token = state.tokens[state.at++];
  if (token === "-") {
    const right = unary(state);
    return { kind: right.kind, value: -right.value };
  }
  if (token === "!") return bool(!unary(state).value);
  if (token === "~") return int(Number(BigInt.asUintN(32, ~BigInt(unary(state).value))));
  if (token === "(") {
    const inside = binary(state, 0);
    expect(state, ")");
    return inside;
  }
  if (token === undefined) throw new NotScalar();
  if (/^[\d.]/.test(token)) return literal(token);
  if (token === "true" || token === "false") return bool(token === "true");
  if (state.tokens[state.at] === "(") return call(state, token);
  const known = state.lookup(token);
  if (!known) throw new NotScalar();
  return known;
}

function call(state, name) {
  expect(state, "(");
  const inputs = [binary(state, 0)];
  while (state.tokens[state.at] === ",") {
    state.at++;
    inputs.push(binary(state, 0));
  }
  expect(state, ")");
  if (Object.hasOwn(FUNCTIONS, name)) return FUNCTIONS[name](...inputs);
  if (Object.hasOwn(FLOAT_FUNCTIONS, name)) return float(FLOAT_FUNCTIONS[name](...inputs.map((input) => input.value)));
  throw new NotScalar();
}

function expect(state, token) {
  if (state.tokens[state.at++] !== token) throw new NotScalar();
}

function literal(token) {
  if (/^0[xX]/.test(token)) {
    const hexFloat = /^0[xX]([0-9a-fA-F]*)\.?([0-9a-fA-F]*)[pP]([+-]?\d+)/.exec(token);
    if (!hexFloat) return int(Number(token.replace(/[iu]$/, "")));
    const [, whole, fraction, exponent] = hexFloat;
    return float(parseInt(`0${whole}${fraction}`, 16) * 2 ** (Number(exponent) - 4 * fraction.length));
  }
  const digits = token.replace(/[iufh]$/, "");
  const isFloat = /[.eE]/.test(digits) || /[fh]$/.test(token);
  return isFloat ? float(Number(digits)) : int(Number(digits));
}
