import type { Client } from '../client/client.ts'
import { EVENT_TYPES, type EventType } from '../domain/event-types.ts'
import type { Event } from '../domain/events.ts'
import { selectEvents } from './event-selection.ts'
import { eventsAfter, newestSequence } from './newest-event.ts'
import type { Edits } from './trigger-overrides.ts'
import { RECIPES, type Recipe } from './trigger-recipes.ts'
import { prefixOf, Scene } from './trigger-scene.ts'
import { Unmet } from './unmet.ts'
import { UsageError } from './usage-error.ts'

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
  return {
    object: 'trigger',
    type,
    event: event.id,
    made: [...new Set(happened.filter(isBirth).map(({ data }) => data.object.id))],
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
  const unknown = [...edits.objects].find((object) => !makes.includes(object))
  if (unknown === undefined) return
  throw new UsageError('path_unknown', `${type} makes no '${unknown}' whose parameters could be changed.`, {
    param: 'override',
    hint: `It makes: ${makes.join(', ')}.`,
  })
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
