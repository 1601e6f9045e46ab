import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
// @ts-expect-error: a script of the pages, without types.
import { addressOf, curlOf, fileOptions, rosterFilter, rosterOptions } from './assets/roster-query.js';

const view = { text: '', order: 'name', isDescending: false, part: 0, size: 25 };

describe('rosterFilter', () => {
  it('is empty without conditions', () => {
    expect(rosterFilter(view)).toBe('');
    expect(rosterFilter({ ...view, text: '  ' })).toBe('');
  });

  it('searches every word in each searched property, ignoring case', () => {
    const anywhere = (word: string) =>
      ['FirstName', 'LastName', 'StaffId', 'Email'].map((name) => `contains(tolower(${name}),${word})`).join(' or ');
    expect(rosterFilter({ ...view, text: 'ADA' })).toBe(anywhere("'ada'"));
    expect(rosterFilter({ ...view, text: "ada  O'Neil" })).toBe(
      `(${anywhere("'ada'")}) and (${anywhere("'o''neil'")})`,
    );
  });

  it('wraps a search in parentheses beside other conditions', () => {
    expect(rosterFilter({ ...view, text: 'ada', isActive: true })).toMatch(/^\(contains.*\) and IsActive eq true$/);
  });

  it('filters by a tag within its category, or by a category', () => {
    expect(rosterFilter({ ...view, tag: ['Team', "Chief's"] })).toBe(
      "Tags/any(c:c/CategoryName eq 'Team' and c/Tags/any(t:t/Name eq 'Chief''s'))",
    );
    expect(rosterFilter({ ...view, tag: ['Team'] })).toBe("Tags/any(c:c/CategoryName eq 'Team')");
  });

  it('requires skill and day of the same entry', () => {
    expect(rosterFilter({ ...view, skill: 'OR 1', day: 'Sat' })).toBe(
      "Skillset/any(s:s/TaskName eq 'OR 1' and s/IsSkilledSat eq true)",
    );
    expect(rosterFilter({ ...view, day: 'Sat' })).toBe('Skillset/any(s:s/IsSkilledSat eq true)');
  });
});

describe('rosterOptions', () => {
  it('leaves filtering, ordering, counting and paging to the server', () => {
    const options = new Map(rosterOptions({ ...view, order: 'name', isDescending: true, part: 3, size: 50 }));
    expect(options.get('$orderby')).toBe('LastName desc,FirstName desc');
    expect([options.get('$top'), options.get('$skip'), options.get('$count')]).toEqual(['50', '150', 'true']);
    expect(options.has('$filter')).toBe(false);
  });

  it('replaces all fields by a filter written by hand', () => {
    expect(new Map(rosterOptions({ ...view, text: 'ada', own: 'Fte lt 1' })).get('$filter')).toBe('Fte lt 1');
  });
});

it('fileOptions has the filter, order and fields of the view, without its paging', () => {
  const shown = rosterOptions({ ...view, isActive: true, part: 3 });
  const paging = ['$top', '$skip', '$count'];
  expect(fileOptions({ ...view, isActive: true, part: 3 })).toEqual(
    shown.filter(([name]: [string]) => !paging.includes(name)),
  );
});

describe('a request', () => {
  const request = { url: 'http://here/v2/staffmember', query: [['$filter', "LastName eq 'O''Neil' & more + %"]] };

  it('becomes a URL that preserves its values', () => {
    const { search } = new URL(addressOf(request));
    expect(search).toMatch(/^\?\$filter=/);
    expect(new URLSearchParams(search).get('$filter')).toBe("LastName eq 'O''Neil' & more + %");
  });

  it('names the form of a file in its shell command', () => {
    expect(curlOf({ ...request, accept: 'text/csv' })).toContain("-H 'Accept: text/csv'");
    expect(curlOf(request)).not.toContain('Accept');
  });

  it('has method, version and body of a write in its shell command', () => {
    const write = { method: 'PUT', url: 'http://here/v2/x', query: [], version: '"7-a"', body: `{"Name":"O'Neil"}` };
    const line = curlOf(write);
    const words = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }\n${line}`], { env: { TOKEN: 'mine' } });
    expect(words.toString().trim().split('\n')).toEqual([
      ...['-sS', '-X', 'PUT', 'http://here/v2/x'],
      ...['-H', 'Authorization: Bearer mine', '-H', 'If-Match: "7-a"', '-H', 'Content-Type: application/json'],
      ...['--data-binary', `{"Name":"O'Neil"}`],
    ]);
  });

  it('becomes a quoted shell command without a token', () => {
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
