import { describe, expect, it } from 'vitest';
import { readInstallLine, readNamedFiles, readReadmeProgram } from './readme-program.ts';

const fence = '```';
const block = (code: string, language = 'ts') => `${fence}${language}\n${code}\n${fence}\n`;

describe('readReadmeProgram', () => {
  it('joins all TypeScript of a README and collects the output that it states', () => {
    const readme = `# Pets\n${block('npm install pets', 'sh')}${block('const a = 1;')}words\n${block('console.log(a); // → 1')}`;
    expect(readReadmeProgram(readme)).toEqual({ code: 'const a = 1;\n\nconsole.log(a); // → 1\n', prints: ['1'] });
  });

  it('reads only the marked examples if some are marked', () => {
    const readme = `<!-- example -->\n\n${block('console.log(2); // → 2')}${block('db.prepare(…);')}`;
    expect(readReadmeProgram(readme)?.code).toBe('console.log(2); // → 2\n');
  });

  it('replaces placeholders', () => {
    expect(readReadmeProgram(block("call('your-key');"), { 'your-key': 'k1' })?.code).toBe("call('k1');\n");
  });

  it('rejects a placeholder that the README lacks', () => {
    expect(() => readReadmeProgram(block('call();'), { 'your-key': 'k1' })).toThrow('The README lacks your-key.');
  });

  it('is undefined for a README without TypeScript', () => {
    expect(readReadmeProgram(block('pets serve', 'sh'))).toBeUndefined();
  });
});

it('reads the packages of the install line for a project', () => {
  const readme = block('npm install --global pets\nnpm install @pets/client @pets/spec', 'sh');
  expect(readInstallLine(readme)).toEqual(['@pets/client', '@pets/spec']);
  expect(readInstallLine('npx pets')).toEqual([]);
});

it('reads the files that a README shows with their names', () => {
  const readme = `${block('// services/greet.ts\nexport default 1;')}${block('const other = 2;')}`;
  expect(readNamedFiles(readme)).toEqual([{ path: 'services/greet.ts', code: 'export default 1;\n' }]);
});
