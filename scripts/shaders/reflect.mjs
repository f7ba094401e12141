// The facts about the shaders that the host needs: structs, constants, overrides, and the bindings of each entry point.

// The package's "main" is CommonJS inside a "type": "module" package and cannot be imported; its ES module can.
import { WgslReflect } from "wgsl_reflect/wgsl_reflect.module.js";
import { declarations } from "./declarations.mjs";
import { evaluate } from "./evaluate.mjs";
import { isHostShareable, minimumSize, structLayout } from "./layout.mjs";
import { importOrder, ShaderError } from "./source.mjs";

const BINDING_TYPE = { uniform: "uniform", read: "read-only-storage", read_write: "storage", write: "storage" };
const RESOURCE = { uniform: 0, storage: 1 };

/**
 * Reflects all shaders. Library files are reflected with their imports only, so a file that relies on something it does
 * not import is caught here and not at the first use.
 *
 * @param {Map<string, import("./source.mjs").ShaderFile>} files
 */
export function reflectShaders(files) {
  const structs = new Table("struct");
  const constants = new Table("constant");
  const modules = {};
  for (const file of files.values()) {
    const order = importOrder(files, file.name);
    checkNames(order);
    const reflection = parse(file, order);
    const aliases = new Map(reflection.aliases.map((alias) => [alias.name, alias.type]));
    const scalars = scalarValues(order);
    const own = declarations(file.body);
    for (const { kind, name } of own) {
      if (kind === "struct") addStruct(structs, file, name, reflection, aliases);
      if (kind === "const" && scalars.has(name)) constants.add(name, plain(scalars.get(name)), file.name);
    }
    if (file.isEntry)
      modules[file.name.replace(/\.wgsl$/, "")] = entryModule(file, order, reflection, aliases, scalars);
  }
  return {
    modules,
    structs: structs.sorted(),
    constants: constants.sorted(),
    homes: new Map([...structs.files(), ...constants.files()]),
  };
}

/** Named values that every file must agree on. */
class Table {
  constructor(what) {
    this.what = what;
    this.entries = new Map();
  }

  add(name, value, file) {
    const text = JSON.stringify(value);
    const known = this.entries.get(name);
    if (known && known.text !== text) {
      const detail = `${known.file} has ${known.text}, this file ${text}`;
      throw new ShaderError(file, `${this.what} ${name} differs between files: ${detail}`);
    }
    this.entries.set(name, known ?? { text, value, file });
  }

  sorted() {
    const names = [...this.entries.keys()].sort();
    return Object.fromEntries(names.map((name) => [name, this.entries.get(name).value]));
  }

  /** The file that declares each, by its name. */
  files() {
    return new Map([...this.entries].map(([name, { file }]) => [name, file]));
  }
}

function parse(file, order) {
  const lines = [];
  for (const part of order) part.body.split("\n").forEach((_, index) => lines.push(`${part.name}:${index + 1}`));
  const directives = [...new Set(order.flatMap((part) => part.directives))].join(" ");
  const code = [directives, ...order.map((part) => part.body)].join("\n");
  try {
    return new WgslReflect(code);
  } catch (error) {
    const message = String(error?.message ?? error);
    const line = Number(/[Ll]ine:?\s*(\d+)/.exec(message)?.[1] ?? Number.NaN);
    // The parser counts lines of the joined text, after one line of directives; the reader wants the file's own.
    const where = lines[line - 2] ?? "";
    throw new ShaderError(file.name, `${where} ${message.replace(/\.*\s*Line:?\s*\d+/i, "")}`.trim());
  }
}

function checkNames(order) {
  const owners = new Map();
  for (const file of order) {
    for (const { name, line } of declarations(file.body)) {
      const owner = owners.get(name);
      if (owner !== undefined)
        throw new ShaderError(file.name, `line ${line}: "${name}" is already declared in ${owner}`);
      owners.set(name, `${file.name}, line ${line}`);
    }
  }
}

