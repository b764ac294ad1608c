import { toDeletedObject, toRemoval } from '../../domain/core/changes.ts'
import * as p from '../../domain/core/params.ts'
import { releaseDelivery } from '../../domain/events/webhook-deliveries.ts'
import { listFaultPatternErrors } from '../../domain/faults/fault-patterns.ts'
import {
  allFaultsDeletionSchema,
  createFault,
  deletedFaultSchema,
  faultParams,
  faultSchema,
  listFaultErrors,
  MAX_FAULTS,
  requireFaultCapacity,
} from '../../domain/faults/faults.ts'
import { rejectSecretKeyWhenExposed } from '../../domain/sandboxes/api-keys.ts'
import { loadFaults } from '../../engine/fault-rule-cache.ts'
import { loadHeldDeliveries } from '../../engine/load-related.ts'
import { REAL_TIME } from '../../engine/time-reference.ts'
import { defineListOperation } from '../core/lists.ts'
import { createChangeDecision, defineWriteOperation } from '../core/operation.ts'
import { defineRetrieveOperation, idParams, requireById } from '../core/retrieve.ts'
import { FAULTABLE_OPERATIONS } from '../resources/faultable-operations.ts'

const PATH = '/v1/test_helpers/faults'

/** Operations on faults, which the server simulates on requests, deliveries and payments. */
export const faults = {
  create: defineWriteOperation({
    path: PATH,
    summary: 'Adds a fault that the server simulates.',
    description:
      'The fault applies to each match until it is deleted, unless `skip`, `times`, `probability` or `expires_at` limit it. Request logs and delivery attempts name the fault that applied to them. Where other machines can reach the server, only restricted keys with the scope `faults:write` can add faults.',
    params: faultParams,
    response: faultSchema,
    example: { type: 'duplicate', match: { event_type: 'payment.*' }, times: 2 },
    validate: (params, { wallNow }) => [
      ...listFaultErrors(params, wallNow),
      ...listFaultPatternErrors(params, FAULTABLE_OPERATIONS),
    ],
    load: async (reader, { match: { webhook_endpoint, customer } = {} }, { isSecretKey, isExposed }) => {
      rejectSecretKeyWhenExposed(isSecretKey, isExposed)
      if (webhook_endpoint !== undefined)
        await requireById(reader, 'webhook_endpoints', webhook_endpoint, 'match[webhook_endpoint]')
      if (customer !== undefined) await requireById(reader, 'customers', customer, 'match[customer]')
      return (await reader.list('faults', { limit: MAX_FAULTS })).data.length
    },
    when: () => REAL_TIME,
    decide: (existing, params, context) => {
      requireFaultCapacity(existing)
      return createChangeDecision(createFault(params, context))
    },
  }),

  list: defineListOperation('faults', faultSchema, {
    description:
      'Returns all faults that are not deleted, with the numbers of their matches. A fault that has expired or reached `times` stays listed and no longer applies.',
    filters: {},
  }),

  retrieve: defineRetrieveOperation('faults', faultSchema, {
    description: '`matched` counts the matches of the fault, and `applied` counts how often it was applied.',
  }),

  delete: defineWriteOperation({
    method: 'DELETE',
    path: `${PATH}/:id`,
    summary: 'Deletes a fault.',
    description: 'Deliveries that the fault delays or holds are sent now.',
    params: idParams,
    response: deletedFaultSchema,
    load: async (reader, { id }, { wallNow }) => ({
      fault: await requireById(reader, 'faults', id),
      held: await loadHeldDeliveries(reader, [id], wallNow),
    }),
    when: () => REAL_TIME,
    decide: ({ fault, held }) => ({
      changes: [toRemoval(fault), ...held.map(releaseDelivery)],
      result: toDeletedObject(fault),
    }),
  }),

  clear: defineWriteOperation({
    method: 'DELETE',
    path: PATH,
    summary: 'Deletes all faults.',
    description: 'Deliveries that a fault delays or holds are sent now.',
    params: p.shape({}),
    response: allFaultsDeletionSchema,
    load: async (reader, _params, { wallNow }) => {
      const all = await loadFaults(reader)
      const ids = all.map(({ id }) => id)
      return { all, held: await loadHeldDeliveries(reader, ids, wallNow) }
    },
    when: () => REAL_TIME,
    decide: ({ all, held }) => ({
      changes: [...all.map(toRemoval), ...held.map(releaseDelivery)],
      result: { object: 'fault_deletion', deleted: all.length, released: held.length } as const,
    }),
  }),
}
