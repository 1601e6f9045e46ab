/** The manager that a row of the roster sets. */
export interface ManagerClaim {
  readonly line: number;
  readonly staffId: string;
  /** Undefined: the row does not change the manager. */
  readonly managerId: string | null | undefined;
}

export interface ManagerFault {
  readonly line: number;
  readonly detail: string;
}

/**
 * Returns the faults of the managers as they will be with all rows written: a manager must exist by then, and no
 * person may report to themselves. Takes linear time.
 */
export function findManagerFaultsOfAll(
  stored: ReadonlyMap<string, string | null>,
  claims: readonly ManagerClaim[],
): ManagerFault[] {
  const outcome = new Map(stored);
  for (const { staffId, managerId } of claims) {
    outcome.set(staffId, managerId === undefined ? (stored.get(staffId) ?? null) : managerId);
  }
  return [...findMissing(outcome, claims), ...findCycles(outcome, claims)].sort((a, b) => a.line - b.line);
}

/**
 * Returns the faults for an import that skips invalid rows: an invalid row also invalidates the rows that need its
 * person. It checks the remaining rows again until none is invalid, which can take quadratic time, so it is not for
 * requests.
 */
export function findManagerFaults(
  stored: ReadonlyMap<string, string | null>,
  claims: readonly ManagerClaim[],
): ManagerFault[] {
  const faults: ManagerFault[] = [];
  let left = claims;
  for (;;) {
    const found = findManagerFaultsOfAll(stored, left);
    if (found.length === 0) return faults.sort((a, b) => a.line - b.line);
    for (const fault of found) faults.push(fault);
    const invalid = new Set(found.map(({ line }) => line));
    left = left.filter(({ line }) => !invalid.has(line));
  }
}

function findMissing(outcome: ReadonlyMap<string, unknown>, claims: readonly ManagerClaim[]): ManagerFault[] {
  return claims.flatMap(({ line, managerId }) => {
    if (managerId === undefined || managerId === null || outcome.has(managerId)) return [];
    return [{ line, detail: 'No person of the company and no valid row has this StaffId.' }];
  });
}

/** Everybody has at most one manager, so each path is walked once. */
function findCycles(outcome: ReadonlyMap<string, string | null>, claims: readonly ManagerClaim[]): ManagerFault[] {
  const lineOf = new Map(claims.flatMap(({ staffId, managerId, line }) => (managerId ? [[staffId, line]] : [])));
  const done = new Set<string>();
  const faults: ManagerFault[] = [];
  for (const { staffId } of claims) {
    const path: string[] = [];
    const onPath = new Set<string>();
    let at: string | null | undefined = staffId;
    while (at !== null && at !== undefined && !done.has(at) && !onPath.has(at)) {
      path.push(at);
      onPath.add(at);
      at = outcome.get(at);
    }
    if (typeof at === 'string' && onPath.has(at)) {
      const cycle = path.slice(path.indexOf(at));
      const detail =
        cycle.length === 1
          ? 'A person cannot be their own manager.'
          : 'This makes a cycle: the manager reports to this person, directly or through others.';
      for (const member of cycle) {
        const line = lineOf.get(member);
        if (line !== undefined) faults.push({ line, detail });
      }
    }
    for (const one of path) done.add(one);
  }
  return faults;
}

/**
 * Returns a function for the number of managers above a person. Everybody has at most one manager, so each path is
 * walked once; a cycle, which only a concurrent change can create, ends the walk.
 */
export function rankByManager(managers: ReadonlyMap<string, string | null>): (staffId: string) => number {
  const ranks = new Map<string, number>();
  return (staffId) => {
    const path: string[] = [];
    let at: string | null | undefined = staffId;
    while (at !== null && at !== undefined && !ranks.has(at)) {
      ranks.set(at, 0);
      path.push(at);
      at = managers.get(at);
    }
    let rank = at === null || at === undefined ? -1 : (ranks.get(at) as number);
    for (const one of path.toReversed()) ranks.set(one, ++rank);
    return ranks.get(staffId) as number;
  };
}
