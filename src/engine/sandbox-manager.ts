import type { KeyMaterial } from '../domain/sandboxes/api-keys.ts'
import type { RESET_TARGETS, Sandbox, SandboxCounts, SandboxStorage } from '../domain/sandboxes/sandboxes.ts'

/** The secrets of a new sandbox, which its first response contains. */
export interface NewSandboxSecrets {
  readonly apiKey: KeyMaterial
  readonly webhookSecret: string
}

/** The contents of a sandbox after a reset: none, or those of the source of the copy, as it was then. */
export type ResetTarget = (typeof RESET_TARGETS)[number]

/** The sandboxes of a server, for the operations on them. Records of sandboxes are stored by the caller. */
export interface SandboxManager {
  /** The storages that sandboxes can use, the usual one first. */
  readonly storages: readonly SandboxStorage[]
  /** The id of the sandbox to which the runtime with this manager belongs, such as `default`. */
  readonly current: string
  /** Returns the default sandbox as a record. */
  readonly defaultSandbox: () => Promise<Sandbox>
  /** Returns the address of the hosted pages of a sandbox. */
  readonly checkoutUrlOf: (id: string) => string
  /**
   * Fills a new sandbox: with a copy of `from`, and with its secrets. Call it before the sandbox is stored. Resolves with its
   * numbers of records. Throws a DomainError for a `from` that does not exist.
   */
  readonly prepare: (sandbox: Sandbox, secrets: NewSandboxSecrets) => Promise<SandboxCounts>
  /**
   * Replaces the contents in one step; API keys and secrets stay. Streams get `sandbox.reset`, deliveries end. Resolves with
   * the new numbers of records.
   */
  readonly reset: (sandbox: Sandbox, to: ResetTarget) => Promise<SandboxCounts>
  /** Ends everything that runs in a sandbox, and deletes its contents. Call it after its record was removed or expired. */
  readonly remove: (sandbox: Sandbox) => Promise<void>
  /** Like `remove`, but does not wait for running requests; errors are logged. */
  readonly removeLater: (sandbox: Sandbox) => void
  /** Call it after a change of the record, whose expiry applies from then on. */
  readonly noteUpdate: (sandbox: Sandbox) => void
  /**
   * Returns the numbers of records of a sandbox; zeros for one that was deleted or has expired meanwhile, and null for one
   * whose files are damaged.
   */
  readonly countsOf: (sandbox: Sandbox) => Promise<SandboxCounts | null>
}
