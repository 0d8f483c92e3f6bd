// Loads the scripts of the page as one function, in the order in which CMake joins them.
'use strict';

const fs = require('node:fs');
const path = require('node:path');
const zlib = require('node:zlib');

const folder = path.join(__dirname, '../../src/share/viewer');

function scriptNames() {
  const cmake = fs.readFileSync(path.join(folder, '../CMakeLists.txt'), 'utf8');

  return /set\(viewer_scripts ([^)]*)\)/.exec(cmake)[1].split(/\s+/);
}

// Returns the declared names of the scripts; without a document the scripts start nothing.
function load(names) {
  const text = scriptNames().map((name) => fs.readFileSync(path.join(folder, name), 'utf8'));

  return new Function(`'use strict';${text.join('')}return {${names.join(',')}};`)();
}

// Reads the data of a page file with the page's own scripts.
function readPage(file) {
  const {unpack, bytesOfBase64} = load(['unpack', 'bytesOfBase64']);
  const html = fs.readFileSync(file, 'utf8');

  return unpack(zlib.inflateRawSync(bytesOfBase64(/id="data">([^<]*)</.exec(html)[1])));
}

module.exports = {folder, scriptNames, load, readPage};
