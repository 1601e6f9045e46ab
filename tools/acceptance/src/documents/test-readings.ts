import { test } from 'vitest';
import { readPage } from './read-page.ts';
import { readings } from './readings/index.ts';
import type { KnownReading } from './readings/reading.ts';

/** A test for each reading that needs this program; each needs curl, and most need nothing else. */
export function testReadings(
  program: 'curl' | NonNullable<KnownReading['needs']>,
  isRead: (page: string) => boolean = () => true,
): void {
  test.each(
    readings
      .filter(({ page, needs = 'curl' }) => needs === program && isRead(page))
      .map(
        (reading) => [`${reading.page}${reading.headings ? `, ${reading.headings.join(', ')}` : ''}`, reading] as const,
      ),
  )('%s: every shell block works as documented', async (_, reading) => {
    const { page, headings } = reading;
    const read = await readPage({ page, ...(headings ? { headings } : {}), ...(await reading.prepare?.()) });
    await reading.check(read);
  });
}
