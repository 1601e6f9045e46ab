import type { Change } from '../../../../apps/gateway/src/diff/change.ts';
import type { ChangeKind } from '../../../../apps/gateway/src/diff/rules.ts';
import type { ContractChange, DocumentChange } from '../contract/load-contract-change.ts';
import { describeChanges } from './describe-changes.ts';

/** What became of a contract since its last release, for the CHANGELOGs of its spec, clients and stubs; '' for nothing. */
export function emitContractSection({ release, documents }: ContractChange): string {
  const parts = documents.flatMap((document) => documentLines(document, release === undefined, documents.length > 1));
  if (parts.length === 0) return '';
  const isBreaking = documents.some(({ state, changes }) => state === 'gone' || changes.some(isOf('breaking')));
  const advice = isBreaking && release?.version.startsWith('0.') ? [beforeOne] : [];
  return [contractHeading, ...advice, ...parts].join('\n\n');
}

const contractHeading = '### The contract';

const beforeOne = 'Before 1.0 a minor version may break callers: read what stands first.';

function documentLines(document: DocumentChange, isFirst: boolean, areSeveral: boolean): string[] {
  const { title, state, operations } = document;
  if (state === 'gone') return [`**${title}** is gone.`];
  if (isFirst || state === 'new') return [`**${title}** begins with ${counted(operations)}.`];
  const sections = kindTitles.flatMap(([kind, heading]) => {
    const sentences = describeChanges(document.changes.filter(isOf(kind)), operations);
    return sentences.length === 0 ? [] : [`**${heading}**`, list(sentences)];
  });
  return sections.length > 0 && areSeveral ? [`#### ${title}`, ...sections] : sections;
}

function list(sentences: readonly string[]): string {
  const rest = sentences.length - sentencesMax;
  const lines = sentences.slice(0, sentencesMax).map((sentence) => `- ${sentence}`);
  return [...lines, ...(rest > 0 ? [`- … and ${rest} more, which \`rostergate diff\` tells.`] : [])].join('\n');
}

/** Of one kind; who wants to know more compares the documents. */
const sentencesMax = 40;

const counted = (operations: number): string => (operations === 1 ? 'one operation' : `${operations} operations`);

const isOf =
  (kind: ChangeKind) =>
  (change: Change): boolean =>
    change.kind === kind;

/** As callers read them: what may break them first. */
const kindTitles: readonly (readonly [ChangeKind, string])[] = [
  ['breaking', 'Breaks callers'],
  ['policy', 'Allows less'],
  ['addition', 'New'],
  ['relaxation', 'Asks less, or promises more'],
  ['note', 'Good to know'],
];
