import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const ownNode = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))

if (existsSync(ownNode)) {
  runWithOwnNode()
} else {
  process.stderr.write(`paycli needs Node 22.19 or newer, and this is Node ${process.versions.node}.\n`)
  process.exitCode = 1
}

/** A clone brings its own Node, so that an old one on the machine does not matter. */
function runWithOwnNode() {
  // By its name the child knows that there is a fourth pipe, which breaks when this process is killed.
  const stdio = ['inherit', 'inherit', 'inherit', 'pipe']
  const child = spawn(ownNode, process.argv.slice(1), { stdio, argv0: 'paycli on its own Node' })
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    // A terminal tells the child of ^C by itself; a second one would mean "at once".
    const isTold = signal === 'SIGINT' && process.stdin.isTTY
    process.on(signal, () => isTold || child.kill(signal))
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal]
  })
}
