import { test } from 'vitest';
import { readPage } from './read-page.ts';
import { readings } from './readings/index.ts';
import type { KnownReading } from './readings/reading.ts';

/** A test for each reading that needs this program, or none beyond npm. */
export function testReadings(needs: KnownReading['needs']): void {
  test.each(
    readings
      .filter((reading) => reading.needs === needs)
      .map(
        (reading) => [`${reading.page}${reading.headings ? `, ${reading.headings.join(', ')}` : ''}`, reading] as const,
      ),
  )('%s: every shell block does what it says', async (_, reading) => {
    const { page, headings } = reading;
    const read = await readPage({ page, ...(headings ? { headings } : {}), ...(await reading.prepare?.()) });
    await reading.check(read);
  });
}
