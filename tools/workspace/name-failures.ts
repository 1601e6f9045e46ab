import type { SerializedError } from 'vitest';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Returns a reporter that prints the failed tests and those that passed at the second try, in lines that `test-logs.mjs`
 * reads. vitest itself does not report a quick test that was tried twice.
 */
export function createFailureNames(print: (line: string) => void = console.log): Reporter {
  const name = (verdict: string, title: string, errors: readonly SerializedError[]) => {
    print(`${verdict}: ${title}`);
    for (const line of describe(errors[0])) print(`  | ${line}`);
  };
  return {
    onTestRunEnd(modules, unhandledErrors) {
      for (const module of modules) for (const each of verdictsOf(module)) name(each.verdict, each.title, each.errors);
      for (const error of unhandledErrors) name('failed', 'an error outside of any test', [error]);
    },
  };
}

function verdictsOf(module: TestModule): { verdict: string; title: string; errors: readonly SerializedError[] }[] {
  const file = module.relativeModuleId;
  const suites = [...module.children.allSuites()].map((suite) => ({
    title: `${file} > ${suite.fullName}`,
    errors: suite.errors(),
  }));
  const broken = [{ title: file, errors: module.errors() }, ...suites].filter(({ errors }) => errors.length > 0);
  const tests = [...module.children.allTests()].flatMap((test) => {
    const { state, errors = [] } = test.result();
    const title = `${file} > ${test.fullName}`;
    if (state === 'failed') return [{ verdict: 'failed', title, errors }];
    return test.diagnostic()?.flaky ? [{ verdict: 'passed at the second try', title, errors }] : [];
  });
  return [...broken.map((each) => ({ verdict: 'failed', ...each })), ...tests];
}

/** The error and its place in a few lines; the whole error is above in the log. */
function describe(error: SerializedError | undefined, linesMax = 6): string[] {
  if (error === undefined) return [];
  const text = `${error.name ?? 'Error'}: ${error.message}`.split('\n').filter((line) => line.trim() !== '');
  const place = error.stacks?.[0];
  return [
    ...text.slice(0, linesMax).map((line) => line.slice(0, 300)),
    ...(place ? [`at ${place.file}:${place.line}`] : []),
  ];
}
