#!/usr/bin/env node
// Runs dist/test/**/*.test.js and requires a complete uvu summary from each file: uvu alone exits 0 when `before`
// throws, a non-Error is thrown, `.run()` is missing, or no file matches. Files share a few processes, because loading
// the program takes longer than most files run. Files that failed run again at the end, one at a time and in their own
// process. A file that passes in this second run is reported as flaky and fails too: it depends on other files or on a
// busy machine.
// Tests above the store run in memory and record their calls of the store. `store/open-store.replay` repeats the calls
// on the other stores.
// Levels: `--quick` leaves out slow tests and tests that start processes. `--full` runs the tests of the API and of
// billing once per store, and all tests with their highest number of repetitions.
// Usage: node test/run.mjs [part of a name ...] [--quick | --full] [--times FILE]
//   [--store memory|lowdb|postgres] [--root DIR] [--timeout MS] [--linger MS]
import { spawnSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { lineOf, openPrerequisites, resultsOf } from './prerequisites.mjs'
import { print, printTotals, report, timesOf } from './report.mjs'
import { isThorough, startsProcess, usesEachStore } from './selection.mjs'
import { createFileRunner, failure, killAll, runAlone } from './test-process.mjs'

const TIMEOUT_MS = 240_000
/** The time limit of a file when property tests have more runs than usual. */
const LONG_TIMEOUT_MS = 4 * 3_600_000
const MEMORY_FOLDER = '/dev/shm'
/** More bytes than all tests together write. */
const MEMORY_BYTES = 4 * 1024 ** 3
/** The time limit for the exit of a process after its last test. */
const LINGER_MS = 20_000
/** Slow folders start first, so that all cores finish at about the same time. */
const SLOW_FOLDERS = ['explore/', 'browser/', 'guides/', 'scenarios/', 'commands/', 'property/', 'store/']
/** The maximum number of failed files to run again. More failures have a common cause. */
const MAX_REPEATED_FILES = 30
/** The number of workers per core that prefer files which start processes or pages and wait for them. */
const WAITING_PER_CORE = 1
/** Not UTC, so that tests fail when code uses local time by mistake. */
const TIME_ZONE = 'America/New_York'
// Of the caller's PAYCLI_* variables, tests receive only the browser, the number of runs and the seed.
const KEPT_VARIABLES = new Set(['PAYCLI_CHROMIUM', 'PAYCLI_RUNS', 'PAYCLI_SEED'])

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string', default: join(import.meta.dirname, '..') },
    timeout: { type: 'string' },
    linger: { type: 'string', default: String(LINGER_MS) },
    store: { type: 'string' },
    quick: { type: 'boolean', default: false },
    full: { type: 'boolean', default: false },
    times: { type: 'string' },
  },
})
const level = options.full ? 'full' : options.quick ? 'quick' : 'usual'
const store = options.store ?? (options.full ? null : 'memory')
const BACKENDS = ['memory', 'lowdb', 'postgres'].filter((name) => (store ?? name) === name)
const sourceFolder = join(options.root, 'test')
const compiledFolder = join(options.root, 'dist', 'test')
const isLong = options.full || Boolean(process.env.PAYCLI_RUNS)
const timeoutMs = Number(options.timeout ?? (isLong ? LONG_TIMEOUT_MS : TIMEOUT_MS))
const lingerMs = Number(options.linger)
const seed = defaultSeed()
/** The PostgreSQL server that all test files share, or null when none needs it. */
let postgres = null
/** Contains every file that tests write; it is removed at the end. */
const temporaryFolder = mkdtempSync(join(temporaryRoot(), 'paycli-tests-'))
/** Returns a folder in memory, if it has room, because tests wait until thousands of small files are on the disk. */
function temporaryRoot() {
  if (process.env.TMPDIR || !existsSync(MEMORY_FOLDER)) return tmpdir()
  const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
  return bavail * bsize < MEMORY_BYTES ? tmpdir() : MEMORY_FOLDER
}

