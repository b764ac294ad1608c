import type { IdPrefix, IssuerFaults, RuleContext } from '../domain/core/changes.ts'
import type { DunningPolicy } from '../domain/core/dunning.ts'
import type { ApiKey } from '../domain/sandboxes/api-keys.ts'
import type { SandboxQuotas } from '../domain/sandboxes/sandbox-quotas.ts'
import type { Store } from '../store/port/store.ts'
import type { RunWhenAdmitted } from './admission.ts'
import type { FaultRuleCache } from './fault-rule-cache.ts'
import type { SandboxManager } from './sandbox-manager.ts'

/** The dependencies of the engine that the process provides. */
export interface Runtime {
  readonly store: Store
  /** Throws when the sandbox or the server is full (default: never throws). */
  readonly requireRoom?: () => void
  /** The limits of the contents of the sandbox; undefined without quotas. */
  readonly quotas?: SandboxQuotas
  /** Returns real time in Unix seconds. */
  readonly wallNow: () => number
  readonly newId: (prefix: IdPrefix) => string
  readonly fingerprint: (cardNumber: string) => string
  readonly newWebhookSecret: () => string
  readonly newApiKey: (kind: ApiKey['kind']) => string
  /** Returns the idempotency key as events show it. */
  readonly publicIdempotencyKey: (idempotencyKey: string) => string
  /** Throws when webhooks may not be sent to a URL; does not resolve its host name. */
  readonly requireAllowedUrl: (url: string) => void
  readonly checkoutUrl: string
  /** Whether other machines can reach the API (default: false). */
  readonly isExposed?: boolean
  /** The manager of the server's sandboxes; undefined if the server has only one sandbox. */
  readonly sandboxes?: SandboxManager
  /** The runtime of the default sandbox, whose store has the records of all sandboxes; undefined in that runtime itself. */
  readonly registry?: Runtime
  readonly dunning: DunningPolicy
  readonly faults: FaultRuleCache
  /** Maximum number of stored responses for idempotency keys (default: `MAX_STORED_RESPONSES`). */
  readonly maxStoredResponses?: number
  /** Called between the transactions of a background job; resolves when the next transaction may start. */
  readonly yieldToEventLoop: () => Promise<void>
  /** Runs expensive work of the sandbox when its queue admits it (default: immediately). */
  readonly admit?: RunWhenAdmitted
}

/** Returns the context of domain rules at the time of an object, in Unix seconds (default: real time). */
export function createRuleContextAt(
  runtime: Runtime,
  now: number = runtime.wallNow(),
  issuerFaults: IssuerFaults | null = null,
): RuleContext {
  const { newId, fingerprint, checkoutUrl, dunning } = runtime
  const context = { now, wallNow: runtime.wallNow(), newId, fingerprint, checkoutUrl, dunning }
  return issuerFaults === null ? context : { ...context, issuerFaults }
}
