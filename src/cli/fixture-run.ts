import { ApiError } from '../client/api-error.ts'
import type { Client } from '../client/client.ts'
import { isFields } from '../client/fields.ts'
import { withData } from './data-flag.ts'
import type { FixtureStep, Fixtures } from './fixture-files.ts'
import { type Answers, resolved, resolvedIn } from './fixture-references.ts'
import { targetOf } from './object-paths.ts'
import { Unmet } from './unmet.ts'
import { UsageError } from './usage-error.ts'

/**
 * Carries out steps one after the other, and puts their answers beside those of the steps before, as far as it comes;
 * `${name.field}` stands for what an earlier one was answered. An error names the step it came of.
 */
export async function runSteps(
  client: Client,
  steps: readonly FixtureStep[],
  answers: Map<string, object> = new Map(),
): Promise<Answers> {
  for (const step of steps) {
    const answer = await answerTo(client, step, answers).catch((error: unknown) => {
      throw inPlace(`Step '${step.name}'`, error)
    })
    answers.set(step.name, answer)
  }
  return answers
}

async function answerTo(
  client: Client,
  { method, path, params, expect }: FixtureStep,
  answers: Answers,
): Promise<object> {
  const target = targetOf(resolved(path, answers))
  const asked = withData(Object(resolvedIn(params, answers)), target.data, {})
  const sent = client.send({ method, path: target.path }, asked)
  if (expect === undefined) return sent
  const refused = await sent.then(
    () => null,
    (error: unknown) => error,
  )
  if (refused instanceof ApiError && refused.status === expect) return { error: refused.error }
  const isRefused = refused instanceof ApiError
  if (refused !== null && !isRefused) throw refused
  const other = isRefused ? `was refused with ${refused.status}: ${refused.error.message}` : 'went well.'
  throw new Unmet('assertion', `It was to be refused with ${expect}, and ${other}`)
}

/** Environment variables with what their references stand for. An error names the one it came of. */
export function resolvedEnv(env: Fixtures['env'], answers: Answers): Readonly<Record<string, string>> {
  const variables = Object.entries(env).map(([name, text]) => {
    try {
      return [name, resolved(text, answers)]
    } catch (error) {
      throw inPlace(`Variable '${name}' of "env"`, error)
    }
  })
  return Object.fromEntries(variables)
}

function inPlace(place: string, error: unknown): unknown {
  const told = (message: string) => `${place}: ${message}`
  if (error instanceof ApiError) {
    return new ApiError(error.status, { ...error.error, message: told(error.message) })
  }
  if (error instanceof Unmet) return new Unmet(error.code, told(error.message), error.hint)
  if (!(error instanceof UsageError)) return error
  const { code, message, hint } = error
  return new UsageError(code, told(message), hint === null ? {} : { hint })
}

/** How to take back what steps made, the newest first: objects that can be deleted, and pages that can be closed. */
export function undoingSteps(made: readonly FixtureStep[], answers: Answers): FixtureStep[] {
  const steps = made.flatMap(({ name, method, path }): FixtureStep[] => {
    const answer: unknown = answers.get(name)
    const { id, object, status } = isFields(answer) ? answer : {}
    if (typeof id !== 'string' || typeof object !== 'string') return []
    // What a step only read or changed was there before, or is another step's.
    if (method !== 'POST' || String(resolved(path, answers)).includes(id)) return []
    if (DELETED.has(object)) return [{ name, method: 'DELETE', path: id, params: {} }]
    const isOpenPage = object.endsWith('_session') && status === 'open'
    return isOpenPage ? [{ name, method: 'POST', path: `${id}/expire`, params: {} }] : []
  })
  return steps.reverse()
}

const DELETED: ReadonlySet<string> = new Set(['customer', 'webhook_endpoint', 'test_clock'])
