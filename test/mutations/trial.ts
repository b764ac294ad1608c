import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from '../support/root.ts'
import { compiledName, type Mutation, mutated } from './mutation.ts'

const LIMIT_MS = 120_000
/** What is broken may take so many times longer than what is whole, and a little more. */
const PATIENCE = 4
const LEAST_LIMIT_MS = 10_000
const COPIED = ['bin', 'dist', 'package.json', 'oclif.manifest.json']
const LINKED = ['node_modules', 'test', 'src', 'commands', 'README.md', '.github']

/** How a test file ended: the titles that failed, or why there are none to read. */
export interface Ended {
  readonly failed: readonly string[]
  readonly isGreen: boolean
}

/** A copy of the compiled checkout to spoil. */
export interface Trial {
  /** Runs a test file as it is; how long that takes bounds how long it may take with a mutation. */
  readonly run: (test: string) => Promise<Ended>
  /** Runs the test of a mutation with the code mutated, and puts it back; a problem of the mutation itself is thrown. */
  readonly mutate: (mutation: Mutation) => Promise<Ended>
  readonly clear: () => void
}

/** Copies the checkout to a temporary folder, where its compiled code can be changed without harm. */
export function openTrial(): Trial {
  const folder = mkdtempSync(join(tmpdir(), 'paycli-mutations-'))
  for (const name of COPIED) cpSync(join(ROOT, name), join(folder, name), { recursive: true })
  for (const name of LINKED) symlinkSync(join(ROOT, name), join(folder, name))

  const limitsMs = new Map<string, number>()

  async function run(test: string): Promise<Ended> {
    const startedMs = performance.now()
    const ended = await runTest(folder, test, LIMIT_MS)
    limitsMs.set(test, LEAST_LIMIT_MS + PATIENCE * (performance.now() - startedMs))
    return ended
  }

  async function mutate(mutation: Mutation): Promise<Ended> {
    const { file, test } = mutation
    mutated(readFileSync(join(ROOT, file), 'utf8'), mutation)
    const compiled = join(folder, 'dist', compiledName(file))
    const whole = readFileSync(compiled, 'utf8')
    writeFileSync(compiled, mutated(whole, mutation))
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

function runTest(folder: string, test: string, limitMs: number): Promise<Ended> {
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
      // All of them are gone already.
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
      // What cannot even be read fails every test, and proves none.
      if (output.includes('SyntaxError')) reject(new Error('the mutated file is no code: renew the mutation'))
      const failed = [...stripVTControlCharacters(output).matchAll(/^ +FAIL +\S.*? +"(.*)"$/gm)]
      resolve({ isGreen: code === 0, failed: failed.map(([, title = '']) => title) })
    })
  })
}
