import { createClient } from '../../client/client.ts'
import { systemClock } from '../../daemon/clock.ts'
import { createSender } from '../../webhooks/send.ts'
import { createTargetGuard } from '../../webhooks/ssrf-guard.ts'
import { type Beginning, createCarrying, type Errand } from './delivery-process.ts'

const TLS_HINT = 'With --skip-verify any certificate will do.'

/** A service that hangs must not keep a carrier for ever. */
const CALL_LIMIT_MS = 5000

// Whoever asks listener and carrier to end asks the listener: the carrier ends when it has finished after that.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

// The process that src/cli/listen/delivery-process-client.ts starts: what it is told first is how to begin.
process.once('message', ({ apiBase, apiKey, isAnyCertificateTaken }: Beginning) => {
  const { nowMs } = systemClock
  // What this machine reaches is for whoever listens to say.
  const guard = createTargetGuard({ isPublicOnly: false, allowed: [], ownPorts: [] })
  const sender = createSender({ nowMs, guard, isAnyCertificateTaken, tlsHint: TLS_HINT })
  const carrying = createCarrying({
    client: createClient({ apiBase, apiKey, timeoutMs: CALL_LIMIT_MS }),
    send: sender.send,
    // A listener that is gone hears nothing; the service is then told in its place.
    tell: (carried) => process.send?.(carried, () => {}),
  })
  process.on('message', (errand: Errand) => void carrying.take(errand))
  process.once('disconnect', () => void carrying.finish().finally(sender.close))
})
