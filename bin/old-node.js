import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { join } from 'node:path'

const node = findNode()
if (node === undefined) {
  process.stderr.write(
    `Error: paycli requires Node.js 22.19 or newer, but this is ${process.versions.node}.
Hint:  Update Node.js, or install it in your project; paycli finds it there:
       npm install --save-dev node@24
`,
  )
  process.exitCode = 1
} else {
  runWith(node)
}

/**
 * Returns the path of the Node.js in the npm package `node`, or undefined without that package. `npm install` installs
 * the package in a clone of the repository, `npm install --save-dev node@24` in a project.
 */
function findNode() {
  for (const importer of [import.meta.url, join(process.cwd(), 'package.json')]) {
    try {
      const manifest = createRequire(importer).resolve('node/package.json')
      const { version } = JSON.parse(readFileSync(manifest, 'utf8'))
      const [major, minor] = version.split('.').map(Number)
      const path = join(manifest, '..', 'bin', 'node')
      // The binary is missing if install scripts are disabled, which pnpm does by default.
      if ((major > 22 || (major === 22 && minor >= 19)) && existsSync(path)) return path
    } catch {
      // The npm package `node` is not installed.
    }
  }
}

/** Runs paycli with another Node.js. */
function runWith(path) {
  // With this argv0, the child watches the fourth pipe, which breaks when this process is killed.
  const stdio = ['inherit', 'inherit', 'inherit', 'pipe']
  const child = spawn(path, process.argv.slice(1), { stdio, argv0: 'paycli on its own Node' })
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    // A terminal sends ^C to the child too. A second signal would end the child immediately.
    const isSentByTerminal = signal === 'SIGINT' && process.stdin.isTTY
    process.on(signal, () => isSentByTerminal || child.kill(signal))
  }
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal]
  })
}
