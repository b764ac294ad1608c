// What test files need beyond Node: which files need it, and a line for what this machine lacks.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Whoever imports this keeps what it makes in the store of the run. */
const TEST_STORE = 'support/test-store.js'

/** Whether a compiled file imports one that ends in `target`, itself or through files other than `except`. */
function imports(file, { target, except }, seen = new Set()) {
  if (file.endsWith(target)) return true
  if (seen.has(file) || !existsSync(file) || (except && file.endsWith(except))) return false
  seen.add(file)
  const paths = readFileSync(file, 'utf8').matchAll(/^(?:import|export) [^']*?'(\.[^']+)';?$/gm)
  return [...paths].some(([, path]) => imports(join(dirname(file), path), { target, except }, seen))
}

/** Whether a compiled test file uses the store of the run. */
export function usesTestStore(file) {
  return imports(file, { target: TEST_STORE })
}

/** `open` returns what the tests share, if anything, and throws MISSING_PREREQUISITE with what to install. */
const PREREQUISITES = [
  {
    name: 'PostgreSQL',
    module: 'support/postgres.js',
    open: (module) => module.startPostgres(),
    isNeeded: ({ file, backend }) =>
      backend === 'postgres' || imports(file, { target: 'support/postgres.js', except: TEST_STORE }),
  },
  {
    name: 'Chromium',
    module: 'support/chromium.js',
    open: (module) => module.checkBrowser(),
    isNeeded: ({ file }) => imports(file, { target: 'support/chromium.js' }),
  },
]

/**
 * Opens what the runs of a queue need. Resolves to what was opened, by name, and to the runs that cannot start, in groups
 * with the reason; `isMissing` tells software that this machine lacks from software that failed.
 */
export async function openPrerequisites(queue, compiledFolder) {
  const opened = {}
  const groups = []
  for (const { name, module, open, isNeeded } of PREREQUISITES) {
    const runs = queue.filter((run) =>
      isNeeded({ ...run, file: join(compiledFolder, `${run.name}.test.js`) }),
    )
    if (runs.length === 0) continue
    try {
      opened[name] = await open(await import(pathToFileURL(join(compiledFolder, module)).href))
    } catch (error) {
      const isMissing = error.code === 'MISSING_PREREQUISITE'
      groups.push({
        name,
        runs,
        isMissing,
        reason: isMissing ? error.message : String(error?.stack ?? error),
      })
    }
  }
  return { opened, groups }
}

/** Where CI is set, a missing prerequisite fails: a run that tests less must not look like one that tests all. */
export function resultsOf({ runs, isMissing, reason }, { CI = '' }) {
  const isSkipped = isMissing && ['', '0', 'false'].includes(CI)
  const count = isSkipped ? { failed: 0, skipped: 1 } : { failed: 1, skipped: 0 }
  return runs.map((run) => ({ ...run, passed: 0, ...count, reason, output: '', ms: 0 }))
}

/** One line for the runs of a group: what became of them, why, and what to install. */
export function lineOf({ name, runs, reason }, [{ skipped }]) {
  const files = runs.map((run) => (run.backend === 'memory' ? run.name : `${run.name} on ${run.backend}`))
  const what = `${skipped ? 'skipped' : 'failed'} ${files.length} test files that need ${name}`
  return `${what}: ${reason} The files, each counted once: ${files.join(', ')}`
}