/** Messages name `npx paycli` where paycli is not on the PATH. Tests expect `paycli` on every machine. */
const binFolder = join(temporaryFolder, 'bin')
mkdirSync(binFolder)
/** Contains the recorded calls of the store in memory, one file per test file. */
const recordFolder = join(temporaryFolder, 'records')
mkdirSync(recordFolder)
writeFileSync(join(binFolder, 'paycli'), '')
/** All processes share compiled code, except in a coverage run, where code from the cache has no exact counts. */
const compileCache = process.env.NODE_V8_COVERAGE
  ? {}
  : { NODE_COMPILE_CACHE: join(temporaryFolder, 'compile-cache') }

function namesIn(folder, ending) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith(ending))
    .map((path) => path.slice(0, -ending.length))
    .filter((name) => filters.length === 0 || filters.some((part) => `test/${name}.test.ts`.includes(part)))
}

function slowness(name) {
  const index = SLOW_FOLDERS.findIndex((folder) => name.startsWith(folder))
  return index === -1 ? SLOW_FOLDERS.length : index
}

/** Orders runs by store, because a process runs the files of one store, then from slow to fast. */
function byCost(a, b) {
  const store = BACKENDS.indexOf(b.backend) - BACKENDS.indexOf(a.backend)
  return store || slowness(a.name) - slowness(b.name) || (a.name < b.name ? -1 : 1)
}

/** Returns whether a file repeats the calls that the files before it recorded. */
function isReplay({ name }) {
  return name.endsWith('.replay')
}

/** Returns whether store calls are recorded; those of property tests only in a full run, because they are alike. */
function isRecorded({ name, backend, isStored }) {
  return isStored && backend === 'memory' && (options.full || !name.startsWith('property/'))
}

/** Returns the environment of one file: an empty home, a temporary folder of its own, and no user settings. */
function environment({ name, backend, isStored }) {
  const own = join(temporaryFolder, `${name.replaceAll('/', '-')}-${backend}`)
  const [home, temp] = [join(own, 'home'), join(own, 'tmp')]
  // A second run of a file must not find files of the first run.
  rmSync(own, { recursive: true, force: true, maxRetries: 5 })
  for (const folder of [home, temp]) mkdirSync(folder, { recursive: true })
  const PATH = `${binFolder}${delimiter}${process.env.PATH}`
  const env = { ...process.env, PATH, NO_COLOR: '1', TZ: TIME_ZONE }
  for (const key of Object.keys(env)) {
    if (key.startsWith('PAYCLI_') && !KEPT_VARIABLES.has(key)) delete env[key]
  }
  delete env.NODE_ENV
  delete env.FORCE_COLOR
  const store = {
    PAYCLI_TEST_LEVEL: level,
    PAYCLI_TEST_STORE: backend,
    ...(isReplay({ name }) && { PAYCLI_TEST_RECORDED: recordFolder }),
    ...(isRecorded({ name, backend, isStored }) && {
      PAYCLI_TEST_RECORD: join(recordFolder, name.replaceAll('/', '-')),
    }),
    ...(postgres && { PAYCLI_TEST_POSTGRES: postgres.url, ...postgres.env }),
  }
  return { ...env, ...seed, ...store, ...compileCache, PAYCLI_HOME: home, TMPDIR: temp }
}

/**
 * Returns the default seed of property tests. It is derived from the commit: runs of one commit are equal, and each
 * commit tries other cases. A longer search, or a copy without git, uses a random seed. A second run of a file has the
 * same seed.
 */
function defaultSeed() {
  if (process.env.PAYCLI_SEED) return {}
  const random = { PAYCLI_SEED: String(randomInt(2 ** 31)) }
  if (process.env.PAYCLI_RUNS) return random
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], {
    cwd: options.root,
    encoding: 'utf8',
  })
  return status === 0 ? { PAYCLI_SEED: String(Number.parseInt(stdout.slice(0, 7), 16)) } : random
}

function clear() {
  // A process that is being killed may still write, so removing its folder may fail at first.
  rmSync(temporaryFolder, { recursive: true, force: true, maxRetries: 5 })
}

/** Runs the files of `queues` until they are empty, those of the first queue first. */
async function work(queues, done) {
  const broken = (reason) => done({ ...failure(reason), name: 'process of several files', ms: 0 })
  const runner = createFileRunner(broken)
  const next = () => queues.find(({ length }) => length > 0)?.shift()
  for (let run = next(); run !== undefined; run = next()) {
    done(await timed(run, runner.run))
  }
  await runner.close()
}

