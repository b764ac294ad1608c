import { quoteForShell } from '../../domain/text/shell-quote.ts'
import { readManifest } from './manifest.ts'
import { toShellCommand } from './shell-command.ts'

const MAX_OWNERS = 3

/**
 * Returns the commands with a flag, such as `paycli payment-sessions create`, from the manifest in `root`. Prefers the
 * commands of the topic of the command `id`, then commands that also create or list objects, then the only other
 * command. Returns an empty array for more than three commands, because such a flag is common to different tasks.
 */
export function findFlagOwners(root: string, id: string, flag: string): string[] {
  const owners = Object.entries(readManifest(root).commands).filter(
    ([other, { flags, hidden }]) => other !== id && hidden !== true && Object.hasOwn(flags, flag),
  )
  const names = owners.map(([other]) => other)
  const [topic, action] = [id.split(':')[0], id.split(':').at(-1)]
  const sameTopic = names.filter((name) => name.split(':')[0] === topic)
  const sameAction = names.filter(
    (name) => /^(?:create|list)$/.test(action ?? '') && name.split(':').at(-1) === action,
  )
  const only = names.length === 1 ? names : []
  const [nearest = []] = [sameTopic, sameAction, only].filter((list) => list.length > 0)
  return nearest.length > MAX_OWNERS ? [] : nearest.map((name) => `paycli ${name.replaceAll(':', ' ')}`)
}

/** Returns the command line with another topic, or null if that topic has no such command or the command has other flags. */
export function findSameCommand(
  root: string,
  topic: string,
  { id, argv }: { readonly id: string; readonly argv: readonly string[] },
): string | null {
  const same = `${topic.replaceAll(' ', ':')}:${id.split(':').at(-1)}`
  const flags = readManifest(root).commands[same]?.flags
  const isKnown = (word: string) =>
    !word.startsWith('-') || Object.hasOwn(flags ?? {}, word.replace(/^--|=.*/g, ''))
  return flags !== undefined && argv.every(isKnown)
    ? `paycli ${same.replaceAll(':', ' ')} ${toShellCommand(argv)}`
    : null
}

/** The flags for unexpected arguments, by their form. A form may belong to different flags in different commands. */
const FLAGS_BY_FORM: readonly (readonly [form: RegExp, flag: string])[] = [
  [/^\d{2,5}$/, 'port'],
  [/^\d+$/, 'amount'],
  [/^\d{4}-\d\d/, 'at'],
  [/^[^@/]+@[^@/]+$/, 'email'],
  [/^cus_/, 'customer'],
  [/^py_/, 'payment'],
  [/^clock_/, 'test-clock'],
  [/^https?:|^[\w.:-]+\//, 'url'],
  [/\.json$/, 'from-file'],
]

/** Returns a hint for an unexpected argument: a flag, a quoted value of a flag, or to omit the argument; else null. */
export function findArgumentHint(
  root: string,
  { id, argv }: { readonly id: string; readonly argv: readonly string[] },
): string | null {
  const flags = readManifest(root).commands[id]?.flags ?? {}
  for (const [index, word] of argv.entries()) {
    const end = argv.findIndex((other, at) => at > index && other.startsWith('-'))
    const values = argv.slice(index + 1, end === -1 ? undefined : end)
    const name = word.startsWith('--') ? word.slice(2) : ''
    const type = Object.hasOwn(flags, name) ? flags[name]?.type : undefined
    if (type === 'boolean' && values.length > 0) return `${word} takes no value: omit '${values.join(' ')}'.`
    if (type === 'option' && values.length > 1)
      return `Put a value with spaces in quotes: ${word} ${quoteForShell(values.join(' '))}`
  }
  const [first = '-', ...rest] = argv
  const [, named = '', own] = /^([\w-]+)=(.+)$/s.exec(first) ?? []
  const isPair = own !== undefined && Object.hasOwn(flags, named)
  const name = isPair
    ? named
    : FLAGS_BY_FORM.find(([form, flag]) => form.test(first) && Object.hasOwn(flags, flag))?.[1]
  if (name === undefined) return null
  return `Use: ${toShellCommand(['paycli', ...id.split(':'), `--${name}`, isPair ? own : first, ...rest])}`
}
