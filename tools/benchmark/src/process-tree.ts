import { readdirSync, readFileSync } from 'node:fs';

/** Where the system tells of its processes. */
const processes = '/proc';

/** Whether this machine tells of processes. */
export function canReadProcesses(): boolean {
  return readText(`${processes}/self/schedstat`) !== '';
}

/** Microseconds of CPU that a process and all that it has started have taken so far. */
export function cpuUsOfTree(pid: number): number {
  const ns = treeOf(pid).flatMap((id) =>
    listNames(`${processes}/${id}/task`).map((thread) => {
      const [ran = '0'] = readText(`${processes}/${id}/task/${thread}/schedstat`).split(' ');
      return Number(ran);
    }),
  );
  return ns.reduce((sum, one) => sum + one, 0) / 1_000;
}

/** Resident bytes of a process and all that it has started; what they share counts for each. */
export function memoryOfTree(pid: number): number {
  const kilobytes = treeOf(pid).map((id) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readText(`${processes}/${id}/status`))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, one) => sum + one, 0) * 1_024;
}

function treeOf(pid: number): number[] {
  const children = listNames(`${processes}/${pid}/task`).flatMap((thread) =>
    readText(`${processes}/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(treeOf)];
}

/** Empty for one that has ended in the meantime. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function listNames(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
