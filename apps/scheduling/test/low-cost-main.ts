import { run } from '../src/command/program.ts';

// The program with a low cost of passwords, because those of tests protect nothing: by default a login takes half a second
// of CPU time. It is the cost of the demo accounts, whose hashes would be replaced at their first login otherwise.
void run(process, { passwordCost: { N: 16_384, r: 8, p: 1 } });
