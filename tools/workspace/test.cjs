'use strict';

// `npm test`: runs the tests of every package; needs only Node and npm.
require('./load-on-node.cjs')('test.mjs');
