import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'

/** Creates a folder with the given files, in which the packages of this repository and `paycli` can be imported. */
export function exampleFolder(files: ReadonlyMap<string, string>, packages: readonly string[]): string {
  const folder = newFolder()
  for (const [name, code] of [['package.json', '{"type":"module"}'] as const, ...files]) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, code)
  }
  for (const name of packages) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(name === 'paycli' ? ROOT : join(ROOT, 'node_modules', name), link, 'junction')
  }
  return folder
}

/** A running process of an example. */
export interface Example {
  /** Port that it printed as `Listening on port <port>`. */
  readonly port: number
  /** Resolves with everything printed so far, once it contains `text`. */
  readonly printed: (text: string) => Promise<string>
  /** Kills the process and waits for its end. */
  readonly stop: () => Promise<void>
}

export interface ExampleOptions {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
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
  return {
    port: Number(port),
    printed,
    async stop() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

function collectOutput(child: ChildProcess): Example['printed'] {
  let output = ''
  let isClosed = false
  let onChange = () => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
      onChange()
    })
  }
  child.on('error', (error) => {
    output += `${error.message}\n`
  })
  child.on('close', () => {
    isClosed = true
    onChange()
  })
  return async (text) => {
    // Wait for the end of the line, so that a value in it is complete.
    while (!output.slice(output.lastIndexOf(text)).includes('\n') || !output.includes(text)) {
      if (isClosed) throw new Error(`the example ended without printing '${text}': ${output}`)
      const { promise, resolve } = Promise.withResolvers<void>()
      onChange = resolve
      await promise
    }
    return output
  }
}
