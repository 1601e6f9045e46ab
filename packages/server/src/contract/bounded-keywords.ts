import { createRequire } from 'node:module';
import { createSafePattern } from '../pattern/safe-pattern.ts';
import { faultsMax } from '../problem/index.ts';
import { stopKeyword, visitKeyword, workKeyword } from './bounded-schemas.ts';
import { createDuplicateSearch } from './unique-items.ts';

/** A validation took more steps than its budget. */
export class WorkError extends Error {
  override readonly name = 'WorkError';
}

/** A unit takes up to a microsecond: 30 ms for any body, up to 100 ms for the longest. */
const workMin = 30_000;
const workPerByte = 1 / 64;
const workMax = 100_000;

/**
 * A visit takes 60 to 200 ns. A recursive schema accepts any body whose values it checks once, since a value has at least
 * two bytes, or four times where each value has eight. Long texts alone allow few visits: counting their characters.
 */
const visitsMin = 30_000;
const visitsPerByteMax = 1 / 2;
const visitsPerValue = 4;
const visitsPerByte = 1 / 8;

/** The parts of Ajv that are used here. */
export interface Ajv {
  readonly RULES: { readonly rules: readonly { readonly type?: string; readonly rules: { keyword: string }[] }[] };
  addKeyword(definition: object): unknown;
  removeKeyword(keyword: string): unknown;
  getSchema(key: string): Validate | undefined;
}

export interface Validate {
  (data: unknown): boolean;
  errors?: ValidationError[] | null;
  schema?: unknown;
}

export interface ValidationError {
  readonly keyword: string;
}

/** The remaining budget of one validation, which begins with `start`. */
export class WorkBudget {
  #left = 0;
  #visitsLeft = 0;
  #bytes = 0;
  #body: unknown;
  findDuplicate = createDuplicateSearch();

  start(bytes: number, body: unknown): void {
    this.#left = Math.min(workMin + workPerByte * bytes, workMax);
    this.#visitsLeft = visitsMin;
    this.#bytes = bytes;
    this.#body = body;
    this.findDuplicate = createDuplicateSearch();
  }

  spend(work: number): void {
    this.#left -= work;
    if (this.#left < 0) throw new WorkError();
  }

  visit(count: number): void {
    this.#visitsLeft -= count;
    if (this.#visitsLeft < 0) this.#extend();
  }

  /** Adds the visits for the values of the body, which are counted for few bodies. */
  #extend(): void {
    const valuesMax = (this.#bytes * (visitsPerByteMax - visitsPerByte)) / visitsPerValue;
    const values = countValues(this.#body, valuesMax);
    this.#visitsLeft += visitsPerByte * this.#bytes + visitsPerValue * values;
    this.#bytes = 0;
    if (this.#visitsLeft < 0) throw new WorkError();
  }

  /** Releases the body. */
  end(): void {
    this.#body = undefined;
  }
}

/** Returns how many values a parsed body contains, or `max` if more. */
function countValues(body: unknown, max: number): number {
  const pending = [body];
  let count = 1;
  for (let value = pending.pop(); count < max && typeof value === 'object' && value !== null; ) {
    for (const inner of Object.values(value)) {
      count++;
      if (typeof inner === 'object' && inner !== null) pending.push(inner);
    }
    value = pending.pop();
  }
  return Math.min(count, max);
}

/** Options of Ajv that run the patterns of a contract in bounded time. */
export const boundedOptions = {
  code: { regExp: Object.assign(createPattern, { code: 'createPattern' }) },
};

function createPattern(source: string, flags: string) {
  const pattern = createSafePattern(source, flags);
  return { test: (text: string) => pattern.test(text), toString: () => `/${source}/${flags}` };
}

/** Adds keywords that bound the work of a validator, or the list of one that lists all faults. */
export function addBoundedKeywords(ajv: Ajv, budget: WorkBudget, listsAll: boolean): void {
  // Before all others, which return at the first fault.
  const before = ajv.RULES.rules.find(({ type }) => type === undefined)?.rules[0]?.keyword;
  if (listsAll) ajv.addKeyword({ keyword: stopKeyword, before, code: createStop() });
  else {
    ajv.addKeyword({ keyword: workKeyword, before, code: createCall((work) => budget.spend(work)) });
    ajv.addKeyword({ keyword: visitKeyword, before, code: createCall((visits) => budget.visit(visits)) });
  }
  for (const keyword of ['maxLength', 'minLength']) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      type: 'string',
      schemaType: 'number',
      errors: true,
      compile: (limit: number) => createLengthCheck(budget, keyword, limit),
    });
  }
  ajv.removeKeyword('uniqueItems');
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    errors: true,
    // Runs after the items, so that inner lists are searched before outer ones.
    compile: (isUnique: boolean, { maxItems = Infinity }: { maxItems?: number }) =>
      isUnique ? createUniqueCheck(budget, maxItems) : () => true,
  });
  const getSchema = ajv.getSchema.bind(ajv);
  ajv.getSchema = (key) => boundErrors(getSchema(key));
}

