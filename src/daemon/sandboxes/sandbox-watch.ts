import { type SandboxSecrets, SECRETS_ID } from '../../domain/sandboxes/sandbox-secrets.ts'
import type { Store } from '../../store/port/store.ts'
import { createSerialRunner } from '../system/ticker.ts'

/** The callbacks of a watch of a sandbox. */
export interface WatchOptions {
  /** The id of the last reset that this process knows; undefined before the first. */
  readonly reset: string | undefined
  /** Returns whether streams of the sandbox are open. */
  readonly hasReaders: () => boolean
  /** Called after each other change by another process. */
  readonly onChange: () => void
  /** Called once when another process has reset or deleted the sandbox, with the new secrets or null. */
  readonly onEnd: (secrets: SandboxSecrets | null) => void
  readonly onError: (error: unknown) => void
}

/**
 * Watches an open sandbox for changes by other processes. A reset changes the secrets in the sandbox's own store.
 * Reading them prevents events of the new contents from reaching streams of the old ones. Without a stream, they are
 * not read after commits without a deadline.
 */
export function watchSandbox(
  store: Pick<Store, 'get' | 'coordinator'>,
  { reset, hasReaders, onChange, onEnd, onError }: WatchOptions,
): void {
  let isEnded = false
  // Changes during a check share the next one.
  const checks = createSerialRunner(async () => {
    const secrets = await store.get('sandbox_secrets', SECRETS_ID)
    if (isEnded) return
    isEnded = secrets === null || secrets.reset?.id !== reset
    if (isEnded) onEnd(secrets)
    else onChange()
  })
  store.coordinator?.onChange((mayBeDue) => {
    if (mayBeDue || hasReaders()) checks.run().catch(onError)
    else if (!isEnded) onChange()
  })
}
