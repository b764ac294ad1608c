import type { Schema } from '../../api/schema/schema.ts'
import { isFields } from '../../client/fields.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { Params } from './params.ts'

const MAX_DEPTH = 8
const PAIR = /^([^=[\]]+)((?:\[[^[\]]*\])*)=(.*)$/s

/**
 * Adds what `-d` gives, such as `a[b]=v` or `list[]=v`, to parameters; what a value is follows from the schema, and is
 * text where that says nothing.
 */
export function withData(params: Params, pairs: readonly string[], schema: Schema<unknown>): Params {
  return pairs.reduce((before, pair) => {
    const { steps, value } = readPair(pair)
    return put(before, steps, { value, schema }) as Params
  }, params)
}

function readPair(pair: string): { readonly steps: readonly string[]; readonly value: string } {
  const [, name, inner = '', value = ''] = PAIR.exec(pair) ?? []
  const steps = name === undefined ? [] : [name, ...inner.split(/\[|\]\[|\]/).slice(1, -1)]
  const names = inner === '' ? steps.slice(0, 1) : steps
  // Objects have something else of that name already.
  if (names.includes('__proto__')) {
    throw new UsageError('flag_invalid', "--data takes no parameter or key called '__proto__'.", {
      param: 'data',
      hint: 'Give it another name.',
    })
  }
  // What curl takes after the same letter; a text in it may hold an equals sign.
  const isBody = /^\s*[{@]/.test(pair)
  if (name !== undefined && names.length <= MAX_DEPTH && !isBody) return { steps: names, value }
  throw new UsageError('flag_invalid', `--data takes name=value, not '${pair}'.`, {
    param: 'data',
    hint: isBody
      ? 'A whole body in JSON comes from a file with --from-file body.json, or from standard input with --from-file -.'
      : "Write -d name=Ada, -d 'metadata[order]=1042' or -d 'enabled_events[]=invoice.paid'.",
  })
}

interface Leaf {
  readonly value: string
  readonly schema: Schema<unknown> | undefined
}

// An empty step appends to a list, a number is a place in one.
function put(target: unknown, [step, ...rest]: readonly string[], { value, schema }: Leaf): unknown {
  if (step === undefined) return typed(value, schema)
  const inner = schema?.properties?.[step] ?? (isListStep(step) ? schema?.items : undefined)
  if (isListStep(step) && !isFields(target)) {
    const list: readonly unknown[] = Array.isArray(target) ? target : []
    const at = step === '' ? list.length : Math.min(Number(step), list.length)
    return list.toSpliced(at, 1, put(list[at], rest, { value, schema: inner }))
  }
  const fields = isFields(target) ? target : {}
  return { ...fields, [step]: put(fields[step], rest, { value, schema: inner }) }
}

function isListStep(step: string): boolean {
  return /^\d{0,3}$/.test(step)
}

function typed(text: string, schema: Schema<unknown> | undefined): unknown {
  const types = [schema?.type ?? []].flat()
  if (text === '' && types.includes('null')) return null
  if (types.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  const isNumber = types.includes('integer') || types.includes('number')
  return isNumber && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(text) ? Number(text) : text
}
