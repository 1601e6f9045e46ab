import { CommandFailure, type Output } from '@rostergate/runtime/command';

export interface AskOptions {
  readonly stdin: Pick<NodeJS.ReadStream, 'on' | 'off' | 'setRawMode' | 'setEncoding' | 'resume' | 'pause'>;
  readonly output: Pick<Output, 'write'>;
  /** Asked one after the other; what is typed ahead answers the next. */
  readonly questions: readonly string[];
}

/** Exit code of what SIGINT ends. */
const interrupted = 130;

/** Asks at a terminal for lines that it does not show. */
export function askHidden({ stdin, output, questions }: AskOptions): Promise<string[]> {
  // Before anybody is asked: what is typed at once must not be shown either.
  stdin.setRawMode(true);
  stdin.setEncoding('utf8');
  return new Promise((resolve, reject) => {
    const answers: string[] = [];
    let typed: string[] = [];
    const ask = () => output.write(questions[answers.length] ?? '');
    const end = (settle: () => void) => {
      stdin.off('data', take);
      stdin.setRawMode(false);
      stdin.pause();
      output.write('\n');
      settle();
    };
    const take = (text: string) => {
      for (const key of text) {
        if (key === '\r' || key === '\n' || key === '\u0004') {
          answers.push(typed.join(''));
          typed = [];
          if (answers.length === questions.length) return end(() => resolve(answers));
          output.write('\n');
          ask();
          continue;
        }
        // The terminal makes no signal of Ctrl-C while it sends each key as it is.
        if (key === '\u0003') {
          const stop = new CommandFailure('Interrupted; nothing was changed.', interrupted as never);
          return end(() => reject(stop));
        }
        if (key === '\u007f' || key === '\b') typed.pop();
        else if (key === '\u0015') typed = [];
        else if (key >= ' ') typed.push(key);
      }
    };
    stdin.on('data', take);
    stdin.resume();
    ask();
  });
}
