import { keyDigest } from '@rostergate/access/keys';

/** A valid configuration that uses most features, and invalid variants of it. */
export const good: Readonly<Record<string, string>> = {
  'settings.json': JSON.stringify(
    {
      $schema: './settings.schema.json',
      _note: 'ours',
      rate_limit_enabled: false,
      api_keys: 'canary-key',
      drain_ms: 100,
    },
    null,
    2,
  ),
  'endpoints.json': JSON.stringify(
    {
      endpoints: [
        { path: '/answer', service: 'static', parameters: { answer: { a: [1, 'two', null] } }, tags: ['a'] },
        {
          path: '/crypto/{coin}',
          service: 'crypto',
          requires_auth: true,
          parameters: { symbol: { source: 'path', key: 'coin' } },
        },
        {
          path: '/own',
          method: 'POST',
          service: 'echo',
          requires_auth: true,
          api_keys: 'canary-a, canary-b',
          scopes: ['x'],
        },
      ],
    },
    null,
    2,
  ),
  'keys.json': JSON.stringify(
    {
      keys: [
        {
          name: 'ops',
          owner: 'team',
          sha256: keyDigest('canary-ops'),
          scopes: ['x'],
          expires_at: '2099-01-01T00:00:00Z',
        },
      ],
    },
    null,
    2,
  ),
};

const service = (rest: string) => `import { defineService, z } from 'rostergate';
export default defineService({
  name: 'late', summary: 'x', parameters: z.object({}), response: z.string(),
  handle: async () => (await import('./lib/text.ts')).text,
});
${rest}
`;

/** A custom service, which imports a file with its first request, and an endpoint for it. */
export const goodServices: Readonly<Record<string, string>> = {
  'services/late.ts': service(''),
  'services/lib/text.ts': "export const text: string = 'accepted';\n",
  'endpoints.json': (good['endpoints.json'] as string).replace('[', '[{ "path": "/late", "service": "late" },'),
};

/** A service that records each process that loads it. */
export const bystander = (version: number): string => `import { appendFileSync } from 'node:fs';
import { defineService, z } from 'rostergate';
appendFileSync(new URL('../loaded', import.meta.url), \`\${process.pid}\n\`);
export default defineService({
  name: 'bystander', summary: '${version}', parameters: z.object({}), response: z.string(), handle: () => '',
});
`;

/** Services that must be rejected; the lazily imported one first, while nothing has imported it. */
export function badServices(): BadConfiguration[] {
  const kinds: readonly (readonly [title: string, rest: string])[] = [
    ['that throws', "throw new Error('at once');"],
    ['that throws null', 'throw null;'],
    ['that throws an object without a prototype', 'throw Object.create(null);'],
    ['with a timer that throws', "setTimeout(() => { throw new Error('later'); }, 20);"],
    ['with a rejection that nothing handles', "void Promise.reject(new Error('forgotten'));"],
    ['with a connection that nothing listens to', "(await import('node:net')).connect(1, '127.0.0.1');"],
    ['that ends the process', 'process.exit(0);'],
    ['that ends the process later', 'setTimeout(() => process.exit(0), 20);'],
    ['that aborts the process', 'process.abort();'],
    ['that kills the process', "process.kill(process.pid, 'SIGKILL');"],
    ['that changes the folder', "process.chdir('/');"],
    ['that takes the handlers of signals away', "process.removeAllListeners('SIGTERM');"],
    ['that loops', 'for (;;) {}'],
    ['that loops later', 'setTimeout(() => { for (;;) {} }, 20);'],
    ['that awaits what never comes', 'await new Promise(() => {});'],
    ['that awaits what never comes, and has a timer', 'setInterval(() => {}, 9);\nawait new Promise(() => {});'],
    ['that exports too much', 'export const all = Array.from({ length: 1e7 }, () => new Array(100).fill(0.5));'],
    ['that imports what is not there', "import './lib/none.ts';"],
    ['that does not parse', 'const a = ;'],
  ];
  return [
    {
      title: 'whose text does not parse',
      file: 'services/lib/text.ts',
      text: "export const text = 'rejected';\nconst a = ;\n",
    },
    ...kinds.map(([title, rest]) => ({ title, file: 'services/late.ts', text: service(rest) })),
  ];
}

