#!/usr/bin/env node
// Runs dist/test/**/*.test.js, each file in its own process, and requires a complete uvu summary from each:
// uvu alone exits 0 when `before` throws, a non-Error is thrown, `.run()` is missing, or no file matches.
// Tests of the API and of billing run once per store: memory, lowdb and PostgreSQL.
// Usage: node test/run.mjs [part of a name ...] [--quick] [--store memory|lowdb|postgres] [--root DIR] [--timeout MS] [--linger MS]
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, join, sep } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { lineOf, openPrerequisites, resultsOf } from './prerequisites.mjs'
import { isThorough, usesEachStore } from './selection.mjs'

// Property tests with more runs than the default need more time.
const TIMEOUT_MS = process.env.PAYCLI_RUNS ? 4 * 3_600_000 : 240_000
/** How long a process may take to exit after its last test. */
const LINGER_MS = 20_000
const OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024
/** Slow folders start first, so that all cores finish at about the same time. */
const SLOW_FOLDERS = ['scenarios/', 'commands/', 'browser/', 'property/', 'store/']
/** More files than cores run at once, because many wait for a process, a database or a page. */
const FILES_PER_CORE = 1.5
/** Not UTC, so that tests fail when code uses local time by mistake. */
const TIME_ZONE = 'America/New_York'
// Of the caller's PAYCLI_* variables, tests receive only the browser, the number of runs and the seed.
const KEPT_VARIABLES = new Set(['PAYCLI_CHROMIUM', 'PAYCLI_RUNS', 'PAYCLI_SEED'])

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    root: { type: 'string', default: join(import.meta.dirname, '..') },
    timeout: { type: 'string', default: String(TIMEOUT_MS) },
    linger: { type: 'string', default: String(LINGER_MS) },
    store: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
})
const store = options.store ?? (options.quick ? 'memory' : null)
const BACKENDS = ['memory', 'lowdb', 'postgres'].filter((name) => (store ?? name) === name)
const sourceFolder = join(options.root, 'test')
const compiledFolder = join(options.root, 'dist', 'test')
const timeoutMs = Number(options.timeout)
const lingerMs = Number(options.linger)
const running = new Set()
const seed = seedOfCommit()
/** The PostgreSQL server that all test files share, or null when none needs it. */
let postgres = null
/** Contains every file that tests write; it is removed at the end. */
const temporaryFolder = mkdtempSync(join(tmpdir(), 'paycli-tests-'))
/** Messages name `npx paycli` where paycli is not on the PATH. Tests expect `paycli` on every machine. */
const binFolder = join(temporaryFolder, 'bin')
mkdirSync(binFolder)
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

function seconds(ms) {
  return `${(ms / 1000).toFixed(2)} s`
}

/** The stores that a file runs with. */
function backendsOf(name) {
  return usesEachStore(name, join(compiledFolder, `${name}.test.js`)) ? BACKENDS : ['memory']
}

/** The environment of one file: an empty home, a temporary folder of its own, and no user settings. */
function environment({ name, backend }) {
  const own = join(temporaryFolder, `${name.replaceAll('/', '-')}-${backend}`)
  const [home, temp] = [join(own, 'home'), join(own, 'tmp')]
  for (const folder of [home, temp]) mkdirSync(folder, { recursive: true })
  const PATH = `${binFolder}${delimiter}${process.env.PATH}`
  const env = { ...process.env, PATH, NO_COLOR: '1', TZ: TIME_ZONE }
  for (const key of Object.keys(env)) {
    if (key.startsWith('PAYCLI_') && !KEPT_VARIABLES.has(key)) delete env[key]
  }
  delete env.NODE_ENV
  delete env.FORCE_COLOR
  const store = {
    PAYCLI_TEST_STORE: backend,
    ...(postgres && { PAYCLI_TEST_POSTGRES: postgres.url, ...postgres.env }),
  }
  return { ...env, ...seed, ...store, ...compileCache, PAYCLI_HOME: home, TMPDIR: temp }
}

/**
 * The default seed of property tests. It is derived from the commit: runs of one commit are equal, and each commit tries other
 * cases. A longer search, or a copy without git, uses a random seed.
 */
function seedOfCommit() {
  if (process.env.PAYCLI_SEED || process.env.PAYCLI_RUNS) return {}
  const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD^{tree}'], {
    cwd: options.root,
    encoding: 'utf8',
  })
  return status === 0 ? { PAYCLI_SEED: String(Number.parseInt(stdout.slice(0, 7), 16)) } : {}
}

function killGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The process group has already ended.
  }
}

function clear() {
  // A process that is being killed may still write, so removing its folder may fail at first.
  rmSync(temporaryFolder, { recursive: true, force: true, maxRetries: 5 })
}

function summaryOf(stdout) {
  const pattern = /^ {2}Total: +(\d+)\n {2}Passed: +(\d+)\n {2}Skipped: +(\d+)\n {2}Duration: /gm
  const last = [...stripVTControlCharacters(stdout).matchAll(pattern)].at(-1)
  return last && { total: Number(last[1]), passed: Number(last[2]), skipped: Number(last[3]) }
}

