import type { Mcp } from '@rostergate/endpoints';
import { minus, type Note } from './change.ts';
import { compareLimit, compareOrigins } from './compare-limits.ts';

type Compare = (old: Mcp, next: Mcp, note: Note) => void;

/** Notes changes of the tools for AI agents. Which credentials they need is part of the contract. */
export function compareMcp(old: Mcp | undefined, next: Mcp | undefined, note: Note): void {
  if (old === undefined || next === undefined) return;
  for (const compare of Object.values(fields)) compare(old, next, note);
}

/** Every field, rated. */
const fields: Readonly<Record<keyof Mcp, Compare>> = {
  tools: compareTools,
  auth: () => {},
  resource: (old, next, note) => {
    if (old.resource !== next.resource) note('setting-tightened', 'mcp.resource', 'tokens must name another audience');
  },
  origins: (old, next, note) => compareOrigins('mcp.origins', old.origins, next.origins, note),
  timeout_ms: (old, next, note) => compareLimit('mcp.timeout_ms', old.timeout_ms, next.timeout_ms, note),
  result_bytes_max: (old, next, note) =>
    compareLimit('mcp.result_bytes_max', old.result_bytes_max, next.result_bytes_max, note),
};

function compareTools(old: Mcp, next: Mcp, note: Note): void {
  const [before, now] = [old, next].map(({ tools }) => new Map(tools.map((tool) => [nameOf(tool), tool])));
  if (before === undefined || now === undefined) return;
  for (const name of minus(new Set(before.keys()), new Set(now.keys()))) {
    note('tool-removed', `tool ${name}`, 'agents can no longer call it');
  }
  for (const [name, tool] of now) {
    const other = before.get(name);
    if (other === undefined) note('tool-added', `tool ${name}`, `calls ${tool.operation_id}`);
    else if (other.operation_id !== tool.operation_id) {
      note('tool-replaced', `tool ${name}`, `calls ${tool.operation_id}, not ${other.operation_id}`);
    } else if (JSON.stringify(other) !== JSON.stringify(tool)) {
      note('tool-changed', `tool ${name}`, 'has another description');
    }
  }
}

const nameOf = ({ name, operation_id }: Mcp['tools'][number]): string => name ?? operation_id;
