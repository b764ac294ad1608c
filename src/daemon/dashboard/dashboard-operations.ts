import { operations } from '../../api/api.ts'
import type { AnyOperation } from '../../api/core/operation.ts'

/** The changes that the screens have a button for. */
const CHANGES = ['test_clocks.advance', 'events.resend']

/** The dashboard has no screen for API keys. */
const HIDDEN = /^api_keys\./

/**
 * The operations that the dashboard may call: every one that only reads, except those on API keys, and the changes that its
 * screens have a button for. None of them returns a secret.
 */
export const DASHBOARD_OPERATIONS: readonly AnyOperation[] = operations
  .filter(
    ({ wireName, operation: { kind } }) =>
      CHANGES.includes(wireName) || (kind === 'lookup' && !HIDDEN.test(wireName)),
  )
  .map(({ operation }) => operation)
