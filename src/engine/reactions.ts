import type { Change, RuleContext } from '../domain/changes.ts'
import { isDeletedCustomer, replaceCustomer } from '../domain/customers.ts'
import type { EventType } from '../domain/event-types.ts'
import type { PaymentMethod } from '../domain/payment-methods.ts'
import { type Collection, type Collections, collectionOf } from '../store/port/collections.ts'
import type { StoreReader } from '../store/port/store.ts'

/** The dependencies of a reaction. `get` sees the changes already decided in the same transaction. */
export interface ReactionContext {
  readonly context: RuleContext
  readonly get: <C extends Collection>(collection: C, id: string) => Promise<Collections[C] | null>
}

type Reaction = (after: never, reactionContext: ReactionContext) => Promise<readonly Change[]>

/** Changes that follow from an event of another resource, in the same transaction, by event type. */
const REACTIONS: Partial<Record<EventType, Reaction>> = {
  'payment_method.attached': makeFirstCardDefault,
}

const MAX_REACTION_DEPTH = 3

/** Returns the changes with their reactions, each directly after the change that caused it. */
export async function applyReactions(
  changes: readonly Change[],
  { reader, context }: { readonly reader: StoreReader; readonly context: RuleContext },
): Promise<Change[]> {
  const decided: Change[] = []
  const reactionContext: ReactionContext = { context, get: readThrough(reader, decided) }

  async function add(change: Change, depth: number): Promise<void> {
    decided.push(change)
    const reaction = findReaction(change)
    if (reaction === undefined) return
    if (depth === MAX_REACTION_DEPTH) throw new Error(`reactions to ${change.event} go deeper than ${depth}`)
    for (const next of await reaction(change.after as never, reactionContext)) await add(next, depth + 1)
  }

  for (const change of changes) {
    // Most changes have no reaction. Skip the await for them.
    if (findReaction(change) === undefined) decided.push(change)
    else await add(change, 0)
  }
  return decided
}

function findReaction({ event, after }: Change): Reaction | undefined {
  return event === null || after === null ? undefined : REACTIONS[event]
}

function readThrough(reader: StoreReader, decided: readonly Change[]): ReactionContext['get'] {
  return async (collection, id) => {
    // A private record may share its id with a resource, so compare the collection too.
    const latest = decided.findLast(({ before, after }) => {
      const record = after ?? before
      return record?.id === id && collectionOf(record) === collection
    })
    if (latest !== undefined) return latest.after as Collections[typeof collection] | null
    return reader.get(collection, id)
  }
}

async function makeFirstCardDefault(method: PaymentMethod, { get }: ReactionContext): Promise<Change[]> {
  const customer = method.customer === null ? null : await get('customers', method.customer)
  if (customer === null || isDeletedCustomer(customer) || customer.default_payment_method !== null) return []
  return replaceCustomer(customer, { ...customer, default_payment_method: method.id })
}
