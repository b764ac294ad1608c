#!/usr/bin/env node
// All imports are dynamic: an old Node.js cannot load the modules, and most commands need few modules.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isTooOld = major < 22 || (major === 22 && minor < 19)

if (hasFolder()) await (isTooOld ? import('./old-node.js') : run())
else fail('Error: The current folder was deleted.\nHint:  Change to a folder that exists, such as: cd ~')

/** Returns whether the current folder exists. Modules that resolve paths on import throw in a deleted folder. */
function hasFolder() {
  try {
    return process.cwd() !== ''
  } catch {
    return false
  }
}

async function run() {
  if (process.argv0 === 'paycli on its own Node') exitWithParent()
  enableCompileCache()
  // A reader such as `head` may close the pipe early. Exit then: oclif would wait for the pipe to drain.
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') fail(`Error: cannot write to standard output: ${error.message}`)
    process.exit()
  })
  const launcher = await import('../dist/bundle/run.js').catch(reportMissingBuild)
  await launcher?.run(
    process.getBuiltinModule('node:path').dirname(import.meta.dirname),
    process.argv.slice(2),
  )
}

/** Caches compiled code in the temporary folder if that is writable. */
function enableCompileCache() {
  // If NODE_COMPILE_CACHE is set, Node.js has already enabled the cache.
  if (process.env.NODE_COMPILE_CACHE) return
  const { existsSync, mkdirSync } = process.getBuiltinModule('node:fs')
  const folder = `${process.getBuiltinModule('node:os').tmpdir()}/node-compile-cache`
  try {
    // Create the folder here: Node.js would retry forever where creating a folder fails with ENOENT, as in /proc.
    if (!existsSync(folder)) mkdirSync(folder)
  } catch {
    // Without the cache, commands only start more slowly. Another process may also have created the folder.
    return
  }
  process.getBuiltinModule('node:module').enableCompileCache(folder)
}

/** Kills this process when its parent, which runs on the old Node.js, is killed. */
function exitWithParent() {
  const { Socket } = process.getBuiltinModule('node:net')
  const watch = new Socket({ fd: 3 })
  for (const end of ['close', 'error']) watch.once(end, () => process.kill(process.pid, 'SIGKILL'))
  watch.resume().unref()
}

function reportMissingBuild(error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  fail('Error: paycli is not built. Run npm run build.')
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
