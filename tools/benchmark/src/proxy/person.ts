import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { companyKey, loadRoster } from '../scheduling/roster.ts';
import { startScheduling } from '../scheduling/scheduling.ts';
import { type ServerProcess, startPeer } from '../server-process.ts';

/** Returns one person with tags and skills as the API writes it. */
export async function readPerson(): Promise<Uint8Array> {
  const server = await startScheduling({ file: await loadRoster(1) });
  try {
    const list = await fetch(`${server.url}/v2/staffmember?companyKey=${companyKey}&$select=StaffKey&$top=1`, server);
    const [{ StaffKey }] = (await list.json()) as [{ StaffKey: string }];
    const path = `/v2/staffmember/${encodeURIComponent(StaffKey)}?$expand=Tags,Skillset`;
    return await fetch(server.url + path, server).then((response) => response.bytes());
  } finally {
    await server.stop();
  }
}

/** Starts an upstream that responds with this person to every read. */
export async function startLeanUpstream(person: Uint8Array): Promise<ServerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'rostergate-bench-'));
  const file = join(folder, 'person.json');
  await writeFile(file, person);
  try {
    return await startPeer(new URL('lean-upstream.mjs', import.meta.url), { args: [file], core: 'load' });
  } finally {
    // The upstream has read the file.
    await rm(folder, { recursive: true });
  }
}
