import type { Change } from '../../../../apps/gateway/src/diff/change.ts';
import type { ChangeKind } from '../../../../apps/gateway/src/diff/rules.ts';
import type { ContractChange, DocumentChange } from '../contract/load-contract-change.ts';
import { describeChange } from './describe-change.ts';

/** What became of a contract since its last release, for the CHANGELOGs of its spec, clients and stubs; '' for nothing. */
export function emitContractSection({ release, documents }: ContractChange): string {
  const parts = documents.flatMap((document) => documentLines(document, release === undefined, documents.length > 1));
  if (parts.length === 0) return '';
  const isBreaking = documents.some(({ state, changes }) => state === 'gone' || changes.some(isOf('breaking')));
  const advice = isBreaking && release?.version.startsWith('0.') ? [beforeOne] : [];
  return [contractHeading, ...advice, ...parts].join('\n\n');
}

export const contractHeading = '### The contract';

const beforeOne = 'Before 1.0 a minor version may break callers: read what stands first.';

function documentLines(document: DocumentChange, isFirst: boolean, areSeveral: boolean): string[] {
  const { title, state, operations } = document;
  if (state === 'gone') return [`**${title}** is gone.`];
  if (isFirst || state === 'new') return [`**${title}** begins with ${counted(operations)}.`];
  const sections = kindTitles.flatMap(([kind, heading]) => {
    const sentences = describeChanges(document.changes.filter(isOf(kind)), operations);
    return sentences.length === 0 ? [] : [`**${heading}**`, sentences.map((sentence) => `- ${sentence}`).join('\n')];
  });
  return sections.length > 0 && areSeveral ? [`#### ${title}`, ...sections] : sections;
}

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
  ['relaxation', 'Allows more'],
  ['note', 'Good to know'],
];

/** One sentence for what happened to many operations alike. @param operations how many there are in all */
export function describeChanges(changes: readonly Change[], operations = Number.POSITIVE_INFINITY): readonly string[] {
  const alike = Map.groupBy(changes, ({ rule, part, text }) => JSON.stringify([rule, part, text]));
  return [...alike.values()].map((group) => {
    const [first] = group as [Change, ...Change[]];
    const names = group.map(({ operation }) => operation);
    return capitalized(describeChange(first, subjectOf(names, operations)));
  });
}

function subjectOf(names: readonly string[], operations: number): string {
  if (names.length === 1) return names[0] === '' ? '' : `\`${names[0]}\``;
  if (names.length >= operations) return 'Each operation';
  // Verbs stand in the singular.
  const told = names.slice(0, namesMax).map((name) => `\`${name}\``);
  const rest = names.length - told.length;
  return `Each of ${told.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

const namesMax = 4;

const capitalized = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);
