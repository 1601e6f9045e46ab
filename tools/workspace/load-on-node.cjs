'use strict';

/**
 * Loads a module with modern syntax, or reports in one line that Node is too old.
 * This file and its callers are ES5, because that old Node must be able to parse them.
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
  // A literal `import()` would be a syntax error in a Node that is too old.
  new Function('url', 'return import(url)')(url).catch(function (error) {
    console.error(error);
    process.exit(1);
  });
};
