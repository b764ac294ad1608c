import { operations } from '../../api/api.ts'
import type { AnyOperation } from '../../api/core/operation.ts'
import { DomainError } from '../../domain/core/domain-error.ts'

/** The changes that a button of a screen sends, with the parameters of their bodies. */
const CHANGES: Readonly<Record<string, readonly string[]>> = {
  'disputes.close': [],
  'disputes.update': ['evidence'],
  'events.resend': ['webhook_endpoint'],
  'invoices.pay': [],
  'invoices.void': [],
  'payments.cancel': [],
  'payments.capture': ['amount'],
  'payments.dispute': ['reason', 'amount'],
  'refunds.create': ['payment', 'amount'],
  'subscriptions.cancel': [],
  'subscriptions.resume': [],
  'test_clocks.advance': ['frozen_time', 'by'],
  'webhook_endpoints.update': ['status'],
}

/** The dashboard has no screen for API keys. */
const HIDDEN = /^api_keys\./

/** An operation that the dashboard may call. */
export interface DashboardOperation {
  readonly operation: AnyOperation
  /** The parameters that its body may have. */
  readonly params: readonly string[]
}

/**
 * The operations that the dashboard may call: every read operation except those on API keys, and the changes that a
 * button of a screen sends. No such operation returns a secret.
 */
export const DASHBOARD_OPERATIONS: readonly DashboardOperation[] = operations
  .filter(
    ({ wireName, operation: { kind } }) =>
      wireName in CHANGES || (kind === 'lookup' && !HIDDEN.test(wireName)),
  )
  .map(({ wireName, operation }) => ({ operation, params: CHANGES[wireName] ?? [] }))

/** Throws if a body has a parameter that no button of the dashboard sends. */
export function requireButtonParams(body: unknown, { params }: DashboardOperation): void {
  const other = Object.keys(Object(body)).find((name) => !params.includes(name))
  if (other === undefined) return
  throw new DomainError('parameter_unknown', `The dashboard does not send this parameter: '${other}'.`, {
    param: other,
  })
}
