import { isJsonObject, parseJson } from '../../domain/core/json-object.ts'
import type { Schema } from '../../domain/core/schema.ts'
import { quoteForShell } from '../../domain/text/shell-quote.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { Params } from './params.ts'

const MAX_DEPTH = 8
const PAIR = /^([^=[\]]+)((?:\[[^[\]]*\])*)=(.*)$/s

/** Adds `-d` pairs such as `a[b]=v` or `list[]=v` to parameters. The schema gives the type of each value (default: text). */
export function addDataParams(params: Params, pairs: readonly string[], schema: Schema<unknown>): Params {
  return pairs.reduce((before, pair) => {
    const { steps, value } = parsePair(pair)
    return setAt(before, steps, value, schema) as Params
  }, params)
}

function parsePair(pair: string): { readonly steps: readonly string[]; readonly value: string } {
  const [, name, inner = '', value = ''] = PAIR.exec(pair) ?? []
  const steps = name === undefined ? [] : [name, ...inner.split(/\[|\]\[|\]/).slice(1, -1)]
  const names = inner === '' ? steps.slice(0, 1) : steps
  // Assigning __proto__ would replace the prototype instead of setting a field.
  if (names.includes('__proto__')) {
    throw new UsageError('flag_invalid', "--data cannot set '__proto__'.", {
      param: 'data',
      hint: 'Use another name.',
    })
  }
  // curl users pass JSON or @file after -d. Both may contain an equals sign.
  const isBody = /^\s*[{@]/.test(pair)
  if (name !== undefined && names.length <= MAX_DEPTH && !isBody) return { steps: names, value }
  throw new UsageError('flag_invalid', `Invalid --data '${pair}': expected name=value.`, {
    param: 'data',
    hint:
      findPairs(pair) ??
      (isBody
        ? `To send a JSON body, use --from-file ${quoteForShell(/^@(.+)/s.exec(pair)?.[1] ?? 'body.json')}, or --from-file - for standard input.`
        : "Use -d name=Ada, -d 'metadata[order]=1042' or -d 'enabled_events[]=invoice.paid'."),
  })
}

/** Returns a hint with the pairs for a JSON object, or null for other texts. */
function findPairs(text: string): string | null {
  const value = parseJson(text)
  if (!isJsonObject(value)) return null
  const toPairs = (name: string, one: unknown): string[] => {
    if (typeof one !== 'object' || one === null) return [`-d ${quoteForShell(`${name}=${one ?? ''}`)}`]
    return Object.entries(one).flatMap(([key, inner]) =>
      toPairs(`${name}[${Array.isArray(one) ? '' : key}]`, inner),
    )
  }
  return `Use ${Object.entries(value)
    .flatMap(([name, one]) => toPairs(name, one))
    .join(' ')}. For a JSON file, use --from-file body.json`
}

/** Sets a value at a path. An empty step appends to a list. A number is a list index. */
function setAt(
  target: unknown,
  [step, ...rest]: readonly string[],
  value: string,
  schema: Schema<unknown> | undefined,
): unknown {
  if (step === undefined) return convertValue(value, schema)
  const inner = schema?.properties?.[step] ?? (isListStep(step) ? schema?.items : undefined)
  if (isListStep(step) && !isJsonObject(target)) {
    const list: readonly unknown[] = Array.isArray(target) ? target : []
    const at = step === '' ? list.length : Math.min(Number(step), list.length)
    return list.toSpliced(at, 1, setAt(list[at], rest, value, inner))
  }
  const fields = isJsonObject(target) ? target : {}
  return { ...fields, [step]: setAt(fields[step], rest, value, inner) }
}

function isListStep(step: string): boolean {
  return /^\d{0,3}$/.test(step)
}

function convertValue(text: string, schema: Schema<unknown> | undefined): unknown {
  const types = [schema?.type ?? []].flat()
  if (text === '' && types.includes('null')) return null
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  const isNumber = types.includes('integer') || types.includes('number')
  return isNumber && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : text
}
