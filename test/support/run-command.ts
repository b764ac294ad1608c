import { Readable } from 'node:stream'
import { runWithoutOclif } from '../../src/cli/launch/launch.ts'
import type { Ended } from '../commands/paycli.ts'
import { ROOT } from './root.ts'

let last: Promise<unknown> = Promise.resolve()

/** The terminal of stdout and stderr. */
export interface FakeTerminal {
  readonly columns: number
}

/** The standard streams of a command (default: no terminal, and an empty stdin). */
export interface CommandStreams {
  readonly terminal?: FakeTerminal | null
  readonly stdin?: string
  /** Called with each string that is written to stdout. */
  readonly onStdout?: (text: string) => void
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Runs a command line in this process, through the launcher and the compiled class of the command. Runs wait for each
 * other, because a command uses the environment, the standard streams and the exit code of its process. Throws when
 * oclif would handle the command line.
 */
export function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  streams: CommandStreams = {},
): Promise<Ended> {
  const work = async () => {
    if (!(await runWithoutOclif(ROOT, loadCompiledCommand, args)))
      throw new Error(`oclif handles '${args.join(' ')}': run it as a process`)
  }
  const run = last.then(() => runNext(work, env, streams))
  last = run.catch(() => null)
  return run
}

/** Runs a function that prints and sets the exit code, as a command does. */
export function capture(
  work: () => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return runNext(work, env, {})
}

async function runNext(
  work: () => Promise<void>,
  env: Readonly<Record<string, string>>,
  { terminal = null, stdin = '', onStdout = () => {} }: CommandStreams,
): Promise<Ended> {
  const code = process.exitCode
  const restore = [replaceStdin(stdin), replaceEnvironment(env), replaceSignalListeners()]
  const streams = {
    stdout: captureWrites(process.stdout, terminal, onStdout),
    stderr: captureWrites(process.stderr, terminal, () => {}),
  }
  process.exitCode = undefined
  try {
    await work()
    return {
      code: Number(process.exitCode ?? 0),
      stdout: streams.stdout.end(),
      stderr: streams.stderr.end(),
    }
  } finally {
    streams.stdout.end()
    streams.stderr.end()
    process.exitCode = code
    for (const one of restore) one()
  }
}

/** Loads the compiled class of a bundled command file, so that it shares its modules with the test. */
export function loadCompiledCommand(file: string) {
  return import(file.replace('/dist/bundle/', '/dist/'))
}

/**
 * Sets variables of the environment of this process, which `os.homedir` reads too; returns the function that restores
 * the variables.
 */
function replaceEnvironment(env: Readonly<Record<string, string>>): () => void {
  const before = { ...process.env }
  Object.assign(process.env, env)
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}

/** Makes a command read a text from standard input; returns the function that restores the stream. */
function replaceStdin(text: string): () => void {
  const own = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {}
  const value = Readable.from(text === '' ? [] : [Buffer.from(text)])
  Object.defineProperty(process, 'stdin', { ...own, get: () => value })
  return () => Object.defineProperty(process, 'stdin', own)
}

/**
 * Removes the listeners of signals, of which those of an earlier command would end the process at a second signal. Returns
 * a function that restores them, and removes the listeners that a command leaves to the end of its process.
 */
function replaceSignalListeners(): () => void {
  const kept = SIGNALS.map((signal) => [signal, process.listeners(signal)] as const)
  for (const [signal] of kept) process.removeAllListeners(signal)
  return () => {
    for (const [signal, listeners] of kept) {
      process.removeAllListeners(signal)
      for (const listener of listeners) process.on(signal, listener)
    }
  }
}

/** Collects the output to a stream until `end` restores the stream and returns the text. */
function captureWrites(
  stream: NodeJS.WriteStream,
  terminal: FakeTerminal | null,
  onText: (text: string) => void,
) {
  const { write, isTTY, columns } = stream
  let text = ''
  Object.assign(stream, { isTTY: terminal !== null, columns: terminal?.columns })
  stream.write = (chunk: string | Uint8Array) => {
    const added = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    text += added
    onText(added)
    return true
  }
  return {
    end: () => {
      Object.assign(stream, { write, isTTY, columns })
      return text
    },
  }
}
