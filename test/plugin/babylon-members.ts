import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import ts from "typescript";

/** Folder of Babylon's physics, version 2. */
export const babylonPhysics = dirname(
  createRequire(import.meta.url).resolve("@babylonjs/core/Physics/v2/IPhysicsEnginePlugin.js"),
);

/** Names of the public members of an interface or a class of Babylon. */
function membersOf(file: string, name: string): string[] {
  const path = join(babylonPhysics, file);
  const source = ts.createSourceFile(file, readFileSync(path, "utf8"), ts.ScriptTarget.Latest);
  const members: string[] = [];
  source.forEachChild((node) => {
    if (!(ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) || node.name?.text !== name) return;
    for (const member of node.members) {
      const isHidden = ts.canHaveModifiers(member) && (ts.getModifiers(member) ?? []).some(isHiding);
      if (member.name && ts.isIdentifier(member.name) && !isHidden && !member.name.text.startsWith("_"))
        members.push(member.name.text);
    }
  });
  return members;
}

function isHiding({ kind }: ts.Modifier): boolean {
  return [ts.SyntaxKind.PrivateKeyword, ts.SyntaxKind.ProtectedKeyword, ts.SyntaxKind.StaticKeyword].includes(kind);
}

/** Public members of the interface that every plugin has. */
export const interfaceMembers = (): string[] => membersOf("IPhysicsEnginePlugin.d.ts", "IPhysicsEnginePluginV2");

/** Public members of Babylon's plugin for Havok. */
export const havokMembers = (): string[] => membersOf("Plugins/havokPlugin.d.ts", "HavokPlugin");
