import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script of the pages, without types.
import { addressOf, curlOf, rosterFilter, rosterOptions } from '../assets/roster-query.js';

const view = { text: '', order: 'name', isDescending: false, part: 0, size: 25 };

describe('rosterFilter', () => {
  it('is empty for who asks for everybody', () => {
    expect(rosterFilter(view)).toBe('');
    expect(rosterFilter({ ...view, text: '  ' })).toBe('');
  });

  it('looks for every word in each of the searched properties, whatever its case', () => {
    const anywhere = (word: string) =>
      ['FirstName', 'LastName', 'StaffId', 'Email'].map((name) => `contains(tolower(${name}),${word})`).join(' or ');
    expect(rosterFilter({ ...view, text: 'ADA' })).toBe(anywhere("'ada'"));
    expect(rosterFilter({ ...view, text: "ada  O'Neil" })).toBe(
      `(${anywhere("'ada'")}) and (${anywhere("'o''neil'")})`,
    );
  });

  it('keeps a search together beside other conditions', () => {
    expect(rosterFilter({ ...view, text: 'ada', isActive: true })).toMatch(/^\(contains.*\) and IsActive eq true$/);
  });

  it('takes a tag within its category, or any of a category', () => {
    expect(rosterFilter({ ...view, tag: ['Team', "Chief's"] })).toBe(
      "Tags/any(c:c/CategoryName eq 'Team' and c/Tags/any(t:t/Name eq 'Chief''s'))",
    );
    expect(rosterFilter({ ...view, tag: ['Team'] })).toBe("Tags/any(c:c/CategoryName eq 'Team')");
  });

  it('wants skill and day of one and the same entry', () => {
    expect(rosterFilter({ ...view, skill: 'OR 1', day: 'Sat' })).toBe(
      "Skillset/any(s:s/TaskName eq 'OR 1' and s/IsSkilledSat eq true)",
    );
    expect(rosterFilter({ ...view, day: 'Sat' })).toBe('Skillset/any(s:s/IsSkilledSat eq true)');
  });
});

describe('rosterOptions', () => {
  it('leaves the finding, ordering, counting and parting to the server', () => {
    const options = new Map(rosterOptions({ ...view, order: 'name', isDescending: true, part: 3, size: 50 }));
    expect(options.get('$orderby')).toBe('LastName desc,FirstName desc');
    expect([options.get('$top'), options.get('$skip'), options.get('$count')]).toEqual(['50', '150', 'true']);
    expect(options.has('$filter')).toBe(false);
  });

  it('lets a filter written by hand stand for all fields', () => {
    expect(new Map(rosterOptions({ ...view, text: 'ada', own: 'Fte lt 1' })).get('$filter')).toBe('Fte lt 1');
  });
});

describe('a request', () => {
  const request = { url: 'http://here/v2/staffmember', query: [['$filter', "LastName eq 'O''Neil' & more + %"]] };

  it('is an address that holds its values whole', () => {
    const { search } = new URL(addressOf(request));
    expect(search).toMatch(/^\?\$filter=/);
    expect(new URLSearchParams(search).get('$filter')).toBe("LastName eq 'O''Neil' & more + %");
  });

  it('is a command that a shell reads as meant, and that holds no token', () => {
    const line = curlOf(request);
    expect(line).toContain('-H "Authorization: Bearer $TOKEN"');
    const words = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${line}`], { env: { TOKEN: 'mine' } });
    expect(words.toString().trim().split('\n')).toEqual([
      '-sSG',
      'http://here/v2/staffmember',
      '-H',
      'Authorization: Bearer mine',
      '--data-urlencode',
      "$filter=LastName eq 'O''Neil' & more + %",
    ]);
  });
});
