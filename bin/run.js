#!/usr/bin/env node
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const isTooOld = major < 22 || (major === 22 && minor < 13)
const ownNode = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))

if (isTooOld && existsSync(ownNode)) {
  runWithOwnNode()
} else if (isTooOld) {
  fail(`paycli needs Node 22.13 or newer, and this is Node ${process.versions.node}.`)
} else if (existsSync(new URL('../dist/commands', import.meta.url))) {
  await run()
} else {
  fail('paycli is not built yet: run npm run build')
}

async function run() {
  // Not imported by name: Node 20 has no such export, and would not even start.
  module.enableCompileCache?.()
  // A reader such as `head` that has seen enough is no error, but oclif would wait for it to take the rest.
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') fail(`Error: standard output cannot be written to: ${error.message}`)
    process.exit()
  })
  const [{ execute }, { settings }] = await Promise.all([
    import('@oclif/core/execute'),
    import('@oclif/core/settings'),
  ])
  // With NODE_ENV=development oclif would look for TypeScript sources and a compiler for them.
  settings.enableAutoTranspile = false
  await execute({ dir: import.meta.url })
}

/** A clone brings its own Node, so that an old one on the machine does not matter. */
function runWithOwnNode() {
  const child = spawn(ownNode, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    // A terminal tells the child of ^C by itself; a second one would mean "at once".
    const isTold = signal === 'SIGINT' && process.stdin.isTTY
    process.on(signal, () => isTold || child.kill(signal))
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal]
  })
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