/** Counting this many characters takes as long as one visit. */
const charactersPerVisit = 32;

/** Counts characters only where the number of code units does not decide: a character has one or two. */
function createLengthCheck(budget: WorkBudget, keyword: string, limit: number) {
  const isMax = keyword === 'maxLength';
  const allowed = isMax ? limit : limit - 1;
  const check = (text: string): boolean => {
    let isLonger = text.length > allowed;
    if (isLonger && text.length <= 2 * allowed) {
      budget.visit(text.length / charactersPerVisit);
      let count = 0;
      for (let i = 0; i < text.length; i++, count++) if ((text.codePointAt(i) as number) > 0xffff) i++;
      isLonger = count > allowed;
    }
    if (isLonger !== isMax) return true;
    const message = `must NOT have ${isMax ? 'more' : 'fewer'} than ${limit} characters`;
    check.errors = [{ keyword, message, params: { limit } }];
    return false;
  };
  check.errors = [] as object[];
  return check;
}

function createUniqueCheck(budget: WorkBudget, maxItems: number) {
  const check = (list: readonly unknown[]): boolean => {
    // `maxItems` rejects a list that is too long.
    if (list.length > maxItems) return true;
    const found = budget.findDuplicate(list);
    if (found === undefined) return true;
    const [j, i] = found;
    const message = `must NOT have duplicate items (items ## ${j} and ${i} are identical)`;
    check.errors = [{ keyword: 'uniqueItems', message, params: { i, j } }];
    return false;
  };
  check.errors = [] as object[];
  return check;
}

/** Generates code that calls a function with the value of a keyword: Ajv would also pass the place of each value. */
function createCall(run: (amount: number) => void) {
  const { _ } = loadCodegen();
  return ({ gen, schema }: { gen: CodeGenerator; schema: number }): void => {
    gen.code(_`${gen.scopeValue('func', { ref: run })}(${schema})`);
  };
}

/** Generates code that ends the check of a schema when the list of faults is full. */
function createStop() {
  const { _, names } = loadCodegen();
  return ({ gen, it }: { gen: CodeGenerator; it: { validateName: unknown } }): void => {
    gen.if(_`${names.errors} >= ${faultsMax}`, () => {
      gen.code(_`${it.validateName}.errors = ${names.vErrors}`).return(false);
    });
  };
}

interface CodeGenerator {
  if(condition: unknown, then: () => void): CodeGenerator;
  code(text: unknown): CodeGenerator;
  return(value: unknown): CodeGenerator;
  scopeValue(prefix: string, value: { readonly ref: unknown }): unknown;
}

/** Loads the code generator of the Ajv copy that the validator uses. */
function loadCodegen(): Codegen {
  const require = createRequire(import.meta.url);
  const requireBeside = createRequire(require.resolve('express-openapi-validator/package.json'));
  const { _ } = requireBeside('ajv/dist/compile/codegen') as Codegen;
  return { _, names: (requireBeside('ajv/dist/compile/names') as { default: Codegen['names'] }).default };
}

interface Codegen {
  _(texts: TemplateStringsArray, ...values: unknown[]): unknown;
  readonly names: { readonly errors: unknown; readonly vErrors: unknown };
}

const errorsMax = 2 * faultsMax;

/** Limits the errors that are described: alternatives leave many, and the last one is the outermost. */
function boundErrors(validate: Validate | undefined): Validate | undefined {
  if (validate === undefined) return undefined;
  const bounded: Validate = (data) => {
    const isValid = validate(data);
    const all = validate.errors ?? [];
    // The errors inside of a branch describe it better than its `if`.
    const errors = all.filter(({ keyword }) => keyword !== 'if');
    bounded.errors =
      errors.length <= errorsMax ? errors : [...errors.slice(0, errorsMax), errors.at(-1) as ValidationError];
    return isValid;
  };
  bounded.schema = validate.schema;
  return bounded;
}
