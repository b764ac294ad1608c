import type { Client } from '../../client/client.ts'
import { EVENT_TYPES, type EventType } from '../../domain/event-types.ts'
import type { Event } from '../../domain/events.ts'
import { Unmet } from '../errors/expectation-error.ts'
import { UsageError } from '../errors/usage-error.ts'
import { selectEvents } from '../request/event-selection.ts'
import { eventsAfter, newestSequence } from '../request/newest-event.ts'
import type { Edits } from './trigger-overrides.ts'
import { RECIPES, type Recipe } from './trigger-recipes.ts'
import { prefixOf, Scene } from './trigger-scene.ts'

/** What is not made any more, with all before it, when an id that begins so is given; with any other id nothing is. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['clock_', 'test_clock'],
  ['cus_', 'customer'],
  ['cks_', 'checkout_session'],
  ['py_sess_', 'payment_session'],
  ['py_', 'payment_session'],
])

/** What a trigger did. */
export interface Triggered {
  readonly object: 'trigger'
  readonly type: EventType
  /** The event. */
  readonly event: string
  /** The objects that were made on the way, in order. */
  readonly made: readonly string[]
  /** All that happened, in order. */
  readonly events: readonly { readonly id: string; readonly type: EventType; readonly object: string }[]
}

/** Every trigger with what it does, what may be given and whose parameters can be changed. */
export function listTriggers() {
  return EVENT_TYPES.map((type) => {
    const { how, from, makes } = RECIPES[type]
    return { type, how, id: from, makes }
  })
}

/** Causes an event by doing what causes it, and resolves with what was made and what happened. */
export async function trigger(
  client: Client,
  name: string,
  given: { readonly id: string | undefined; readonly edits: Edits },
): Promise<Triggered> {
  const [type, ...more] = selectEvents([name], 'event')
  if (type === undefined || more.length > 0) {
    throw new UsageError('event_type_unknown', `'${name}' is not one event but ${more.length + 1}.`, {
      param: 'event',
    })
  }
  const recipe = RECIPES[type]
  checkGiven(type, recipe, given)
  const before = await newestSequence(client)
  const scene = new Scene(client, { given: given.id, edits: given.edits })
  await recipe.run(scene)
  const happened = related(await eventsAfter(client, before), scene.subjects)
  const event = happened.findLast((one) => one.type === type)
  if (event === undefined) throw notCaused(type, happened)
  const made = [...new Set(happened.filter(isBirth).map(({ data }) => data.object.id))]
  requireUse(type, given.edits, made)
  return {
    object: 'trigger',
    type,
    event: event.id,
    made,
    events: happened.map((one) => ({ id: one.id, type: one.type, object: one.data.object.id })),
  }
}

function checkGiven(
  type: EventType,
  { from, makes }: Recipe,
  { id, edits }: { readonly id: string | undefined; readonly edits: Edits },
): void {
  if (id !== undefined && !from.includes(prefixOf(id))) {
    throw new UsageError('id_unusable', `${type} cannot be caused with '${id}'.`, {
      param: 'id',
      hint: from.length === 0 ? 'Leave --id out.' : `Give an id that begins with ${from.join(', ')}.`,
    })
  }
  const made = id === undefined ? makes : madeAfter(id, makes)
  const unknown = [...edits.objects].find((object) => !made.includes(object))
  if (unknown === undefined) return
  const given = id === undefined ? '' : ` with '${id}'`
  throw new UsageError(
    'path_unknown',
    `${type}${given} makes no '${unknown}' whose parameters could be changed.`,
    {
      param: 'override',
      hint: made.length === 0 ? 'It makes nothing: leave that out.' : `It makes: ${made.join(', ')}.`,
    },
  )
}

// What stands in no list of things to make, such as a subscription, comes of all of them.
function madeAfter(id: string, makes: readonly string[]): readonly string[] {
  const at = makes.indexOf(KINDS.get(prefixOf(id)) ?? '')
  return at === -1 ? [] : makes.slice(at + 1)
}

// A test clock is only made for what needs one, which shows when it is done: then nobody should look for what there is.
function requireUse(type: EventType, edits: Edits, made: readonly string[]): void {
  const [unused] = edits.unused()
  if (unused === undefined) return
  throw new UsageError(
    'path_unused',
    `${type} happened, but it made no '${unused}' whose parameters could be changed. It made: ${made.join(', ')}.`,
    { param: 'override', hint: `Leave out what begins with ${unused}.` },
  )
}

function isBirth({ data }: Event): boolean {
  return data.previous_attributes === undefined
}

// Others may be at work too: what belongs to the scene is, or names, one of its objects.
function related(events: readonly Event[], subjects: ReadonlySet<string>): Event[] {
  return events.filter(({ data }) =>
    Object.values(data.object).some((value) => typeof value === 'string' && subjects.has(value)),
  )
}

function notCaused(type: EventType, happened: readonly Event[]): Unmet {
  const types = happened.map((event) => event.type).join(', ') || 'nothing'
  const hint =
    type === 'subscription.unpaid'
      ? 'It needs a service whose subscriptions wait unpaid: paycli serve --on-exhausted unpaid'
      : 'What was given may not be in the state this event begins in.'
  return new Unmet('assertion', `${type} did not happen, but ${types}.`, hint)
}
