import { describe, expect, it } from 'vitest';
import { readInstallLine, readNamedFiles, readReadmeProgram } from './readme-program.ts';

const fence = '```';
const block = (code: string, language = 'ts') => `${fence}${language}\n${code}\n${fence}\n`;

describe('readReadmeProgram', () => {
  it('joins all TypeScript of a README and collects what it says that it prints', () => {
    const readme = `# Pets\n${block('npm install pets', 'sh')}${block('const a = 1;')}words\n${block('console.log(a); // → 1')}`;
    expect(readReadmeProgram(readme)).toEqual({ code: 'const a = 1;\n\nconsole.log(a); // → 1\n', prints: ['1'] });
  });

  it('takes the marked examples alone where some are marked', () => {
    const readme = `<!-- example -->\n\n${block('console.log(2); // → 2')}${block('db.prepare(…);')}`;
    expect(readReadmeProgram(readme)?.code).toBe('console.log(2); // → 2\n');
  });

  it('puts what is here in place of what is the reader’s own', () => {
    expect(readReadmeProgram(block("call('your-key');"), { 'your-key': 'k1' })?.code).toBe("call('k1');\n");
  });

  it('refuses to replace what the README does not have', () => {
    expect(() => readReadmeProgram(block('call();'), { 'your-key': 'k1' })).toThrow('The README has no your-key.');
  });

  it('is nothing where a README has no TypeScript', () => {
    expect(readReadmeProgram(block('pets serve', 'sh'))).toBeUndefined();
  });
});

it('reads the packages of the line that installs them for a project', () => {
  const readme = block('npm install --global pets\nnpm install @pets/client @pets/spec', 'sh');
  expect(readInstallLine(readme)).toEqual(['@pets/client', '@pets/spec']);
  expect(readInstallLine('npx pets')).toEqual([]);
});

it('reads the files that a README shows by name', () => {
  const readme = `${block('// services/greet.ts\nexport default 1;')}${block('const other = 2;')}`;
  expect(readNamedFiles(readme)).toEqual([{ path: 'services/greet.ts', code: 'export default 1;\n' }]);
});
