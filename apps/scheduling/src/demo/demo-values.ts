import type { Row } from '../store/tables.ts';
import type { Random } from './random.ts';

/** The end of what has no end. */
export const farOff = '2100-01-01T00:00:00';
export const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

export const linkTo = ({ CategoryKey, TagKey }: Row<'tags'>) => ({ CategoryKey, TagKey });

export const createTagPeriod = (random: Random) => ({
  EffectiveFromDate: `${random.integer(2018, 2025)}-0${random.integer(1, 9)}-01T00:00:00`,
  EffectiveToDate: farOff,
});

export const twoDigits = (n: number) => String(n).padStart(2, '0');

export const createTimeOfDay = (random: Random) =>
  `${twoDigits(random.integer(0, 23))}:${twoDigits(random.integer(0, 59))}:${twoDigits(random.integer(0, 59))}`;

/** Numbers that are never given to anyone. */
export const createPhone = (random: Random) =>
  `+1 ${random.integer(201, 989)} 555 01${twoDigits(random.integer(0, 99))}`;

/** Plain letters for addresses: Łukasz O’Neil gives lukasz and oneil. */
export function asciiOf(text: string): string {
  const plain = text
    .replaceAll('Ł', 'L')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('ß', 'ss')
    .replaceAll('ı', 'i');
  const ascii = plain
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]/g, '')
    .toLowerCase();
  return ascii || `u${[...text].map((char) => char.codePointAt(0)?.toString(16)).join('')}`;
}
