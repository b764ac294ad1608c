import { RESOURCES } from '../../api/resources/catalog.ts'
import { candidateFlags, isNegatedFlag } from './flag-names.ts'

const OBJECTS = RESOURCES.map(({ object }) => object).join('|')
/** A parameter in prose: a name with an underscore that is neither quoted nor an object name before its id. */
const PARAMETER = new RegExp(`(?<!['"\\w-]|No such )(?!(?:${OBJECTS}):? ')[a-z]+(?:_[a-z]+)+(?!['"\\w])`, 'g')

/** Flags of every command, which set no parameter. */
const GLOBAL: ReadonlySet<string> = new Set(['api-base', 'api-key', 'profile', 'json', 'field', 'color'])

/** Returns the flag that sets a parameter such as `subscription_data[start_date]`, or null when none of `flags` does. */
export function findFlag(param: string, flags: readonly string[]): string | null {
  return candidateFlags(param).find((name) => flags.includes(name) && !GLOBAL.has(name)) ?? null
}

/** Returns an API error message with the flags of the command in place of the parameters that they set. */
export function replaceParams(message: string, param: string | null, flags: readonly string[]): string {
  // A statement about a parameter is false for a flag that negates it.
  const positive = flags.filter((name) => !isNegatedFlag(name))
  const flag = param === null ? null : findFlag(param, positive)
  const replaced = flag === null ? message : withFlag(message, String(param), `--${flag}`)
  return replaced.replace(PARAMETER, (word) => {
    const other = findFlag(word, positive)
    return other === null ? word : `--${other}`
  })
}

// The path may end in a bound, as in `created[gte]`, and a message may begin with the last name of the path alone. A name
// that is an English word, such as payment, is replaced only at the start of a message or after a mark such as a colon.
function withFlag(message: string, param: string, flag: string): string {
  const name = param.split(/[[\]]+/).findLast((step) => /^[a-z_]+$/.test(step)) ?? param
  const text = message.replace(/^Missing required parameter: /, 'Missing flag: ')
  const before = /^[a-z]+$/.test(param) ? '(?<=^|^Missing flag: |parameter: |`)' : `(?<!['"\\w]|No such )`
  const replaced = text.replaceAll(new RegExp(`${before}${escapeRegExp(param)}(?!['"\\w])`, 'g'), flag)
  return replaced.startsWith(`${name} `) ? replaced.replace(name, flag) : replaced
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
