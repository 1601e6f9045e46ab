'use strict';

// `npm start`: the three servers, from nothing but Node and npm.
require('./load-on-node.cjs')('start.mjs');
