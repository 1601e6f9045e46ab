import type { Reading, ReadPage } from '../read-page.ts';

/** A page, or a part of it, whose shell blocks are run, and what shows that they did what the page says. */
export interface KnownReading extends Pick<Reading, 'page' | 'headings'> {
  /** A program that it needs beyond curl, by the name that the tests' files have for it. */
  readonly needs?: 'redis' | 'postgres';
  /** What stands for the reader's own; started servers end with the test. */
  prepare?(): Promise<Omit<Reading, 'page' | 'headings'>>;
  /** Fails unless the outputs are what the page promises. */
  check(read: ReadPage): void | Promise<void>;
}
