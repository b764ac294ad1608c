import { MemoryMonitor } from '../../../src/daemon/sandboxes/memory-monitor.ts'
import { type OpenSandbox, openSandbox } from '../../../src/daemon/sandboxes/open-sandbox.ts'
import { createServerLimits } from '../../../src/daemon/sandboxes/server-limits.ts'
import { createIdGenerators } from '../../../src/daemon/system/ids.ts'
import type { Log } from '../../../src/daemon/system/log.ts'
import { DEFAULT_SANDBOX } from '../../../src/domain/sandboxes/sandboxes.ts'
import { createWorkAdmission } from '../../../src/engine/admission.ts'
import { createTargetGuard } from '../../../src/webhooks/ssrf-guard.ts'
import type { Sandbox } from '../../support/sandbox.ts'

/** Opens the default sandbox of a daemon on the store and runtime of a test, without background jobs. */
export async function openTestSandbox(sandbox: Sandbox, log: Log = () => {}): Promise<OpenSandbox> {
  const { runtime, store, now } = sandbox
  const { checkoutUrl, dunning, yieldToEventLoop } = runtime
  const opened = await openSandbox(
    {
      clock: { nowMs: () => now() * 1000 },
      guard: createTargetGuard({ isPublicOnly: false, allowed: [], ownPorts: [], ownHost: '127.0.0.1' }),
      ...{ log, dunning, yieldToEventLoop, retries: 'default', brand: { name: null } },
      ...{
        isLocal: false,
        isExposed: false,
        openBodies: null,
        monotonicMs: () => 0,
        limits: createServerLimits(),
      },
      admissionOf: createWorkAdmission(),
      memory: new MemoryMonitor({ ...createServerLimits(), countBytes: () => ({ total: 0, loaded: 0 }) }),
    },
    {
      ...{ id: DEFAULT_SANDBOX, store, ids: createIdGenerators(), webhookSecret: 'whsec_test', checkoutUrl },
      secrets: {
        id: 'sandbox',
        object: 'sandbox_secrets',
        fingerprint_salt: 'salt',
        form_key: 'form key',
      },
    },
  )
  return { ...opened, runtime, pages: { ...opened.pages, runtime } }
}
