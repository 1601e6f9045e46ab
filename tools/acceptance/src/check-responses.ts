import { existsSync } from 'node:fs';
import { contracts } from './contracts.ts';
import { countDeclared, findUnexplained, unprovoked } from './declared-responses.ts';
import { listFaults, readResponseLog } from './response-log.ts';

/** Reads the logs of several runs; fails for faults, and for unseen declared responses without a listed reason. */
const responses = process.argv.slice(2).filter(existsSync).flatMap(readResponseLog);
const { lines, unseen } = countDeclared(responses, contracts);
for (const line of lines) console.log(line);
const problems = [...listFaults(responses), ...findUnexplained(unseen, unprovoked)];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
