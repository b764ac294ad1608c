import { createClient } from '../../client/client.ts'
import { systemClock } from '../../daemon/clock.ts'
import { createSender } from '../../webhooks/send.ts'
import { createTargetGuard } from '../../webhooks/ssrf-guard.ts'
import {
  createDeliveryRunner,
  type DeliveryProcessConfig,
  type DeliveryProcessMessage,
} from './delivery-process.ts'

const TLS_HINT = 'Use --skip-verify to accept any certificate.'

/** A service that never responds must not keep this process alive. */
const CALL_TIMEOUT_MS = 5000

// The listener handles signals to end. This process ends after the listener, when its deliveries are finished.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})

// Entry point of the process that src/cli/listen/delivery-process-client.ts starts. The first message is the configuration.
process.once('message', ({ apiBase, apiKey, isUntrustedCertificateAllowed }: DeliveryProcessConfig) => {
  const { nowMs } = systemClock
  // The user of the listener chose the targets, so private addresses are allowed.
  const guard = createTargetGuard({ isPublicOnly: false, allowed: [], ownPorts: [] })
  const sender = createSender({ nowMs, guard, isUntrustedCertificateAllowed, tlsHint: TLS_HINT })
  const runner = createDeliveryRunner({
    client: createClient({ apiBase, apiKey, timeoutMs: CALL_TIMEOUT_MS }),
    send: sender.send,
    // Without a listener the message is lost, and `finish` reports the result to the service.
    onResult: (result) => process.send?.(result, () => {}),
  })
  process.on('message', (message: DeliveryProcessMessage) => void runner.handle(message))
  process.once('disconnect', () => void runner.finish().finally(sender.close))
})
