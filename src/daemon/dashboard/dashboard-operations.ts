import { operations } from '../../api/api.ts'
import type { AnyOperation } from '../../api/core/operation.ts'
import { DomainError } from '../../domain/core/domain-error.ts'

const PREVIEW = 'subscriptions.preview'

/** The changes that a button of a screen sends, and the preview of a change, with the parameters of their bodies. */
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
  [PREVIEW]: ['items.id', 'items.quantity', 'trial_end'],
  'subscriptions.resume': [],
  'subscriptions.update': ['cancel_at_period_end', 'items.id', 'items.quantity', 'trial_end'],
  'test_clocks.advance': ['frozen_time', 'by'],
  'webhook_endpoints.recover': ['since'],
  'webhook_endpoints.update': ['status'],
}

/** Matches the operations on API keys, for which the dashboard has no screen. */
const HIDDEN = /^api_keys\./

/** An operation that the dashboard may call. */
export interface DashboardOperation {
  readonly operation: AnyOperation
  /** The parameters that the body may contain, such as `items.id` for the `id` of each item. */
  readonly params: readonly string[]
  /** Whether the operation changes objects, so that the request log contains its requests. */
  readonly isChange: boolean
}

/**
 * The operations that the dashboard may call: every read operation except operations on API keys, and the changes that
 * a button of a screen sends. No such operation returns a secret.
 */
export const DASHBOARD_OPERATIONS: readonly DashboardOperation[] = operations
  .filter(
    ({ wireName, operation: { kind } }) =>
      wireName in CHANGES || (kind === 'lookup' && !HIDDEN.test(wireName)),
  )
  .map(({ wireName, operation }) => ({
    operation,
    params: CHANGES[wireName] ?? [],
    isChange: operation.kind !== 'lookup' && wireName !== PREVIEW,
  }))

/** Throws if a body has a parameter that no button of the dashboard sends. */
export function rejectExtraParams(body: unknown, { params }: DashboardOperation): void {
  const sent = Object.entries(Object(body)).flatMap(([name, value]) =>
    Array.isArray(value)
      ? value.flatMap((one) => Object.keys(Object(one)).map((inner) => `${name}.${inner}`))
      : name,
  )
  const other = sent.find((name) => !params.includes(name))
  if (other === undefined) return
  throw new DomainError('parameter_unknown', `The dashboard does not send this parameter: '${other}'.`, {
    param: other,
  })
}
