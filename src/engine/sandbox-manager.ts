import type { KeyMaterial } from '../domain/sandboxes/api-keys.ts'
import type { RESET_TARGETS, Sandbox, SandboxCounts, SandboxStorage } from '../domain/sandboxes/sandboxes.ts'

/** The secrets of a new sandbox, which its first response contains. */
export interface NewSandboxCredentials {
  readonly apiKey: KeyMaterial
  readonly webhookSecret: string
}

/** The contents of a sandbox after a reset: `origin` for the contents after its creation, `empty` for no records. */
export type ResetTargetState = (typeof RESET_TARGETS)[number]

/** Manages the contents of the sandboxes of a server. The caller stores the records of the sandboxes. */
export interface SandboxManager {
  /** The storages that sandboxes can use, the default storage first. */
  readonly storages: readonly SandboxStorage[]
  /** The id of the sandbox to which the runtime with this manager belongs, such as `default`. */
  readonly current: string
  /** Returns the default sandbox as a record. */
  readonly defaultSandbox: () => Promise<Sandbox>
  /** Returns the address of the hosted pages of a sandbox. */
  readonly checkoutUrlOf: (id: string) => string
  /**
   * Fills a new sandbox with its secrets and, if it has a source `from`, with a copy of the source. Must be called
   * before the sandbox is stored. Resolves with the numbers of objects and events. Throws a DomainError for a `from`
   * that does not exist.
   */
  readonly prepare: (sandbox: Sandbox, secrets: NewSandboxCredentials) => Promise<SandboxCounts>
  /**
   * Replaces the contents of the sandbox in one step; keeps API keys and secrets. Streams receive `sandbox.reset`, and
   * pending deliveries are deleted. Resolves with the new numbers of objects and events.
   */
  readonly reset: (sandbox: Sandbox, to: ResetTargetState) => Promise<SandboxCounts>
  /**
   * Stops all work in a sandbox and deletes its contents. Call this function after the record of the sandbox was
   * removed or expired.
   */
  readonly remove: (sandbox: Sandbox) => Promise<void>
  /** Like `remove`, but does not wait for running requests; errors are logged. */
  readonly removeLater: (sandbox: Sandbox) => void
  /** Applies the expiry of a sandbox after a change of its record. */
  readonly applyExpiry: (sandbox: Sandbox) => void
  /**
   * Returns the numbers of objects and events in a sandbox: zeros after deletion or expiry, null if it cannot be
   * opened.
   */
  readonly countsOf: (sandbox: Sandbox) => Promise<SandboxCounts | null>
}
