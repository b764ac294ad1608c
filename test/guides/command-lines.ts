import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../support/root.ts'

interface Flag {
  readonly type: 'boolean' | 'option'
  readonly char?: string
  readonly allowNo?: boolean
  readonly options?: readonly string[]
}

interface Command {
  readonly id: string
  readonly aliases: readonly string[]
  readonly strict?: boolean
  readonly args: Readonly<Record<string, unknown>>
  readonly flags: Readonly<Record<string, Flag>>
}

/** The commands of the manifest by their words, such as `customers create`, aliases included. */
export type Commands = ReadonlyMap<string, Command>

/** Reads the commands from oclif.manifest.json. */
export function readCommands(): Commands {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8')) as {
    readonly commands: Readonly<Record<string, Command>>
  }
  return new Map(
    Object.values(manifest.commands).flatMap((command) =>
      [command.id, ...command.aliases].map((id) => [id.replaceAll(':', ' '), command] as const),
    ),
  )
}

const TOKEN = /#.*|\$?\(|\)|&&|\|\|?|;|&|\n|[<>]+|(?:'[^']*'|"(?:[^"$]|\$(?!\())*"|\\\n|[^\s'"|;&()<>])+/g
const SEPARATOR = /^(?:\$?\(|\)|&&|\|\|?|;|&|\n)$/
const ASSIGNMENT = /^\w+=/

/** Returns the words of each call of paycli in shell code, without `paycli` itself; `npm start` is `serve`. */
export function commandLines(code: string): string[][] {
  const calls: string[][] = []
  let words: string[] = []
  const end = () => {
    calls.push(...callsIn(words.filter((word) => !ASSIGNMENT.test(word) || word.startsWith('-'))))
    words = []
  }
  for (const [token] of code.matchAll(TOKEN)) {
    if (SEPARATOR.test(token)) end()
    else if (!token.startsWith('#') && token !== '\\\n') words.push(token)
  }
  end()
  return calls
}

function callsIn(words: readonly string[]): string[][] {
  const redirect = words.findIndex((word) => /^[<>]+$/.test(word))
  const all = redirect === -1 ? words : words.slice(0, redirect)
  const [first, second] = all
  if (first === 'npm' && second === 'start') return [['serve', ...all.slice(all[2] === '--' ? 3 : 2)]]
  const own = first === 'npx' ? all.slice(1) : all
  if (own[0] !== 'paycli') return []
  const dashes = own.indexOf('--')
  if (dashes === -1) return [own.slice(1)]
  return [own.slice(1, dashes), ...callsIn(own.slice(dashes + 1))]
}

const GLOBAL_FLAGS: ReadonlySet<string> = new Set(['--help', '--version'])
/** The calls of paycli that need no command. */
const PROGRAM_CALLS: ReadonlySet<string> = new Set(['', '--help', '--version', 'help', 'help --json'])

/** Returns the error in a call of paycli, given as the words after `paycli`; null for a valid call. */
export function problemOf(call: readonly string[], commands: Commands): string | null {
  const found = findCommand(call, commands)
  if (found === null) return PROGRAM_CALLS.has(call.join(' ')) ? null : 'there is no such command'
  const { id, flags, args, strict } = found.command
  // `exec` passes its flags on to `serve`.
  const known = id === 'exec' ? { ...commands.get('serve')?.flags, ...flags } : flags
  const values: string[] = []
  const rest = [...found.rest]
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (!/^-[a-zA-Z-]/.test(word)) values.push(word)
    else {
      const problem = flagProblem(word, rest, known)
      if (problem !== null) return problem
    }
  }
  const most = strict === false ? Number.POSITIVE_INFINITY : Object.keys(args).length
  return values.length > most ? `'${values[most]}' is an argument too many` : null
}

/** Returns the error in a flag, or null, and removes its value from the words that follow it. */
function flagProblem(word: string, rest: string[], flags: Readonly<Record<string, Flag>>): string | null {
  const [, name = '', inline] = /^([\w-]+?)(?:=(.*))?$/s.exec(word) ?? []
  if (GLOBAL_FLAGS.has(name)) return null
  const flag = Object.entries(flags).find(
    ([long, { char, allowNo }]) =>
      name === `--${long}` || name === `-${char}` || (allowNo && name === `--no-${long}`),
  )?.[1]
  if (flag === undefined) return `there is no flag ${word}`
  if (flag.type === 'boolean') return inline === undefined ? null : `${name} takes no value`
  const value = inline ?? rest.shift()
  if (value === undefined) return `${name} needs a value`
  const isKnown =
    flag.options === undefined ||
    /[|<…\\]/.test(value) ||
    value.split(',').every((one) => flag.options?.includes(one))
  return isKnown ? null : `${name} does not take ${value}`
}

function findCommand(
  call: readonly string[],
  commands: Commands,
): { readonly command: Command; readonly rest: readonly string[] } | null {
  for (let length = Math.min(3, call.length); length > 0; length -= 1) {
    const command = commands.get(call.slice(0, length).join(' '))
    if (command !== undefined) return { command, rest: call.slice(length) }
  }
  return null
}
