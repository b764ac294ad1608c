// Prerequisites of test files beyond Node: which files need them, and the line that reports a missing one.
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { imports, TEST_STORE } from './selection.mjs'

/** `open` returns the resource that tests share, or throws MISSING_PREREQUISITE, which names the package to install. */
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
 * Opens the prerequisites of a queue. Resolves with the open ones by name, and with the runs that cannot start, grouped by
 * reason. `isMissing` is true when the software is not installed, and false when it failed.
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

/** Returns the results of runs that cannot start. With CI=true, all of them fail, so that CI skips no test. */
export function resultsOf({ runs, isMissing, reason }, { CI = '' }) {
  const isSkipped = isMissing && ['', '0', 'false'].includes(CI)
  const count = isSkipped ? { failed: 0, skipped: 1 } : { failed: 1, skipped: 0 }
  return runs.map((run) => ({ ...run, passed: 0, ...count, reason, output: '', ms: 0 }))
}

/** Returns one line for a group of runs: skipped or failed, the reason, and the package to install. */
export function lineOf({ name, runs, reason }, [{ skipped }]) {
  const files = runs.map((run) => (run.backend === 'memory' ? run.name : `${run.name} on ${run.backend}`))
  const what = `${skipped ? 'skipped' : 'failed'} ${files.length} test files that need ${name}`
  return `${what}: ${reason} The files, each counted once: ${files.join(', ')}`
}
