import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from '../support/root.ts'
import { applyMutation, compiledName, type Mutation } from './mutation.ts'

const LIMIT_MS = 120_000
/** Time limit of a mutated test, as a factor of its normal duration. */
const LIMIT_FACTOR = 4
const LEAST_LIMIT_MS = 10_000
const COPIED = ['bin', 'dist', 'package.json', 'oclif.manifest.json']
const LINKED = ['node_modules', 'test', 'src', 'commands', 'README.md', '.github']

/** The result of a test file: titles of failed tests, and whether it exited with 0. */
export interface TestFileResult {
  readonly failed: readonly string[]
  readonly isGreen: boolean
}

/** A copy of the compiled repository for mutations. */
export interface MutationSandbox {
  /** Runs a test file without mutation. Its duration sets the time limit of mutated runs. */
  readonly run: (test: string) => Promise<TestFileResult>
  /**
   * Runs the test of a mutation with the mutated code and restores the code; throws when the mutation cannot be
   * applied.
   */
  readonly mutate: (mutation: Mutation) => Promise<TestFileResult>
  readonly clear: () => void
}

/** Copies the repository to a temporary folder, where the compiled code can be changed. */
export function openMutationSandbox(): MutationSandbox {
  const folder = mkdtempSync(join(tmpdir(), 'paycli-mutations-'))
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(folder, name))

  const limitsMs = new Map<string, number>()

  async function run(test: string): Promise<TestFileResult> {
    const startedMs = performance.now()
    const ended = await runTest(folder, test, LIMIT_MS)
    limitsMs.set(test, LEAST_LIMIT_MS + LIMIT_FACTOR * (performance.now() - startedMs))
    return ended
  }

  async function mutate(mutation: Mutation): Promise<TestFileResult> {
    const { file, test } = mutation
    applyMutation(readFileSync(join(ROOT, file), 'utf8'), mutation)
    const compiled = join(folder, 'dist', compiledName(file))
    const whole = readFileSync(compiled, 'utf8')
    writeFileSync(compiled, applyMutation(whole, mutation))
    try {
      return await runTest(folder, test, limitsMs.get(test) ?? LIMIT_MS)
    } finally {
      writeFileSync(compiled, whole)
    }
  }

  return {
    run,
    mutate,
    clear: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

function runTest(folder: string, test: string, limitMs: number): Promise<TestFileResult> {
  const home = join(folder, 'home')
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home)
  const env = { ...process.env, NO_COLOR: '1', PAYCLI_HOME: home, TMPDIR: home }
  const file = join(folder, 'dist', compiledName(test))
  const child = spawn(process.execPath, [file], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const killAll = () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // All processes have already exited.
    }
  }
  let output = ''
  for (const pipe of [child.stdout, child.stderr]) {
    pipe.setEncoding('utf8').on('data', (text) => {
      output += text
    })
  }
  const timer = setTimeout(killAll, limitMs)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', killAll)
    child.on('close', (code) => {
      clearTimeout(timer)
      // A syntax error fails every test and proves nothing.
      if (output.includes('SyntaxError'))
        reject(new Error('the mutated file has a syntax error: update the mutation'))
      const failed = [...stripVTControlCharacters(output).matchAll(/^ +FAIL +\S.*? +"(.*)"$/gm)]
      resolve({ isGreen: code === 0, failed: failed.map(([, title = '']) => title) })
    })
  })
}
