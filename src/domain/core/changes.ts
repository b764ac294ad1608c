import type { IssuerDecision, SlowDecision } from '../cards/test-cards.ts'
import type { DomainError } from './domain-error.ts'
import type { DunningPolicy } from './dunning.ts'
import type { EventType } from './event-types.ts'

/**
 * A stored object. `object` is the type of the object, which determines its collection. Internal records are not shown
 * by the API.
 */
export interface StoredObject {
  readonly id: string
  readonly object: string
}

/** A change to one object. `event` is null for records without events: endpoints, deliveries and internal records. */
export interface Change<T extends StoredObject = StoredObject> {
  readonly event: EventType | null
  readonly before: T | null
  readonly after: T | null
  /** The time of the event in Unix seconds, if its object is not on the clock of the transaction. */
  readonly created?: number
}

/**
 * The result or error of a rule with its changes. An error may have changes: a declined card stores its failed payment.
 */
export type Decision<R> =
  | { readonly changes: readonly Change[]; readonly result: R }
  | { readonly changes: readonly Change[]; readonly error: DomainError }

/** The faults on payments, which replace decisions of the issuer. Each call counts a match of the charge. */
export interface IssuerFaults {
  /** Returns the decision of the fault that applies to a charge of a customer, or null. */
  readonly decide: (customer: string) => IssuerDecision | null
  /**
   * Like `decide`, for a charge that can wait for its issuer. Faults of the type `processing` match only such charges.
   */
  readonly decideOrDelay: (customer: string) => IssuerDecision | SlowDecision | null
}

/** The dependencies of a rule; both times in Unix seconds. */
export interface RuleContext {
  /** Current time of the object: of its test clock, or real time. */
  readonly now: number
  /** Current wall clock time, for objects without a test clock: deliveries, keys, logs. */
  readonly wallNow: number
  readonly newId: (prefix: IdPrefix) => string
  readonly fingerprint: (cardNumber: string) => string
  readonly checkoutUrl: string
  readonly dunning: DunningPolicy
  /** The faults on payments, if any. A rule whose changes are dropped must run without faults. */
  readonly issuerFaults?: IssuerFaults
}

/** The prefix of the ids of one resource, such as `cus_`. */
export type IdPrefix = `${string}_`

/** The prefix of the ids of portal requests, which are not logged because their paths are secret links. */
export const PORTAL_REQUEST_ID_PREFIX = 'req_page_'

export interface Creation<T extends StoredObject> extends Change<T> {
  readonly before: null
  readonly after: T
}

export interface ObjectUpdate<T extends StoredObject> extends Change<T> {
  readonly before: T
  readonly after: T
}

/** Returns the change that creates an object. */
export function toCreation<T extends StoredObject>(event: EventType | null, after: T): Creation<T> {
  return { event, before: null, after }
}

/** Returns the change to an existing object. The event's `previous_attributes` are computed from `before` and `after`. */
export function toUpdate<T extends StoredObject>(
  event: EventType | null,
  before: T,
  after: T,
): ObjectUpdate<T> {
  return { event, before, after }
}

/** Returns the change to an existing object, or an empty list if no field differs. */
export function listUpdates<T extends StoredObject>(
  event: EventType,
  before: T,
  after: T,
): ObjectUpdate<T>[] {
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [toUpdate(event, before, after)]
}

/** The object that replaces a deleted object, which can then still be retrieved by its id. */
export interface DeletedObject<O extends string> extends StoredObject {
  readonly object: O
  readonly deleted: true
}

/** A change that replaces an object with its deleted object. */
export interface Deletion<T extends StoredObject> extends Change<StoredObject> {
  readonly after: DeletedObject<T['object']>
}

type DeletableName<T> = T extends `${infer Name}.deleted` ? Name : never

/** Returns the change that replaces an object with its deleted object, with the event of the deletion. */
export function toDeletion<T extends StoredObject & { readonly object: DeletableName<EventType> }>(
  before: T,
): Deletion<T> {
  return { event: `${before.object}.deleted`, before, after: toDeletedObject(before) }
}

/** Returns the deleted object of an object. */
export function toDeletedObject<T extends StoredObject>({ id, object }: T): DeletedObject<T['object']> {
  return { id, object, deleted: true }
}

/** Returns whether an object is deleted. */
export function isDeleted<T extends StoredObject>(object: T): object is Extract<T, DeletedObject<string>> {
  return 'deleted' in object
}

/** Returns the change that deletes a record without an event. */
export function toRemoval<T extends StoredObject>(before: T): Change<T> {
  return { event: null, before, after: null }
}

/** Returns the last state of an object of a type after the changes, or null if no change contains such an object. */
export function findLastChanged<T extends StoredObject>(
  changes: readonly Change[],
  object: T['object'],
): T | null {
  return (changes.findLast(({ after }) => after?.object === object)?.after as T | undefined) ?? null
}
