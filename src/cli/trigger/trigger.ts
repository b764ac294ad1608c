import { findResourceByObjectName, findResourceOfId } from '../../api/resources/catalog.ts'
import type { Client } from '../../client/client.ts'
import { EVENT_TYPES, type EventType } from '../../domain/core/event-types.ts'
import type { Event } from '../../domain/events/events.ts'
import { ExpectationError } from '../errors/expectation-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import { selectEventTypes } from '../request/event-selection.ts'
import { listEventsAfter, readNewestSequence } from '../request/recent-events.ts'
import { parseOverrides } from './trigger-overrides.ts'
import { listCreatedObjectTypes, listStepsForId, type TriggerRecipe } from './trigger-recipe.ts'
import { RECIPES } from './trigger-recipes.ts'
import { runRecipe, type TriggerOptions } from './trigger-run.ts'

const MAX_REPORTED_TYPES = 6

/** The result of `paycli trigger`. */
export type TriggerCommandResult = Awaited<ReturnType<typeof triggerEvent>>

/**
 * Lists every trigger with its description, the id prefixes that it accepts, and the objects whose parameters can be
 * changed.
 */
export function listTriggers() {
  return EVENT_TYPES.map((type) => {
    const { how, makes } = RECIPES[type]
    return { type, how, id: acceptedPrefixes(RECIPES[type]), makes }
  })
}

function acceptedPrefixes({ accepts }: TriggerRecipe): string[] {
  return accepts.map((object) => findResourceByObjectName(object)?.idPrefix ?? '')
}

/** Causes an event by running its recipe; resolves with the created objects and all events. */
export async function triggerEvent(
  client: Client,
  name: string,
  { id, overrides = parseOverrides({}) }: Partial<TriggerOptions> = {},
) {
  const [type, ...others] = selectEventTypes([name], 'event')
  if (type === undefined || others.length > 0) {
    throw new UsageError(
      'event_type_unknown',
      `Invalid event '${name}': expected one event type, but it matches ${others.length + 1}.`,
      { param: 'event' },
    )
  }
  const recipe = RECIPES[type]
  requireAccepted(type, recipe, id)
  requireOverridable(type, recipe, { id, overrides })
  const before = await readNewestSequence(client)
  const objectIds = await runRecipe(client, recipe, { id, overrides })
  const caused = selectRelated(await listEventsAfter(client, before), objectIds)
  const event = caused.findLast((one) => one.type === type)
  if (event === undefined) throw missingEvent(type, caused)
  const made = [...new Set(caused.filter(isCreation).map(({ data }) => data.object.id))]
  return {
    object: 'trigger',
    type,
    /** The id of the event that was triggered. */
    event: event.id,
    /** The ids of the objects that were created, in order. */
    made,
    /** Every event that the trigger caused, in order. */
    events: caused.map((one) => ({ id: one.id, type: one.type, object: one.data.object.id })),
  }
}

function requireAccepted(type: EventType, recipe: TriggerRecipe, id: string | undefined): void {
  if (id === undefined || recipe.accepts.some((object) => object === findResourceOfId(id)?.object)) return
  const prefixes = acceptedPrefixes(recipe)
  throw new UsageError(
    'id_unusable',
    `Cannot trigger ${type} with '${id}': the event accepts no object of this type.`,
    {
      param: 'id',
      hint: prefixes.length === 0 ? 'Omit --id.' : `Give an id that begins with ${prefixes.join(', ')}.`,
    },
  )
}

function requireOverridable(type: EventType, recipe: TriggerRecipe, options: TriggerOptions): void {
  const { id, overrides } = options
  const created = id === undefined ? recipe.makes : listCreatedObjectTypes(listStepsForId(id, recipe))
  const unknown = [...overrides.objects].find((object) => !created.includes(object))
  if (unknown === undefined) return
  const withId = id === undefined ? '' : ` with '${id}'`
  throw new UsageError(
    'path_unknown',
    `Cannot change '${unknown}': triggering ${type}${withId} does not create one.`,
    {
      param: 'override',
      hint:
        created.length === 0 ? 'It creates no objects: omit the flag.' : `It creates: ${created.join(', ')}.`,
    },
  )
}

function isCreation({ data }: Event): boolean {
  return data.previous_attributes === undefined
}

// Other clients may cause events at the same time, so select the events that refer to one of the objects.
function selectRelated(events: readonly Event[], objectIds: ReadonlySet<string>): Event[] {
  return events.filter(({ data }) =>
    Object.values(data.object).some((value) => typeof value === 'string' && objectIds.has(value)),
  )
}

function missingEvent(type: EventType, caused: readonly Event[]): ExpectationError {
  const types =
    [...new Set(caused.map((event) => event.type))].slice(-MAX_REPORTED_TYPES).join(', ') || 'no event'
  if (type === 'subscription.unpaid' && types.includes('subscription.canceled')) {
    const clock = caused.find((event) => event.type === 'test_clock.created')?.data.object.id
    return new ExpectationError(
      'assertion',
      `Expected ${type}, but this server cancels a subscription after its last retry.`,
      [
        ...(clock === undefined ? [] : [`Delete the new customer: paycli clock delete ${clock}`]),
        'Stop the server: paycli stop',
        'Start it again: paycli serve --on-exhausted unpaid',
      ].join('\n'),
    )
  }
  const hint = 'The given object may not be in the state that this event requires.'
  return new ExpectationError('assertion', `Expected ${type}, but got ${types}.`, hint)
}
