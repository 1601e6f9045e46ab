import { expect, test } from 'vitest';
import { readHero } from './home-page.ts';

test('the hero has the title, the first sentence and the rest of the first paragraph', () => {
  expect(readHero('# Pets\n\nPets finds\npets. It is fast. It is small.\n\nMore.\n')).toEqual({
    name: 'Pets',
    text: 'Pets finds pets.',
    tagline: 'It is fast. It is small.',
  });
});

test('a README that begins in another way is an error', () => {
  expect(() => readHero('# Pets\n\n## Start\n')).toThrow('README.md does not begin with');
});
