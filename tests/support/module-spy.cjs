/** Preloaded into a server: writes the name of each package that is loaded by `require` on a line of its own. */
const Module = require('node:module')
const load = Module._load

Module._load = function loadAndTell(request, ...others) {
  if (!/^(?:node:|[./])/.test(request)) process.stderr.write(`loaded ${request}\n`)
  return load.call(this, request, ...others)
}
