import type { Listed } from '../reports/read-operations.ts';

/**
 * Pairs of things that must agree. The tests of a pair are called `pair <name>: …`, those that change one side only and
 * expect the check to fail `mutation <name>: …`.
 */
export const pairs: readonly Listed[] = [
  {
    name: 'spec ⇄ generated files',
    description: '`specs/` and the error table ⇄ everything that `pnpm generate` writes from them',
  },
  { name: 'spec ⇄ server stubs', description: 'operations of the contracts ⇄ the tables of `packages/*-server`' },
  {
    name: 'spec ⇄ running routes',
    description: 'operations of the contracts ⇄ the routes that the three servers accept, and their `/openapi.json`',
  },
  {
    name: 'spec ⇄ tested responses',
    description:
      'statuses, headers, media types and schemas of the contracts ⇄ every response that the acceptance tests get by `fetch` or `call`; bodies of servers that a test starts itself only by `call`',
  },
  {
    name: 'spec ⇄ rendered documentation',
    description: 'operations of the contracts ⇄ what Swagger UI and ReDoc show in a browser, on all three servers',
  },
  {
    name: 'endpoints.json ⇄ /openapi.json ⇄ /docs ⇄ /redoc ⇄ /endpoints',
    description: 'the endpoints as configured ⇄ as documented, listed, and shown by Swagger UI and ReDoc in a browser',
  },
  {
    name: 'operationIds ⇄ client methods',
    description: 'operations of the contracts ⇄ the request that each client method sends',
  },
  { name: 'settings ⇄ docs', description: 'the schema of each server’s settings ⇄ the page that describes them' },
  {
    name: 'settings ⇄ --help',
    description: 'the schema of each server’s settings ⇄ the options of `serve` of the three commands',
  },
  {
    name: 'settings ⇄ published schema',
    description: 'the schema of each server’s settings ⇄ `apps/*/schemas`, which editors use to check the files',
  },
  {
    name: 'published schema ⇄ examples',
    description: '`apps/*/schemas` of all five files ⇄ the examples in the page on the configuration',
  },
  {
    name: 'settings ⇄ templates',
    description:
      'the schema of each server’s settings ⇄ the files that `init` writes, `npm start` reads and the pages show',
  },
  {
    name: 'settings ⇄ environment names',
    description:
      'the schema of each server’s settings ⇄ every `ROSTERGATE_…` in a document, in `deploy/`, in `ops/` and in scripts',
  },
  { name: 'commands ⇄ docs/commands.md', description: 'the three programs ⇄ the page on their commands' },
  { name: 'error table ⇄ docs/errors.md', description: 'codes, statuses, kinds and titles ⇄ their page' },
  { name: 'error table ⇄ error classes', description: 'statuses and kinds ⇄ the error classes of both clients' },
  {
    name: 'error table ⇄ examples',
    description: 'codes, statuses, kinds and titles ⇄ the examples of problems in both contracts',
  },
  {
    name: 'README commands ⇄ CI',
    description: 'workspace commands in documents ⇄ scripts of `package.json` and stages of `.ci/run`',
  },
  {
    name: 'shell blocks ⇄ tests',
    description: 'every shell block of every page ⇄ the test that runs it',
  },
  { name: 'links ⇄ pages', description: 'every link of every page ⇄ files and headings' },
  {
    name: 'threat model ⇄ proofs',
    description: 'every threat of the threat model ⇄ the promises and the titles of tests that it leads to',
  },
  {
    name: 'metrics ⇄ ops/README.md',
    description: 'the metrics of the three servers ⇄ the page that lists them',
  },
  {
    name: 'spec change ⇄ changeset',
    description: 'changes of a contract since its last release ⇄ the version that the changesets announce',
  },
  {
    name: 'documented things ⇄ acceptance tests',
    description:
      'settings, fields, routes, commands and lines of the contracts ⇄ the titles of the tests that check them',
  },
];
