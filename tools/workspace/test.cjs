'use strict';

// `npm test`: the tests of every package, from nothing but Node and npm.
require('./load-on-node.cjs')('test.mjs');
