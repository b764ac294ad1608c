import { isJsonObject, parseJson } from '../../domain/core/json-object.ts'
import { UsageError } from '../errors/usage-error.ts'

type OverrideKind = 'override' | 'add' | 'remove'

/** One change to the parameters of an object that a trigger creates. */
type ParamOverride = ReturnType<typeof parseOverride>

export type ParamOverrides = ReturnType<typeof parseOverrides>

/** Parses overrides such as `customer.email=ada@example.com`: object, path of the parameter, and value unless removed. */
export function parseOverrides(flags: Readonly<Partial<Record<OverrideKind, readonly string[]>>>) {
  const kinds = ['remove', 'override', 'add'] as const
  const overrides = kinds.flatMap((kind) => flags[kind]?.map((text) => parseOverride(kind, text)) ?? [])
  return {
    /** The names of the objects whose parameters are changed. */
    objects: new Set(overrides.map(({ object }) => object)),
    /** Returns the parameters of an object with its overrides applied. */
    apply<P extends object>(object: string, params: P): P {
      const own = overrides.filter((override) => override.object === object)
      // The result may not fit the type: the API validates it like any other request.
      return own.reduce<unknown>(
        (value, override) => withOverride(value, override.path, override),
        params,
      ) as P
    },
  }
}

// The result includes the text of the flag, for error messages.
function parseOverride(kind: OverrideKind, text: string) {
  const end = kind === 'remove' ? text.length : text.indexOf('=')
  const [object = '', ...path] = text
    .slice(0, Math.max(end, 0))
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
  const valueText = text.slice(end + 1)
  // Metadata values are strings even if they look like numbers.
  const value = path.at(-2) === 'metadata' ? valueText : parseValue(valueText)
  if (path.length > 0) return { kind, object, path, value, text }
  const expected = kind === 'remove' ? 'customer.name' : 'customer.email=ada@example.com'
  throw new UsageError('flag_invalid', `Invalid --${kind} '${text}': expected an object and a path.`, {
    param: kind,
    hint: `Name the object and the path of its parameter: --${kind} ${expected}`,
  })
}

// JSON such as 250 or true is parsed; any other value is a string.
function parseValue(text: string): unknown {
  const value = parseJson(text)
  return value === undefined ? text : value
}

function withOverride(value: unknown, path: readonly string[], override: ParamOverride): unknown {
  const [step, ...rest] = path
  if (step === undefined) return override.value
  if (!isJsonObject(value) && !Array.isArray(value)) throw unknownPath(override, 'the path ends before it')
  const entries = new Map<string, unknown>(Object.entries(value))
  const isLast = rest.length === 0
  const isAdded = override.kind === 'add'
  if (isLast && isAdded && entries.has(step)) throw unknownPath(override, 'it exists already: use --override')
  if (!isAdded && !entries.has(step)) {
    throw unknownPath(override, `expected one of ${[...entries.keys()].join(', ')}`)
  }
  if (isLast && override.kind === 'remove') entries.delete(step)
  else {
    const inner = entries.has(step) ? entries.get(step) : emptyParent(rest)
    entries.set(step, withOverride(inner, rest, override))
  }
  return Array.isArray(value) ? [...entries.values()] : Object.fromEntries(entries)
}

// An added parameter may be the first in an object or a list that the trigger does not send.
function emptyParent([step]: readonly string[]): unknown {
  return step === '0' ? [] : {}
}

function unknownPath({ kind, text }: ParamOverride, problem: string): UsageError {
  return new UsageError('path_unknown', `Invalid --${kind} '${text}': ${problem}.`, {
    param: kind,
    hint:
      kind === 'override'
        ? 'To send a parameter that the trigger does not send, use --add.'
        : 'See the reference at /docs.',
  })
}