/** Scalar constants and override defaults of a joined module, by name. */
function scalarValues(order) {
  const known = new Map();
  const waiting = order.flatMap((file) => declarations(file.body)).filter((item) => item.value !== undefined);
  // Declarations may stand in any order, so pass over them until nothing new is learned.
  for (let learnt = true; learnt;) {
    learnt = false;
    for (const item of waiting) {
      if (known.has(item.name)) continue;
      const result = evaluate(item.value, (name) => known.get(name));
      if (result === undefined) continue;
      known.set(item.name, annotated(result, item.type));
      learnt = true;
    }
  }
  return known;
}

function annotated(scalar, type) {
  if (type === "f32" || type === "f16") return { kind: "float", value: scalar.value };
  if (type === "bool") return { kind: "bool", value: scalar.value };
  return type === undefined ? scalar : { kind: "int", value: scalar.value };
}

const plain = (scalar) => (scalar.kind === "bool" ? scalar.value !== 0 : scalar.value);

function addStruct(structs, file, name, reflection, aliases) {
  const struct = reflection.structs.find((candidate) => candidate.name === name);
  if (!struct) throw new ShaderError(file.name, `struct ${name} was not reflected`);
  for (const member of struct.members) checkDeclared(file, name, member, aliases);
  // A struct that holds a bool, say, lives only inside a shader.
  if (!isHostShareable(struct, aliases)) return;
  structs.add(name, structLayout(struct, aliases), file.name);
}

function checkDeclared(file, struct, member, aliases) {
  let type = member.type;
  while (type.isArray) type = type.format;
  if (type.isStruct || type.isPointer || type.isTemplate || aliases.has(type.name)) return;
  if (/^(bool|[fiu](32|16)|vec[234].*|mat[234]x[234].*|atomic.*|ptr.*)$/.test(type.name)) return;
  throw new ShaderError(
    file.name,
    `struct ${struct}: type "${type.name}" of ${member.name} is neither declared nor imported`,
  );
}

function entryModule(file, order, reflection, aliases, scalars) {
  const overrides = {};
  for (const item of order.flatMap((part) => declarations(part.body))) {
    if (item.kind !== "override") continue;
    if (/@id\b/.test(item.attributes))
      throw new ShaderError(file.name, `override ${item.name}: @id hides its name, leave it out`);
    overrides[item.name] = scalars.has(item.name) ? plain(scalars.get(item.name)) : null;
  }
  const entryPoints = {};
  for (const entry of reflection.entry.compute) {
    entryPoints[entry.name] = { workgroupSize: entry.workgroupSize, bindings: bindingsOf(file, entry, aliases) };
  }
  if (Object.keys(entryPoints).length === 0)
    throw new ShaderError(file.name, "has @compute but no entry point was found");
  return { files: order.map((part) => part.name), overrides, entryPoints };
}

function bindingsOf(file, entry, aliases) {
  const bindings = {};
  const places = new Map();
  const resources = [...entry.resources].sort((a, b) => a.group - b.group || a.binding - b.binding);
  for (const resource of resources) {
    const type = bindingType(file, resource);
    const place = `@group(${resource.group}) @binding(${resource.binding})`;
    const other = places.get(place);
    if (other) throw new ShaderError(file.name, `${entry.name}: ${other} and ${resource.name} both use ${place}`);
    places.set(place, resource.name);
    const { group, binding } = resource;
    bindings[resource.name] = { group, binding, type, minSize: minimumSize(resource.type, aliases) };
  }
  return bindings;
}

function bindingType(file, resource) {
  if (resource.resourceType === RESOURCE.uniform) return BINDING_TYPE.uniform;
  if (resource.resourceType === RESOURCE.storage && BINDING_TYPE[resource.access]) return BINDING_TYPE[resource.access];
  throw new ShaderError(file.name, `${resource.name}: only uniform and storage buffers are supported`);
}
