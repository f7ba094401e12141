/**
 * Vertices of bodies of GPBD that are attached to each other. Without compliance, attached vertices are one particle: they
 * share a place and the sum of their masses, and every sweep over one body moves the vertices of the others along. The bodies
 * are then one mesh to Gauss-Seidel, so a load passes through a seam as through any other edge. A force on a seam follows from
 * momentum: it is what a vertex was given beyond its share of the motion.
 *
 * A cluster is a set of vertices that attachments without compliance connect. Attachments of a cluster form a tree; the force
 * of an attachment is the sum of the forces on the vertices beyond it. Attachments that close a circle bear nothing.
 */

/** One end of an attachment. */
export interface TieEnd<Solver> {
  /** whether the body is of another solver, and takes part as a guest */
  readonly isGuest?: boolean;
  /** solver of the body; undefined while it takes no part in steps */
  readonly solver: Solver | undefined;
  readonly vertex: number;
  /** of the vertex [kg] */
  readonly mass: number;
}

/** An attachment of two vertices. */
export interface Tie<Solver> {
  readonly ends: readonly [TieEnd<Solver>, TieEnd<Solver>];
  /** [m/N] */
  readonly compliance: number;
  /** whether somebody wants to know the force */
  readonly isMeasured: boolean;
  /** impulse on the second vertex in the frame [N s] */
  readonly impulse: Float64Array;
  /** with a guest: from the second to the first vertex, what is left of their way when they were attached [m] */
  readonly away: Float64Array;
}

export interface ClusterMember {
  /** place of the solver in the list of those that step together */
  readonly solver: number;
  readonly vertex: number;
  /** [kg] */
  readonly mass: number;
}

export interface Cluster {
  readonly members: readonly ClusterMember[];
  /** attachments whose force is wanted, with the members beyond each, seen from its first vertex */
  readonly measured: readonly {
    readonly tie: { readonly impulse: Float64Array };
    readonly beyond: readonly number[];
  }[];
}

/** Two members that a compliant attachment connects. */
export interface SoftTie {
  readonly ends: readonly [ClusterMember, ClusterMember];
  readonly compliance: number;
  readonly impulse: Float64Array;
}

/** An attachment of a vertex to one of a guest. */
export interface OuterTie {
  /** cluster of the vertex, and its place there */
  readonly cluster: number;
  readonly member: number;
  /** place of the guest in the list of those that step together, and the attached particle */
  readonly guest: number;
  readonly node: number;
  /** 1 if the guest's vertex is the second one, else −1 */
  readonly sign: number;
  readonly compliance: number;
  readonly away: Float64Array;
  readonly impulse: Float64Array;
}

/** The clusters of bodies that step together, their compliant attachments, and those to guests. */
export function clustersOf<Solver>(
  ties: readonly Tie<Solver>[],
  solvers: readonly Solver[],
): { clusters: readonly Cluster[]; soft: readonly SoftTie[]; outer: readonly OuterTie[] } {
  const members: ClusterMember[] = [];
  const placeOf = new Map<string, number>();
  const neighbors: { to: number; tie: Tie<Solver>; isForward: boolean }[][] = [];
  const memberOf = ({ solver, vertex, mass }: TieEnd<Solver>): ClusterMember | undefined => {
    const place = solver === undefined ? -1 : solvers.indexOf(solver);
    return place < 0 ? undefined : { solver: place, vertex, mass };
  };
  const numberOf = (member: ClusterMember): number => {
    const key = `${member.solver} ${member.vertex}`;
    const known = placeOf.get(key);
    if (known !== undefined) return known;
    placeOf.set(key, members.length);
    neighbors.push([]);
    return members.push(member) - 1;
  };
  const soft: SoftTie[] = [];
  const foreign: { tie: Tie<Solver>; guest: number; at: number }[] = [];
  for (const tie of ties) {
    const [a, b] = tie.ends.map(memberOf);
    if (!a || !b) continue;
    const guest = tie.ends.findIndex(({ isGuest }) => isGuest);
    if (guest >= 0) {
      foreign.push({ tie, guest, at: numberOf(guest === 0 ? b : a) });
      continue;
    }
    if (tie.compliance > 0) {
      soft.push({ ends: [a, b], compliance: tie.compliance, impulse: tie.impulse });
      continue;
    }
    const [i, j] = [numberOf(a), numberOf(b)];
    neighbors[i].push({ to: j, tie, isForward: true });
    neighbors[j].push({ to: i, tie, isForward: false });
  }
  const seen = new Uint8Array(members.length);
  const clusters = members.flatMap((_, root) => (seen[root] === 1 ? [] : [grow(root)]));
  const outer = foreign.map(({ tie: { ends, compliance, away, impulse }, guest, at }): OuterTie => {
    const cluster = clusters.findIndex(({ members: own }) => own.includes(members[at]));
    const { solver, vertex } = ends[guest];
    const place = { cluster, member: clusters[cluster].members.indexOf(members[at]) };
    return {
      ...place,
      guest: solvers.indexOf(solver!),
      node: vertex,
      sign: guest === 1 ? 1 : -1,
      compliance,
      away,
      impulse,
    };
  });
  return { clusters, soft, outer };

  function grow(root: number): Cluster {
    const order: number[] = [];
    const measured: { tie: Tie<Solver>; beyond: number[]; isForward: boolean }[] = [];
    const visit = (at: number): number[] => {
      seen[at] = 1;
      const place = order.push(at) - 1;
      const all = [place];
      for (const { to, tie, isForward } of neighbors[at]) {
        if (seen[to] === 1) continue;
        const beyond = visit(to);
        all.push(...beyond);
        if (tie.isMeasured) measured.push({ tie, beyond, isForward });
      }
      return all;
    };
    visit(root);
    return {
      members: order.map((at) => members[at]),
      measured: measured.map(({ tie, beyond, isForward }) => ({
        tie,
        beyond: isForward ? beyond : order.map((_, k) => k).filter((k) => !beyond.includes(k)),
      })),
    };
  }
}

/** Joins lists of members that attachments connect. */
export function joinTied<Solver, M extends { readonly solver: Solver }>(
  ties: readonly Tie<Solver>[],
  groups: readonly (readonly M[])[],
): (readonly M[])[] {
  const lists = groups.map((group) => [...group]);
  const listOf = (solver: Solver | undefined): number =>
    lists.findIndex((list) => list.some((member) => member.solver === solver));
  for (const { ends } of ties) {
    const [i, j] = ends.map(({ solver }) => listOf(solver)).sort((a, b) => a - b);
    if (i < 0 || i === j) continue;
    lists[i].push(...lists[j]);
    lists[j] = [];
  }
  return lists.filter((list) => list.length > 0);
}
