import type { Change } from '../../../../apps/gateway/src/diff/change.ts';
import type { ChangeKind } from '../../../../apps/gateway/src/diff/rules.ts';
import type { ContractChange, DocumentChange } from '../contract/contract-change.ts';
import { describeChanges } from './describe-changes.ts';

/** Returns the changes of a contract since its last release for the CHANGELOGs of its spec, clients and stubs; '' for none. */
export function emitContractSection({ release, documents }: ContractChange): string {
  const [first] = documents.filter(({ state }) => state === 'existing');
  const parts = documents.flatMap((document) => {
    if (document.state === 'gone') return [`**${document.title}** is gone.`];
    if (release === undefined || document.state === 'new') return [beginning(document)];
    return document === first ? changeLines(document, documents.length > 1) : likeFirst(document, first);
  });
  if (parts.length === 0) return '';
  const isBreaking = documents.some(({ state, changes }) => state === 'gone' || changes.some(isOf('breaking')));
  const advice = isBreaking && release?.version.startsWith('0.') ? [beforeOne] : [];
  return [contractHeading, ...advice, ...parts].join('\n\n');
}

const contractHeading = '### The contract';

const beforeOne = 'Before 1.0 a minor version may break callers: read the first list.';

const beginning = ({ title, operations }: DocumentChange): string =>
  `**${title}** begins with ${operations === 1 ? 'one operation' : `${operations} operations`}.`;

/** Returns only the differences to the first document, from which this one is derived. */
function likeFirst(document: DocumentChange, first: DocumentChange | undefined): string[] {
  const shared = new Set(first?.changes.map((change) => JSON.stringify(change)));
  const own = document.changes.filter((change) => !shared.has(JSON.stringify(change)));
  const hasAll = shared.size > 0 && document.changes.length - own.length === shared.size;
  if (!hasAll) return changeLines(document, true);
  const text = `**${document.title}** changes in the same way`;
  return own.length === 0 ? [`${text}.`] : [`${text}, and also:`, ...changeLines({ ...document, changes: own }, false)];
}

function changeLines({ title, changes, operations }: DocumentChange, isNamed: boolean): string[] {
  const lines = kindTitles.flatMap(([kind, heading]) => {
    const sentences = describeChanges(changes.filter(isOf(kind)), operations);
    return sentences.length === 0 ? [] : [`**${heading}**`, list(sentences)];
  });
  return lines.length > 0 && isNamed ? [`#### ${title}`, ...lines] : lines;
}

function list(sentences: readonly string[]): string {
  const rest = sentences.length - sentencesMax;
  const lines = sentences.slice(0, sentencesMax).map((sentence) => `- ${sentence}`);
  return [...lines, ...(rest > 0 ? [`- … and ${rest} more, listed by \`rostergate diff\`.`] : [])].join('\n');
}

/** Per kind of change; `rostergate diff` lists all. */
const sentencesMax = 40;

const isOf =
  (kind: ChangeKind) =>
  (change: Change): boolean =>
    change.kind === kind;

/** In the order of the CHANGELOG: breaking changes first. */
const kindTitles: readonly (readonly [ChangeKind, string])[] = [
  ['breaking', 'Breaks callers'],
  ['policy', 'More restrictive'],
  ['addition', 'New'],
  ['relaxation', 'Less restrictive'],
  ['note', 'Notes'],
];

/** Inserts a section first under a release of a CHANGELOG; an existing section stays unchanged. */
export function insertSection(changelog: string, version: string, section: string): string {
  const release = findRelease(changelog, version);
  if (release === undefined || section === '') return changelog;
  const { start, end } = release;
  const [sectionHeading = ''] = section.split('\n', 1);
  if (changelog.slice(start, end).includes(`\n${sectionHeading}\n`)) return changelog;
  return `${changelog.slice(0, start)}\n${section}\n${changelog.slice(start)}`;
}

/** Returns the text of a CHANGELOG under one version; '' if the version is missing. */
export function releaseNotes(changelog: string, version: string): string {
  const release = findRelease(changelog, version);
  return release === undefined ? '' : changelog.slice(release.start, release.end).trim();
}

/** Returns where a version's text starts and ends: after its heading, before the next one. */
function findRelease(changelog: string, version: string): { readonly start: number; readonly end: number } | undefined {
  const heading = `\n## ${version}\n`;
  // The first line may be a heading as well.
  const at = `\n${changelog}`.indexOf(heading);
  if (at < 0) return undefined;
  const start = at + heading.length - 1;
  const end = changelog.indexOf('\n## ', start);
  return { start, end: end < 0 ? changelog.length : end };
}
