import type { Change, RuleContext } from '../domain/changes.ts'
import { customerUpdated, isDeleted } from '../domain/customers.ts'
import type { EventType } from '../domain/event-types.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import { type Collection, type Collections, collectionOf } from '../store/port/collections.ts'
import type { Reader } from '../store/port/store.ts'

/** What a reaction may use: `get` sees the changes already decided in the same transaction. */
export interface Surroundings {
  readonly context: RuleContext
  readonly get: <C extends Collection>(collection: C, id: string) => Promise<Collections[C] | null>
}

type Reaction = (after: never, surroundings: Surroundings) => Promise<readonly Change[]>

/** When X, then Y, in the same transaction and right behind X: how news travels up between resources. */
const REACTIONS: Partial<Record<EventType, Reaction>> = {
  'payment_method.attached': makeFirstCardDefault,
}

const MAX_REACTION_DEPTH = 3

/** The changes with all they lead to, each consequence directly behind its cause. */
export async function react(
  changes: readonly Change[],
  { reader, context }: { readonly reader: Reader; readonly context: RuleContext },
): Promise<Change[]> {
  const decided: Change[] = []
  const surroundings: Surroundings = { context, get: overlay(reader, decided) }

  async function add(change: Change, depth: number): Promise<void> {
    decided.push(change)
    const reaction = reactionTo(change)
    if (reaction === undefined) return
    if (depth === MAX_REACTION_DEPTH) throw new Error(`reactions to ${change.event} go deeper than ${depth}`)
    for (const next of await reaction(change.after as never, surroundings)) await add(next, depth + 1)
  }

  for (const change of changes) {
    // Most lead to nothing, and there is nothing to wait for.
    if (reactionTo(change) === undefined) decided.push(change)
    else await add(change, 0)
  }
  return decided
}

function reactionTo({ event, after }: Change): Reaction | undefined {
  return event === null || after === null ? undefined : REACTIONS[event]
}

function overlay(reader: Reader, decided: readonly Change[]): Surroundings['get'] {
  return async (collection, id) => {
    // A private record may share its id with a resource, so the collection counts too.
    const latest = decided.findLast(({ before, after }) => {
      const record = after ?? before
      return record?.id === id && collectionOf(record) === collection
    })
    if (latest !== undefined) return latest.after as Collections[typeof collection] | null
    return reader.get(collection, id)
  }
}

async function makeFirstCardDefault(method: PaymentMethod, { get }: Surroundings): Promise<Change[]> {
  const customer = method.customer === null ? null : await get('customers', method.customer)
  if (customer === null || isDeleted(customer) || customer.default_payment_method !== null) return []
  return customerUpdated(customer, { ...customer, default_payment_method: method.id })
}