/** Runs one file and resolves with its result after the file and its process group have ended. */
function execute(run) {
  return new Promise((resolve) => {
    const file = join(compiledFolder, `${run.name}.test.js`)
    const child = spawn(process.execPath, [file], {
      cwd: options.root,
      detached: true,
      env: environment(run),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const end = { stdout: '', output: '', killed: '', code: null, signal: null, error: '' }
    const kill = (why) => {
      end.killed ||= why
      if (child.pid) killGroup(child.pid)
    }
    let timer = setTimeout(kill, timeoutMs, `no end after ${seconds(timeoutMs)}`)
    const keep = (text) => {
      end.output += text
      if (end.output.length > OUTPUT_LIMIT_BYTES) kill(`printed more than ${OUTPUT_LIMIT_BYTES} bytes`)
    }
    child.stdout.setEncoding('utf8').on('data', (text) => {
      end.stdout += text
      keep(text)
      if (!text.includes('Duration: ') || !summaryOf(end.stdout)) return
      clearTimeout(timer)
      timer = setTimeout(
        kill,
        lingerMs,
        `tests done, no end after ${seconds(lingerMs)}: a timer, socket or process is still open`,
      )
    })
    child.stderr.setEncoding('utf8').on('data', keep)
    if (child.pid) running.add(child.pid)
    child.on('error', (error) => {
      end.error = error.message
      resolve(end)
    })
    // Processes that a test left behind keep the pipes open, so kill them: 'close' waits for the pipes.
    child.on('exit', () => killGroup(child.pid))
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      running.delete(child.pid)
      resolve({ ...end, code, signal })
    })
  })
}

/** Returns why a file must not count as passed, or '' when it passed. */
function reasonOf(end, summary) {
  if (end.error) return end.error
  if (end.killed) return end.killed
  if (end.signal) return `killed by ${end.signal}`
  if (!summary)
    return `exit code ${end.code} without a summary of uvu${end.code ? '' : ': is .run() missing?'}`
  if (summary.total === 0) return 'ran no test'
  if (end.code !== 0) return `exit code ${end.code}`
  if (summary.passed !== summary.total) return 'a test ended without a result: a hook threw, or a non-Error'
  return ''
}

async function runFile(run) {
  const started = performance.now()
  const end = await execute(run)
  const name = run.backend === 'memory' ? run.name : `${run.name} on ${run.backend}`
  const summary = summaryOf(end.stdout)
  const { total, passed, skipped } = summary ?? { total: 0, passed: 0, skipped: 0 }
  const reason = reasonOf(end, summary)
  const failed = reason ? Math.max(1, total - passed) : 0
  return { name, passed, failed, skipped, reason, output: end.output, ms: performance.now() - started }
}

function print(text) {
  process.stdout.write(`${text}\n`)
}

function counts({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`
}

/** The source file of a result and its store. */
function fileOf(name) {
  const [file, ...backend] = name.split(' ')
  return [`test/${file}.test.ts`, ...backend].join(' ')
}

/** The notes that a file printed about its run, in lines that begin with `# `. */
function notes({ output }) {
  return [...output.matchAll(/^# (.+)$/gm)].map(([, note]) => `  ${note}`).join('')
}

function report(result) {
  const { name, failed, reason, output, ms } = result
  const end = `${reason && `  (${reason})`}${notes(result)}`
  print(`${failed ? '✗' : '✓'} ${name}  ${counts(result)}  ${seconds(ms)}${end}`)
  if (failed && output) print(`${'─'.repeat(8)} ${name}\n${output.trimEnd()}\n${'─'.repeat(8)}`)
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

/** Without this check, a test that was not compiled, or whose source was deleted, would go unnoticed. */
function staleResults(sources, compiled) {
  const missing = sources.filter((name) => !compiled.includes(name))
  const orphaned = compiled.filter((name) => !sources.includes(name))
  const stale = (name, reason) => ({ name, passed: 0, failed: 1, skipped: 0, reason, output: '', ms: 0 })
  return [
    ...missing.map((name) => stale(name, 'not compiled: run npm run build')),
    ...orphaned.map((name) => stale(name, 'compiled, but its source does not exist: delete dist and build')),
  ]
}

async function main() {
  const sources = namesIn(sourceFolder, '.test.ts')
  const compiled = namesIn(compiledFolder, '.test.js')
  const results = staleResults(sources, compiled)
  const all = compiled
    .filter((name) => sources.includes(name))
    .filter((name) => !options.quick || !isThorough(name, join(compiledFolder, `${name}.test.js`)))
    .flatMap((name) => backendsOf(name).map((backend) => ({ name, backend })))
  all.sort((a, b) => slowness(a.name) - slowness(b.name) || (a.name < b.name ? -1 : 1))
  for (const result of results) report(result)
  const { queue, results: unmet } = await removeUnmet(all)
  results.push(...unmet)
  const worker = async () => {
    for (let run = queue.shift(); run !== undefined; run = queue.shift()) {
      const result = await runFile(run)
      report(result)
      results.push(result)
    }
  }
  await Promise.all(Array.from({ length: Math.ceil(FILES_PER_CORE * availableParallelism()) }, worker))
  const sum = { passed: 0, failed: 0, skipped: 0 }
  for (const result of results) {
    for (const key of Object.keys(sum)) sum[key] += result[key]
  }
  if (results.length === 0) {
    print(`no test file matches ${filters.join(' ') || compiledFolder}`)
    sum.failed = 1
  }
  const failing = results.filter((result) => result.failed)
  if (failing.length) print(`\nfailing:\n${failing.map(({ name }) => `  ${fileOf(name)}`).join('\n')}`)
  print(`\n${counts(sum)}`)
  process.exitCode = sum.failed ? 1 : 0
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.once(signal, () => {
    for (const pid of running) killGroup(pid)
    clear()
    process.exit(130)
  })
}

await main()
await postgres?.stop()
clear()
