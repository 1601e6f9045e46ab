import { pipeline, type Readable, Transform } from 'node:stream';
import type { Sample } from './sample-queue.ts';

/** The same bytes at the pace of whoever reads them, shown to a sample as they pass. */
export function tapBody(body: Readable, sample: Sample): Readable {
  const tapped = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sample.add(chunk);
      done(null, chunk);
    },
    flush(done) {
      sample.finish();
      done();
    },
  });
  // Ends one with the other, with the fault that ended it; whoever reads sees that.
  pipeline(body, tapped, (error) => {
    if (error) sample.drop();
  });
  return tapped;
}
