import { launch } from '../../src/cli/launch/launch.ts'
import type { Ended } from '../commands/paycli.ts'
import { ROOT } from './root.ts'

let last: Promise<unknown> = Promise.resolve()

/** A terminal that a command finds on stdout and stderr. */
export interface FakeTerminal {
  readonly columns: number
}

/**
 * Runs a command line in this process, through the launcher and the compiled class of the command. Runs wait for each
 * other, because a command uses the environment, the standard streams and the exit code of its process. Throws when
 * oclif would handle the command line.
 */
export function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  terminal: FakeTerminal | null = null,
): Promise<Ended> {
  const run = last.then(() => runNext(args, env, terminal))
  last = run.catch(() => null)
  return run
}

async function runNext(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  terminal: FakeTerminal | null,
): Promise<Ended> {
  const before = { env: process.env, code: process.exitCode }
  const streams = {
    stdout: captureWrites(process.stdout, terminal),
    stderr: captureWrites(process.stderr, terminal),
  }
  process.env = { ...process.env, ...env }
  process.exitCode = undefined
  try {
    if (!(await launch({ root: ROOT, load: loadCompiledCommand }, args)))
      throw new Error(`oclif handles '${args.join(' ')}': run it as a process`)
    return {
      code: Number(process.exitCode ?? 0),
      stdout: streams.stdout.end(),
      stderr: streams.stderr.end(),
    }
  } finally {
    streams.stdout.end()
    streams.stderr.end()
    process.env = before.env
    process.exitCode = before.code
  }
}

/** Loads the compiled class of a bundled command file, so that it shares its modules with the test. */
export function loadCompiledCommand(file: string) {
  return import(file.replace('/dist/bundle/', '/dist/'))
}

/** Collects what is written to a stream until `end` restores the stream and returns the text. */
function captureWrites(stream: NodeJS.WriteStream, terminal: FakeTerminal | null) {
  const { write, isTTY, columns } = stream
  let text = ''
  Object.assign(stream, { isTTY: terminal !== null, columns: terminal?.columns })
  stream.write = (chunk: string | Uint8Array) => {
    text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    return true
  }
  return {
    end: () => {
      Object.assign(stream, { write, isTTY, columns })
      return text
    },
  }
}
