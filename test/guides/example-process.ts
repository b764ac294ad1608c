import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'

const PACKAGES = join(ROOT, 'node_modules')

/** Creates a folder with the given files, in which `packages` (default: of this repository) and `paycli` can be imported. */
export function exampleFolder(
  files: ReadonlyMap<string, string>,
  packages: readonly string[],
  from: string = PACKAGES,
): string {
  const folder = newFolder()
  for (const [name, code] of [['package.json', '{"type":"module"}'] as const, ...files]) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, code)
  }
  for (const name of packages) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(name === 'paycli' ? ROOT : join(from, name), link, 'junction')
  }
  return folder
}

/** A running process of an example. */
export interface Example {
  /** The port that the example printed as `Listening on port <port>`. */
  readonly port: number
  /** Resolves with stdout so far, once it has a whole line that contains `text`. */
  readonly printed: (text: string) => Promise<string>
  /** Kills the process and waits for its end. */
  readonly stop: () => Promise<void>
}

export interface ExampleOptions {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

const running = new Set<Example>()

/** Stops the examples that a failed test left running. */
export async function stopExamples(): Promise<void> {
  await Promise.all([...running].map((example) => example.stop()))
}

/** Starts an example that prints `Listening on port <port>`, and waits for that line. */
export async function startExample(
  command: string,
  args: readonly string[],
  { folder, env }: ExampleOptions,
): Promise<Example> {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env } })
  const printed = collectOutput(child)
  const output = await printed('Listening on port ')
  const [, port] = /Listening on port (\d+)\n/.exec(output) ?? []
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const example: Example = {
    port: Number(port),
    printed,
    async stop() {
      running.delete(example)
      child.kill('SIGKILL')
      await ended
    },
  }
  running.add(example)
  return example
}

/** Runs an example to its end; resolves with its exit code and its output. */
export async function runExample(
  command: string,
  args: readonly string[],
  { folder, env }: ExampleOptions,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env } })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

/** Collects stdout apart from stderr, whose lines may come between the parts of a line of stdout. */
function collectOutput(child: ChildProcessWithoutNullStreams): Example['printed'] {
  const output = { stdout: '', stderr: '' }
  let isClosed = false
  let onChange = () => {}
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
      onChange()
    })
  }
  child.on('error', (error) => {
    output.stderr += error.message
  })
  child.on('close', () => {
    isClosed = true
    onChange()
  })
  return async (text) => {
    const isPrinted = () =>
      output.stdout
        .split('\n')
        .slice(0, -1)
        .some((line) => line.includes(text))
    while (!isPrinted()) {
      if (isClosed) throw new Error(`the example ended without printing '${text}': ${output.stderr}`)
      const { promise, resolve } = Promise.withResolvers<void>()
      onChange = resolve
      await promise
    }
    return output.stdout
  }
}
