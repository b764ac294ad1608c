import { isFields } from '../client/fields.ts'
import { valuesAt } from './field-path.ts'
import { UsageError } from './usage-error.ts'

/** `${name.field}`, and `$${` for what only looks like one. */
const REFERENCE = /\$\$\{|\$\{([A-Za-z][\w-]*)[.:]([^}]+)\}/g
const ALONE = /^\$\{([A-Za-z][\w-]*)[.:]([^}]+)\}$/

/** The answers of the steps so far, by their names. */
export type Answers = ReadonlyMap<string, object>

/** Text with all its references in place of what they refer to. */
export function resolved(text: string, answers: Answers): string {
  return text.replace(REFERENCE, (found, name: string, path: string) =>
    found.startsWith('$$') ? found.slice(1) : String(referred(name, path, answers)),
  )
}

/** The same for all text within a value; one that is a reference and nothing else keeps the kind of what it refers to. */
export function resolvedIn(value: unknown, answers: Answers): unknown {
  if (Array.isArray(value)) return value.map((one) => resolvedIn(one, answers))
  if (isFields(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolvedIn(one, answers)]))
  if (typeof value !== 'string') return value
  const [whole, name = '', path = ''] = ALONE.exec(value) ?? []
  return whole === undefined ? resolved(value, answers) : referred(name, path, answers)
}

/** Text that refers to nothing, written so that it is taken for itself. */
export function asText(text: string): string {
  return text.replaceAll(`\${`, () => `$\${`)
}

function referred(name: string, path: string, answers: Answers): unknown {
  const answer = answers.get(name)
  if (answer !== undefined) return valueIn(answer, name, path)
  throw new UsageError('file_invalid', `No step before is called '${name}'.`, {
    hint: `There are: ${[...answers.keys()].join(', ') || 'none'}. Text that is no reference is written $\${…}.`,
  })
}

// There may be many steps, and no flag to look at.
function valueIn(answer: object, name: string, path: string): unknown {
  try {
    return valuesAt(answer, path)[0]
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    const { code, message, hint } = error
    throw new UsageError(code, `\${${name}.${path}}: ${message}`, hint === null ? {} : { hint })
  }
}