export interface BadConfiguration {
  readonly title: string;
  readonly file: string;
  readonly text: string;
}

/** Returns the invalid configurations; each must be rejected. */
export function badConfigurations(): BadConfiguration[] {
  return Object.entries(good).flatMap(([file, text]) =>
    [...cutShort(text), ...withoutOneSign(text), ...mistyped(text), ...spoilt(text)]
      .filter((bad) => !isSameJson(bad.text, text))
      .map((bad) => ({ file, ...bad })),
  );
}

type Spoilt = Omit<BadConfiguration, 'file'>;

function cutShort(text: string): Spoilt[] {
  return Array.from({ length: text.length }, (_, length) => ({
    title: `cut at ${length}`,
    text: text.slice(0, length),
  }));
}

function withoutOneSign(text: string): Spoilt[] {
  return [...text.matchAll(/[{}[\]:"]/g)].map(({ index }) => ({
    title: `without the sign at ${index}`,
    text: text.slice(0, index) + text.slice(index + 1),
  }));
}

/** Returns variants with each value replaced by an invalid type, and with each name misspelt. */
function mistyped(text: string): Spoilt[] {
  const found: Spoilt[] = [];
  const whole = JSON.parse(text) as unknown;
  const visit = (at: unknown, path: string): void => {
    if (typeof at !== 'object' || at === null) return;
    for (const [name, value] of Object.entries(at)) {
      // Notes, and the response of the service `static`, may be anything.
      if (name.startsWith('_') || name === '$schema' || name === 'answer') continue;
      const holder = at as Record<string, unknown>;
      const here = `${path}.${name}`;
      for (const wrong of [{ x: 1 }, [[1]], typeof value === 'string' ? 7 : 'text']) {
        holder[name] = wrong;
        found.push({ title: `${here} = ${JSON.stringify(wrong)}`, text: JSON.stringify(whole, null, 2) });
      }
      holder[name] = value;
      if (!Array.isArray(at) && !path.endsWith('.parameters')) {
        delete holder[name];
        holder[`${name}x`] = value;
        found.push({ title: `${here} misspelt`, text: JSON.stringify(whole, null, 2) });
        delete holder[`${name}x`];
        holder[name] = value;
      }
      visit(value, here);
    }
  };
  visit(whole, '');
  return found;
}

function spoilt(text: string): Spoilt[] {
  const firstEntry = /\[\s*(\{[\s\S]*?\n {4}\})/.exec(text)?.[1];
  return [
    { title: 'with a byte order mark', text: `\uFEFF${text}` },
    { title: 'with a comment', text: `// ours\n${text}` },
    { title: 'with a comma too many', text: text.replace(/\n(\s*)\}/, ',\n$1}') },
    { title: 'twice', text: text + text },
    { title: 'with a NUL', text: `${text}\0` },
    { title: 'null', text: 'null' },
    { title: 'a list', text: `[${text}]` },
    { title: 'a text', text: JSON.stringify(text) },
    { title: 'nested too deep', text: `${'['.repeat(5_000)}${']'.repeat(5_000)}` },
    { title: 'a page of a proxy', text: '<html><body>502 Bad Gateway</body></html>' },
    { title: 'a merge left undone', text: `<<<<<<< ours\n${text}\n=======\n${text}\n>>>>>>> theirs\n` },
    ...(firstEntry === undefined
      ? [{ title: 'with a name given twice', text: text.replace('{', '{ "drain_ms": 1,') }]
      : [{ title: 'with an entry given twice', text: text.replace(firstEntry, `${firstEntry}, ${firstEntry}`) }]),
  ];
}

function isSameJson(a: string, b: string): boolean {
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b));
  } catch {
    return false;
  }
}
