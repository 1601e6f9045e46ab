import { readdirSync, readFileSync } from 'node:fs';

const processes = '/proc';

/** Whether this machine reports the resources of processes. */
export function canReadProcesses(): boolean {
  return readText(`${processes}/self/schedstat`) !== '';
}

/** Returns the CPU microseconds of a process and all its descendants so far. */
export function cpuUsOfTree(pid: number): number {
  const ns = treeOf(pid).flatMap((id) =>
    listNames(`${processes}/${id}/task`).map((thread) => {
      const [ran = '0'] = readText(`${processes}/${id}/task/${thread}/schedstat`).split(' ');
      return Number(ran);
    }),
  );
  return ns.reduce((sum, one) => sum + one, 0) / 1_000;
}

/** Returns the resident bytes of a process and all its descendants; shared pages count for each. */
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

/** Returns an empty text for a process that has ended. */
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
