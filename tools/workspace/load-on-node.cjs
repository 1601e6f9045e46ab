'use strict';

/**
 * Loads a module of today's syntax, unless the machine's Node is too old: that is said in one line.
 * This file and those that call it are ES5, because the Node that must be refused has to read them.
 */
module.exports = function loadOnNode(fileName) {
  var NODE_MAJOR_MIN = 20;
  if (parseInt(process.versions.node, 10) < NODE_MAJOR_MIN) {
    console.error(
      'Rostergate needs Node ' +
        NODE_MAJOR_MIN +
        ' or later; this is ' +
        process.version +
        '. Get one from https://nodejs.org.'
    );
    process.exit(1);
  }
  var url = require('url').pathToFileURL(require('path').join(__dirname, fileName)).href;
  // Written out, `import()` would be a syntax error in the Node that is refused above.
  new Function('url', 'return import(url)')(url).catch(function (error) {
    console.error(error);
    process.exit(1);
  });
};
