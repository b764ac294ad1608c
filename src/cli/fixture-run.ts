import type { Client } from '../client/client.ts'
import { isFields } from '../client/fields.ts'
import { valuesAt } from './field-path.ts'
import type { FixtureStep } from './fixture-files.ts'
import { targetOf } from './object-paths.ts'
import { UsageError } from './usage-error.ts'

const REFERENCE = /\$\{([A-Za-z][\w-]*)[.:]([^}]+)\}/g

/** The answers of the steps so far, by their names. */
export type Answers = ReadonlyMap<string, object>

/** Carries out steps one after the other; `${name.field}` stands for what an earlier one was answered. */
export async function runSteps(
  client: Client,
  steps: readonly FixtureStep[],
  before: Answers = new Map(),
): Promise<Answers> {
  const answers = new Map(before)
  for (const { name, method, path, params } of steps) {
    const target = targetOf(resolved(path, answers))
    const asked = isFields(params) ? resolvedIn(params, answers) : {}
    answers.set(name, await client.send({ method, path: target.path }, Object(asked)))
  }
  return answers
}

/** Text with all its references in place of what they refer to. */
export function resolved(text: string, answers: Answers): string {
  return text.replace(REFERENCE, (_whole, name: string, path: string) =>
    String(referred(name, path, answers)),
  )
}

// A value that is one reference and nothing else keeps the kind of what it refers to.
function resolvedIn(value: unknown, answers: Answers): unknown {
  if (Array.isArray(value)) return value.map((one) => resolvedIn(one, answers))
  if (isFields(value))
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolvedIn(one, answers)]))
  if (typeof value !== 'string') return value
  const [whole, name = '', path = ''] = new RegExp(`^${REFERENCE.source}$`).exec(value) ?? []
  return whole === undefined ? resolved(value, answers) : referred(name, path, answers)
}

function referred(name: string, path: string, answers: Answers): unknown {
  const answer = answers.get(name)
  if (answer !== undefined) return valuesAt(answer, path)[0]
  throw new UsageError('file_invalid', `No step before is called '${name}'.`, {
    hint: `There are: ${[...answers.keys()].join(', ') || 'none'}.`,
  })
}

/** How to take back what steps made, the newest first: objects that can be deleted, and pages that can be closed. */
export function undoingSteps(answers: Answers): FixtureStep[] {
  const steps = [...answers].flatMap(([name, answer]: readonly [string, unknown]): FixtureStep[] => {
    const { id, object, status } = isFields(answer) ? answer : {}
    if (typeof id !== 'string' || typeof object !== 'string') return []
    if (DELETED.has(object)) return [{ name, method: 'DELETE', path: id, params: {} }]
    const isOpenPage = object.endsWith('_session') && status === 'open'
    return isOpenPage ? [{ name, method: 'POST', path: `${id}/expire`, params: {} }] : []
  })
  return steps.reverse()
}

const DELETED: ReadonlySet<string> = new Set(['customer', 'webhook_endpoint', 'test_clock'])