/** Runs a file by a function and returns its result with its name and duration. */
async function timed(run, runFile) {
  const started = performance.now()
  const file = join(compiledFolder, `${run.name}.test.js`)
  const result = await runFile(file, { cwd: options.root, env: environment(run), timeoutMs, lingerMs })
  return { ...result, run, name: resultName(run), ms: performance.now() - started }
}

/**
 * Runs each failed file again, alone. Returns the results of the first runs, in which files that passed now are marked
 * as flaky.
 */
async function repeat(failed) {
  const repeatable = failed.filter(({ run }) => run)
  if (repeatable.length === 0 || repeatable.length > MAX_REPEATED_FILES) return failed
  print('\nruns again what failed, one file at a time:')
  const results = failed.filter(({ run }) => !run)
  for (const first of repeatable) {
    const again = await timed(first.run, runAlone)
    report(again)
    results.push({ ...first, isFlaky: !again.failed })
  }
  return results
}

/** Returns the name of a run in the report. */
function resultName({ name, backend }) {
  return backend === 'memory' ? name : `${name} on ${backend}`
}

/** Opens the prerequisites of the queue, and moves files that cannot run from the queue to the results. */
async function removeUnmet(queue) {
  const { opened, groups } = await openPrerequisites(queue, compiledFolder)
  postgres = opened.PostgreSQL ?? null
  const results = groups.flatMap((group) => {
    const own = resultsOf(group, process.env)
    print(lineOf(group, own))
    return own
  })
  const unmet = new Set(groups.flatMap(({ runs }) => runs))
  return { queue: queue.filter((run) => !unmet.has(run)), results }
}

/** Returns a failure for each test that is not compiled, and for each compiled test whose source was deleted. */
function staleResults(sources, compiled) {
  const missing = sources.filter((name) => !compiled.includes(name))
  const orphaned = compiled.filter((name) => !sources.includes(name))
  const stale = (name, reason) => ({ ...failure(reason), name, ms: 0 })
  return [
    ...missing.map((name) => stale(name, 'not compiled: run npm run build')),
    ...orphaned.map((name) => stale(name, 'compiled, but its source does not exist: delete dist and build')),
  ]
}

/** Runs files in as many processes as the machine has cores, beside files that mostly wait for processes or pages. */
async function runFiles(queue, done) {
  const [waiting, busy] = [true, false].map((is) => queue.filter(({ isWaiting }) => isWaiting === is))
  const workers = (count, ...queues) => Array.from({ length: count }, () => work(queues, done))
  const cores = availableParallelism()
  await Promise.all([...workers(WAITING_PER_CORE * cores, waiting, busy), ...workers(cores, busy, waiting)])
}

async function main() {
  const sources = namesIn(sourceFolder, '.test.ts')
  const compiled = namesIn(compiledFolder, '.test.js')
  const firstResults = staleResults(sources, compiled)
  const all = compiled
    .filter((name) => sources.includes(name))
    .filter((name) => !options.quick || !isThorough(name, join(compiledFolder, `${name}.test.js`)))
    .flatMap((name) => {
      const file = join(compiledFolder, `${name}.test.js`)
      const [isWaiting, isStored] = [startsProcess(file), usesEachStore(name, file)]
      const backends = isStored ? BACKENDS : ['memory']
      return backends.map((backend) => ({ name, backend, isWaiting, isStored }))
    })
  all.sort(byCost)
  for (const result of firstResults) report(result)
  const { queue, results: unmet } = await removeUnmet(all)
  firstResults.push(...unmet)
  const done = (result) => {
    report(result)
    firstResults.push(result)
  }
  await runFiles(
    queue.filter((run) => !isReplay(run)),
    done,
  )
  // Each step of a replay waits for a store. Beside files that create databases, a replay takes five times as long.
  await runFiles(queue.filter(isReplay), done)
  const passed = firstResults.filter(({ failed }) => !failed)
  const results = [...passed, ...(await repeat(firstResults.filter(({ failed }) => failed)))]
  if (results.length === 0) print(`no test file matches ${filters.join(' ') || compiledFolder}`)
  if (options.times) writeFileSync(options.times, `${JSON.stringify(timesOf(results), null, 2)}\n`)
  process.exitCode = printTotals(results).failed ? 1 : 0
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    killAll()
    clear()
    process.exit(130)
  })
}

await main()
await postgres?.stop()
clear()
