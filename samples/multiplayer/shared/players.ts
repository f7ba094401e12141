/** The list of players. Colyseus sends it to every client, and then its changes. */

import { schema, t } from "@colyseus/schema";

export const Player = schema(
  {
    /** place at the arena: the player owns the bodies of that number */
    seat: t.uint8(),
    /** false while the line is broken */
    isHere: t.boolean(),
  },
  "Player",
);

export const ArenaState = schema(
  {
    /** by the session of the client */
    players: t.map(Player),
  },
  "ArenaState",
);
