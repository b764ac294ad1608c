import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const bundledNode = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url))

if (existsSync(bundledNode)) {
  runWithBundledNode()
} else {
  const words = process.argv.slice(2).map(quoteForShell)
  process.stderr.write(
    `Error: paycli requires Node.js 22.19 or newer, but this is ${process.versions.node}. Update Node.js, or run:\n` +
      `  ${['npx -y -p node@24 -p paycli paycli', ...words].join(' ')}\n`,
  )
  process.exitCode = 1
}

/** Runs paycli with the Node.js that npm install puts into a clone of the repository. */
function runWithBundledNode() {
  // With this argv0, the child watches the fourth pipe, which breaks when this process is killed.
  const stdio = ['inherit', 'inherit', 'inherit', 'pipe']
  const child = spawn(bundledNode, process.argv.slice(1), { stdio, argv0: 'paycli on its own Node' })
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    // A terminal sends ^C to the child too. A second signal would end the child immediately.
    const isSentByTerminal = signal === 'SIGINT' && process.stdin.isTTY
    process.on(signal, () => isSentByTerminal || child.kill(signal))
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal]
  })
}

function quoteForShell(word) {
  return /^[\w./:=@,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
