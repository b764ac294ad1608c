// Builds dist: compiles and bundles the program, unless its sources are unchanged. The file is not published.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { hashSources } from './sources.js'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
/** The name of the file in a build that contains the hash of its sources. */
const STAMP = 'sources.sha256'

const hash = hashSources(ROOT)
const stamp = join(DIST, STAMP)
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
  process.stderr.write('Building paycli, which takes about ten seconds…\n')
  process.exitCode = build()
}

/** Builds the program and returns the exit code of the failed step, else 0. A failed build does not change dist. */
function build() {
  const folder = join(ROOT, `.dist-${process.pid}`)
  try {
    const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
    const code =
      run(compiler, '-p', 'tsconfig.json', '--outDir', folder) ||
      run(join(import.meta.dirname, 'bundle.js'), basename(folder))
    if (code !== 0) return code
    writeFileSync(join(folder, STAMP), hash)
    replaceDist(folder)
    return 0
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function run(script, ...args) {
  const { status, error } = spawnSync(process.execPath, [script, ...args], { cwd: ROOT, stdio: 'inherit' })
  if (error !== undefined) throw error
  return status ?? 1
}

/** Replaces dist with a built folder, and removes the old dist. */
function replaceDist(folder) {
  const old = join(ROOT, `.dist-old-${process.pid}`)
  if (existsSync(DIST)) renameSync(DIST, old)
  renameSync(folder, DIST)
  rmSync(old, { recursive: true, force: true })
}
