import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ROOT } from '../support/root.ts'
import { ALL_MUTATIONS } from './all.ts'
import { applyMutation, compiledName, type Mutation } from './mutation.ts'

const USAGE = `Breaks each numbered rule in a copy of the compiled code and expects its test to fail.
usage: npm run mutate -- [part of a rule, a file or a title …]
`
const COPIED = ['bin', 'dist', 'package.json', 'oclif.manifest.json']
const LINKED = ['node_modules', 'test', 'src', 'commands', 'README.md', '.github']
const LIMIT_MS = 120_000
/** Time limit of a mutated test, as a factor of its normal duration. */
const LIMIT_FACTOR = 4
const LEAST_LIMIT_MS = 10_000
/** Tests that start paycli as a process, which runs the bundle. */
const PROCESS_TESTS = /^test\/(?:commands|scenarios)\//

/** The output of a test file under the test runner. */
interface TestRun {
  readonly isGreen: boolean
  readonly output: string
}

/** Runs a test file of the copy with the runner of `npm test`, which ends the test after the limit. */
function runTest(folder: string, test: string, limitMs: number): TestRun {
  const runner = join(ROOT, 'test', 'run.mjs')
  const args = [runner, '--root', folder, '--store', 'memory', '--timeout', String(limitMs), test]
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  return { isGreen: status === 0, output: stdout }
}

/** Applies a mutation to the compiled copy, runs its test and restores the copy. */
function runMutated(folder: string, mutation: Mutation, limitMs: number): TestRun {
  applyMutation(readFileSync(join(ROOT, mutation.file), 'utf8'), mutation)
  const compiled = join(folder, 'dist', compiledName(mutation.file))
  const whole = readFileSync(compiled, 'utf8')
  const write = (text: string) => {
    writeFileSync(compiled, text)
    if (PROCESS_TESTS.test(mutation.test)) execFileSync(process.execPath, ['bin/bundle.js'], { cwd: folder })
  }
  write(applyMutation(whole, mutation))
  try {
    return runTest(folder, mutation.test, limitMs)
  } finally {
    write(whole)
  }
}

/** Returns the reason for which a mutation is not detected, or null. */
function undetectedReason({ title }: Mutation, { isGreen, output }: TestRun): string | null {
  if (isGreen) return 'no test fails'
  // A syntax error fails every test and proves nothing.
  if (output.includes('SyntaxError')) return 'the mutated file has a syntax error: update the mutation'
  const failed = [...output.matchAll(/^ +FAIL +\S.*? +"(.*)"$/gm)].map(([, name = '']) => name)
  // A test that hangs has no results.
  if (failed.length === 0 || failed.some((name) => name.includes(title))) return null
  return `'${title}' does not fail, but ${failed.join(' | ')}`
}

/** Runs the tests without mutation; returns the time limit of each mutated run. */
function limitsOf(folder: string, mutations: readonly Mutation[]): ReadonlyMap<string, number> {
  const tests = new Set(mutations.map(({ test }) => test))
  return new Map(
    [...tests].map((test) => {
      const startedMs = performance.now()
      const { isGreen, output } = runTest(folder, test, LIMIT_MS)
      if (!isGreen) throw new Error(`${test} fails without any mutation:\n${output}`)
      return [test, Math.ceil(LEAST_LIMIT_MS + LIMIT_FACTOR * (performance.now() - startedMs))]
    }),
  )
}

/** Runs mutations in a copy of the repository; returns the number of undetected mutations. */
function runMutations(folder: string, mutations: readonly Mutation[]): number {
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(folder, name))
  const limits = limitsOf(folder, mutations)
  let undetected = 0
  for (const mutation of mutations) {
    const { rule, breaks, test } = mutation
    const reason = undetectedReason(mutation, runMutated(folder, mutation, limits.get(test) ?? LIMIT_MS))
    if (reason !== null) undetected += 1
    process.stdout.write(
      `${reason === null ? '✓' : '✗'} ${rule}: ${breaks}\n${reason ? `    ${reason}\n` : ''}`,
    )
  }
  return undetected
}

const { positionals } = parseArgs({ allowPositionals: true })
const chosen = ALL_MUTATIONS.filter(
  ({ rule, file, title, breaks }) =>
    positionals.length === 0 ||
    positionals.some((part) => `${rule}: ${breaks} ${file} ${title}`.includes(part)),
)
if (chosen.length === 0) {
  process.stderr.write(`No mutation matches '${positionals.join(' ')}'.\n${USAGE}`)
  process.exitCode = 2
} else {
  const folder = mkdtempSync(join(tmpdir(), 'paycli-mutations-'))
  try {
    const undetected = runMutations(folder, chosen)
    process.stdout.write(`\n${chosen.length} mutations, ${undetected} undetected\n`)
    process.exitCode = undetected === 0 ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
