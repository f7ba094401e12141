import { aligned, digits } from "../columns";
import { type RigidResult, type RigidRow, whoOf } from "./suite";

/** The result as a readable table. */
export function rigidText({ machine, rows, growths }: RigidResult): string {
  const head = [
    "scene",
    "bodies",
    "who",
    "settings",
    "ms/frame",
    "p95",
    "contacts",
    "deepest [mm]",
    "drift [mm]",
    "notes",
  ];
  const table = rows.map((row) => [
    row.scene,
    String(row.size),
    whoOf(row),
    row.settings,
    digits(row.msPerFrame),
    digits(row.p95MsPerFrame),
    String(row.contacts),
    digits(1e3 * row.maxPenetration),
    row.maxDrift === undefined ? "" : digits(1e3 * row.maxDrift),
    notes(row),
  ]);
  return [
    `rigid on ${machine}`,
    ...aligned([head, ...table]),
    ...growths.map(
      ({ scene, contestant, settings, contacts, exponent }) =>
        `${scene}, ${contestant} (${settings}): time grows as contacts^${exponent.toFixed(2)} from ${contacts[0]} to ${contacts.at(-1)}`,
    ),
  ].join("\n");
}

function notes({ timesJolt, penetrationOfHavok }: RigidRow): string {
  const parts: string[] = [];
  if (timesJolt !== undefined) parts.push(`${digits(timesJolt)}× the time of Jolt`);
  if (penetrationOfHavok !== undefined) parts.push(`${digits(penetrationOfHavok)}× the penetration of Havok`);
  return parts.join(", ");
}
