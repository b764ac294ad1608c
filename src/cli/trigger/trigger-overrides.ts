import { isFields } from '../../client/fields.ts'
import { UsageError } from '../errors/usage-error.ts'

/** One change to the parameters of what a trigger makes. */
interface Edit {
  readonly kind: 'override' | 'add' | 'remove'
  /** The object it is for, such as `customer`. */
  readonly object: string
  readonly steps: readonly string[]
  readonly value: unknown
  /** As it was given. */
  readonly text: string
}

export interface Edits {
  /** The objects that are named. */
  readonly objects: ReadonlySet<string>
  /** The parameters with all that is for this object changed. */
  readonly apply: <P extends object>(object: string, params: P) => P
  /** The objects that are named and were not applied to. */
  readonly unused: () => readonly string[]
}

/** Reads edits such as `customer.email=ada@example.com`: an object, the path of its parameter and, but to remove, a value. */
export function readEdits(given: Readonly<Record<Edit['kind'], readonly string[]>>): Edits {
  const kinds = ['remove', 'override', 'add'] as const
  const edits = kinds.flatMap((kind) => given[kind].map((text) => readEdit(kind, text)))
  const objects = new Set(edits.map(({ object }) => object))
  const used = new Set<string>()
  return {
    objects,
    unused: () => [...objects].filter((object) => !used.has(object)),
    apply(object, params) {
      used.add(object)
      const own = edits.filter((edit) => edit.object === object)
      // What comes out is still a request; the service checks it like any other.
      return own.reduce<unknown>((value, edit) => edited(value, edit.steps, edit), params) as typeof params
    },
  }
}

function readEdit(kind: Edit['kind'], text: string): Edit {
  const end = kind === 'remove' ? text.length : text.indexOf('=')
  const [object = '', ...steps] = text
    .slice(0, Math.max(end, 0))
    .split(/[.[\]]+/)
    .filter((step) => step !== '')
  const given = text.slice(end + 1)
  // What lies in metadata is text, also where it looks like a number.
  const value = steps.at(-2) === 'metadata' ? given : parsedValue(given)
  if (steps.length > 0) return { kind, object, steps, value, text }
  const expected = kind === 'remove' ? 'customer.name' : 'customer.email=ada@example.com'
  throw new UsageError('flag_invalid', `--${kind} does not take '${text}'.`, {
    param: kind,
    hint: `Name the object and the path of its parameter: --${kind} ${expected}`,
  })
}

// A number or true is meant as such; what is no JSON is text.
function parsedValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function edited(value: unknown, steps: readonly string[], edit: Edit): unknown {
  const [step, ...inner] = steps
  if (step === undefined) return edit.value
  if (!isFields(value) && !Array.isArray(value)) throw unknownPath(edit, `nothing lies below it`)
  const entries = new Map<string, unknown>(Object.entries(value))
  const isLast = inner.length === 0
  const isAdded = edit.kind === 'add'
  if (isLast && isAdded && entries.has(step)) throw unknownPath(edit, 'it is there already: use --override')
  if (!isAdded && !entries.has(step)) throw unknownPath(edit, `there are ${[...entries.keys()].join(', ')}`)
  if (isLast && edit.kind === 'remove') entries.delete(step)
  else entries.set(step, edited(entries.has(step) ? entries.get(step) : emptyFor(inner), inner, edit))
  return Array.isArray(value) ? [...entries.values()] : Object.fromEntries(entries)
}

// What is added may be the first in an object or a list that the trigger leaves out.
function emptyFor([step]: readonly string[]): unknown {
  return step === '0' ? [] : {}
}

function unknownPath({ kind, text }: Edit, problem: string): UsageError {
  return new UsageError('path_unknown', `--${kind} ${text}: ${problem}.`, {
    param: kind,
    hint:
      kind === 'override'
        ? 'To send a parameter that the trigger leaves out: --add'
        : 'See the reference at /docs.',
  })
}
