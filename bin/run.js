#!/usr/bin/env node
// Nothing is imported by name: an old Node would not even start, and a new one would load what it need not.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isTooOld = major < 22 || (major === 22 && minor < 19)

await (isTooOld ? import('./old-node.js') : run())

async function run() {
  if (process.argv0 === 'paycli on its own Node') endWithOldNode()
  enableCompileCache()
  // A reader such as `head` that has seen enough is no error, but oclif would wait for it to take the rest.
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') fail(`Error: standard output cannot be written to: ${error.message}`)
    process.exit()
  })
  const launcher = await import('../dist/src/cli/launch/launch.js').catch(tellNotBuilt)
  const installed = { root: new URL('..', import.meta.url), load: (file) => import(file) }
  const [first, ...others] = process.argv.slice(2)
  // `help customers create` is what many programs take too.
  const words = first === 'help' && others.length > 0 ? [...others, '--help'] : process.argv.slice(2)
  if (!launcher || (await launcher.launch(installed, words))) return
  const [{ execute }, { settings }] = await Promise.all([
    import('@oclif/core/execute'),
    import('@oclif/core/settings'),
  ])
  // With NODE_ENV=development oclif would look for TypeScript sources and a compiler for them.
  settings.enableAutoTranspile = false
  await execute({ args: words, dir: import.meta.url })
}

/** Keeps compiled code in the temporary folder, if folders can be made there. */
function enableCompileCache() {
  // Node has enabled it already.
  if (process.env.NODE_COMPILE_CACHE) return
  const { existsSync, mkdirSync } = process.getBuiltinModule('node:fs')
  const folder = `${process.getBuiltinModule('node:os').tmpdir()}/node-compile-cache`
  try {
    // Node tries forever where a folder cannot be made and the system reports ENOENT, as in /proc.
    if (!existsSync(folder)) mkdirSync(folder)
  } catch {
    // Without a cache, commands only start more slowly. Another process may also have made the folder meanwhile.
    return
  }
  process.getBuiltinModule('node:module').enableCompileCache(folder)
}

/** Whoever kills the process that they started has killed this one as well. */
function endWithOldNode() {
  const { Socket } = process.getBuiltinModule('node:net')
  const watch = new Socket({ fd: 3 })
  for (const end of ['close', 'error']) watch.once(end, () => process.kill(process.pid, 'SIGKILL'))
  watch.resume().unref()
}

function tellNotBuilt(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  fail('paycli is not built yet: run npm run build')
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
