import { describe, expect, it } from 'vitest';
import { repositoryAddress } from './repository-address.ts';

describe('repositoryAddress', () => {
  const env = { GITHUB_SERVER_URL: 'https://example.com', GITHUB_REPOSITORY: 'pets/fork' };

  it.each([['git+https://example.com/pets/pets.git'], [{ url: 'https://example.com/pets/pets' }]])(
    'comes from package.json: %j',
    (repository) => {
      expect(repositoryAddress({ repository }, env)).toBe('https://example.com/pets/pets');
    },
  );

  it('otherwise comes from the workflow, and is unknown elsewhere', () => {
    expect(repositoryAddress({}, env)).toBe('https://example.com/pets/fork');
    expect(repositoryAddress({}, {})).toBeUndefined();
    expect(repositoryAddress({}, { GITHUB_REPOSITORY: 'pets/fork' })).toBeUndefined();
  });
});
