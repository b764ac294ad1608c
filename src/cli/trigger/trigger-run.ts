import { findResourceOfId } from '../../api/resources/catalog.ts'
import { ApiError } from '../../client/api-error.ts'
import type { Client } from '../../client/client.ts'
import { isJsonObject, type JsonObject } from '../../domain/core/json-object.ts'
import { sendStep } from '../fixtures/fixture-run.ts'
import type { ParamOverrides } from './trigger-overrides.ts'
import { listStepsForId, type TriggerRecipe } from './trigger-recipe.ts'
import { type RecipeStep, type StepObjects, TEST_CLOCK_STEP } from './trigger-steps.ts'
import { createNotOnClockError, createUnusableIdError } from './unusable-id.ts'

export interface TriggerOptions {
  /** An existing object to use in place of a new object. */
  readonly id?: string | undefined
  readonly overrides: ParamOverrides
}

/** Runs the steps of a recipe and resolves with the ids of the given, created and read objects. */
export async function runRecipe(
  client: Client,
  recipe: TriggerRecipe,
  { id, overrides }: TriggerOptions,
): Promise<ReadonlySet<string>> {
  const responses = new Map<string, object>()
  if (id !== undefined) {
    const given = await readGiven(client, id, recipe)
    responses.set(String(given['object']), given)
  }
  const ids = new Set(id === undefined ? [] : [id])
  for (const step of id === undefined ? recipe.steps : listStepsForId(id, recipe)) {
    // Apply overrides after references are replaced, because flag values contain no references.
    const send: Client['send'] = (operation, params) =>
      client.send(operation, overrides.apply(step.name, params))
    const response = await runRecipeStep({ ...client, send }, step, responses)
    if (response === null) continue
    responses.set(step.name, response)
    ids.add(String(response['id']))
  }
  return ids
}

/** Sends the request of a step and resolves with its response, or with null if the step is skipped. */
export async function runRecipeStep(
  client: Client,
  { params, mayDecline = false, ...step }: RecipeStep,
  responses: ReadonlyMap<string, object>,
): Promise<JsonObject | null> {
  const objects = Object.fromEntries(responses) as object as StepObjects
  const sent = typeof params === 'function' ? await params(objects, client) : params
  if (sent === null) return null
  try {
    const response: JsonObject = { ...(await sendStep(client, { ...step, params: sent }, responses)) }
    if (!Array.isArray(response['data'])) return response
    const [first] = response['data']
    if (first === undefined) throw createUnusableIdError(objects.subscription.id, `has no ${step.name}`)
    return first
  } catch (error) {
    const payment = mayDecline && error instanceof ApiError && error.status === 402 && error.error.payment
    if (isJsonObject(payment)) return payment
    throw error
  }
}

async function readGiven(client: Client, id: string, { steps }: TriggerRecipe): Promise<JsonObject> {
  const { path, topic } = findResourceOfId(id) ?? {}
  const response = await client.send({ method: 'GET', path: `/v1/${path}/:id` }, { id })
  const given: JsonObject = { ...response }
  if (given['deleted'] === true)
    throw createUnusableIdError(id, 'was deleted', `another: paycli ${topic} list`)
  if (steps.includes(TEST_CLOCK_STEP) && given['test_clock'] === null) throw createNotOnClockError(id)
  return given
}
