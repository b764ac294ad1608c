import { expireSessionWithDependents, type HostedSession } from '../../domain/completion/hosted-session.ts'
import { type Creation, findLastChanged, type RuleContext } from '../../domain/core/changes.ts'
import type { Unvalidated, ValidationError } from '../../domain/core/domain-error.ts'
import type { ObjectSchema, Schema } from '../../domain/core/schema.ts'
import { type Customer, requireCustomer } from '../../domain/payments/customers.ts'
import { requireNotProcessing } from '../../domain/payments/payment-processing.ts'
import { formatSessionReference, requireOpenSession } from '../../domain/sessions/sessions.ts'
import type { HOSTED_SESSION_COLLECTIONS } from '../../engine/find-session.ts'
import { loadSessionDependents } from '../../engine/load-related.ts'
import { getTimeReference } from '../../engine/time-reference.ts'
import type { CollectionRecordTypes } from '../../store/port/collections.ts'
import type { StoreReader } from '../../store/port/store.ts'
import { createFieldFilters, defineListOperation } from '../core/lists.ts'
import { createChangeDecision, defineWriteOperation } from '../core/operation.ts'
import {
  createTimeReferenceLoader,
  defineRetrieveOperation,
  idParams,
  requireById,
} from '../core/retrieve.ts'
import { getResource } from '../resources/catalog.ts'

type HostedCollection = (typeof HOSTED_SESSION_COLLECTIONS)[number]

/** The options of the operations on one kind of session; `P` is the type of the parameters of a new session. */
interface SessionOptions<P, L, S extends HostedSession, F> {
  readonly params: ObjectSchema<P>
  readonly example: Omit<NoInfer<P>, 'id'>
  readonly validate: (params: Unvalidated<NoInfer<P>>, now: number | null) => readonly ValidationError[]
  /** Loads the records that a new session needs in addition to its customer. */
  readonly load: (reader: StoreReader, params: NoInfer<P>, customer: Customer) => Promise<L>
  readonly create: (
    params: NoInfer<P>,
    owner: { readonly customer: Customer; readonly others: NoInfer<L> },
    context: RuleContext,
  ) => Creation<S>
  /** The filters of the list besides customer and status. */
  readonly filters: F
  readonly createSummary: string
  readonly createDescription: string
  readonly listDescription: string
  readonly retrieveDescription: string
}

/** Defines the operations on one kind of session, except completion. */
export function defineHostedSessionOperations<
  C extends HostedCollection,
  P extends { readonly customer: string },
  L,
  F extends Readonly<Record<string, Schema<string>>>,
>(
  name: C,
  schema: ObjectSchema<CollectionRecordTypes[C]>,
  options: SessionOptions<P, L, CollectionRecordTypes[C], F>,
) {
  const noun = getResource(name).object.replace('_', ' ')
  return {
    create: defineWriteOperation({
      path: `/v1/${name}`,
      summary: options.createSummary,
      description: options.createDescription,
      params: options.params,
      response: schema,
      example: options.example,
      validate: (unvalidated, { now }) => options.validate(unvalidated, now),
      loadTime: createTimeReferenceLoader('customers', 'customer'),
      load: async (reader, given) => {
        const customer = requireCustomer(await reader.get('customers', given.customer), given.customer)
        return { customer, others: await options.load(reader, given, customer) }
      },
      when: ({ customer }) => getTimeReference(customer),
      decide: (owner, given, context) => createChangeDecision(options.create(given, owner, context)),
    }),

    list: defineListOperation(name, schema, {
      description: options.listDescription,
      filters: {
        ...createFieldFilters(schema as ObjectSchema<HostedSession>, {
          customer: 'Only sessions of this customer.',
          status: 'Only sessions with this status.',
        }),
        ...options.filters,
      },
    }),

    retrieve: defineRetrieveOperation(name, schema, { description: options.retrieveDescription }),
    expire: defineExpire(name, schema, `Expires an open ${noun}.`),
  }
}

function defineExpire<C extends HostedCollection>(
  name: C,
  schema: ObjectSchema<CollectionRecordTypes[C]>,
  summary: string,
) {
  return defineWriteOperation({
    path: `/v1/${name}/:id/expire`,
    summary,
    description: `The hosted page then shows that the link has expired. Only an open session can be expired; for any other session the response is \`${getResource(name).object}_unexpected_state\`.`,
    params: idParams,
    response: schema,
    load: async (reader, { id }) => loadSessionDependents(reader, await requireById(reader, name, id)),
    when: ({ session }) => getTimeReference(session),
    decide: (records, _params, context) => {
      const { session, payment } = records
      requireNotProcessing(payment, `expire ${formatSessionReference(session)}`)
      requireOpenSession(session, 'expire', context.now)
      const changes = expireSessionWithDependents(records, 'api', context)
      const result = findLastChanged<CollectionRecordTypes[C]>(changes, session.object)
      return { changes, result: result ?? session }
    },
  })
}
