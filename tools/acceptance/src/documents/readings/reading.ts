import type { Reading, ReadPage } from '../read-page.ts';

/** A page, or a part of it, whose shell blocks are run, with a check of their outputs. */
export interface KnownReading extends Pick<Reading, 'page' | 'headings'> {
  /** A program that it needs besides curl, by the name in the test files. */
  readonly needs?: 'redis' | 'postgres';
  /** Starts the servers and returns the replacements; the servers stop with the test. */
  prepare?(): Promise<Omit<Reading, 'page' | 'headings'>>;
  /** Throws unless the outputs match the page. */
  check(read: ReadPage): void | Promise<void>;
}
