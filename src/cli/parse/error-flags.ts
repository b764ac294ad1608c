import { flagsThatMayBe, isOpposite } from './flag-names.ts'

const KINDS =
  'api_key|checkout_session|payment_method|payment_session|request_log|test_clock|webhook_delivery|webhook_endpoint'
/** A parameter in prose: a name with an underscore that is neither quoted nor the kind of an object beside its id. */
const PARAMETER = new RegExp(`(?<!['"\\w-]|No such )(?!(?:${KINDS}):? ')[a-z]+(?:_[a-z]+)+(?!['"\\w])`, 'g')

/** Flags of every command, which stand for no parameter. */
const GLOBAL: ReadonlySet<string> = new Set(['api-base', 'api-key', 'profile', 'json', 'field', 'color'])

/** The flag for a parameter such as `subscription_data[start_date]`, or null without one among those given. */
export function flagFor(param: string, flags: readonly string[]): string | null {
  return flagsThatMayBe(param).find((name) => flags.includes(name) && !GLOBAL.has(name)) ?? null
}

/** What the service says of a parameter in the words of the command line: flags where there are some. */
export function inFlagWords(message: string, param: string | null, flags: readonly string[]): string {
  // What is said of a parameter is not true of a flag that says its opposite.
  const alike = flags.filter((name) => !isOpposite(name))
  const flag = param === null ? null : flagFor(param, alike)
  const named = flag === null ? message : withPath(message, String(param), `--${flag}`)
  return named.replace(PARAMETER, (word) => {
    const own = flagFor(word, alike)
    return own === null ? word : `--${own}`
  })
}

// The path may come with a bound, as in `created[gte]`, and a message may begin with its last name alone. A name that is
// a word of any sentence, such as payment, is the parameter only where a message begins with it or points at it.
function withPath(message: string, param: string, flag: string): string {
  const name = param.split(/[[\]]+/).findLast((step) => /^[a-z_]+$/.test(step)) ?? param
  const told = message.replace(/^Missing required parameter: /, 'Missing flag: ')
  const before = /^[a-z]+$/.test(param) ? '(?<=^|^Missing flag: |parameter: |`)' : `(?<!['"\\w]|No such )`
  const whole = told.replaceAll(new RegExp(`${before}${escaped(param)}(?!['"\\w])`, 'g'), flag)
  return whole.startsWith(`${name} `) ? whole.replace(name, flag) : whole
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
