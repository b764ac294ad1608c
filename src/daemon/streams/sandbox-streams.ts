import { hash } from 'node:crypto'
import type { InternalSandboxSecrets } from '../../domain/sandboxes/sandbox-secrets.ts'
import { DEFAULT_SANDBOX } from '../../domain/sandboxes/sandboxes.ts'
import type { Runtime } from '../../engine/runtime.ts'
import type { Clock } from '../system/clock.ts'
import { createListenerPresence } from './listener-presence.ts'
import { createStreamHub } from './stream-hub.ts'
import { createStreamSources } from './stream-source.ts'

interface SandboxStreamsOptions {
  readonly id: string
  readonly secrets: InternalSandboxSecrets
  readonly webhookSecret: string
  readonly clock: Clock
  readonly monotonicMs: () => number
  readonly onError: (error: unknown) => void
}

/** Creates the streams of a sandbox; no stream is open yet. */
export function createSandboxStreams(
  { store, yieldToEventLoop }: Pick<Runtime, 'store' | 'yieldToEventLoop'>,
  { id, secrets, webhookSecret, clock, monotonicMs, onError }: SandboxStreamsOptions,
) {
  return {
    hub: createStreamHub(clock.unfrozenMs ?? clock.nowMs, onError),
    presence: createListenerPresence(store.coordinator, monotonicMs),
    sources: createStreamSources(store, yieldToEventLoop),
    /** The secret that signs the deliveries of listeners. */
    secret: webhookSecret,
    /** The name of the database and the sandbox. When the name changes, clients start from the beginning. */
    database: databaseNameOf(id, secrets),
  }
}

// Returns a digest, because the salt must not leave the server. A copied sandbox has the salt of its origin. A reset
// changes the name, so that clients that were disconnected during the reset also start from the beginning.
function databaseNameOf(id: string, { fingerprint_salt, reset }: InternalSandboxSecrets): string {
  const text = id === DEFAULT_SANDBOX ? fingerprint_salt : `${fingerprint_salt} ${id} ${reset?.id ?? ''}`
  return hash('sha256', text, 'hex').slice(0, 16)
}
