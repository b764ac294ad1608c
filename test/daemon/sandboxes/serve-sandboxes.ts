import { digestApiKey } from '../../../src/api/core/auth.ts'
import { openDaemonSandboxes } from '../../../src/daemon/daemon-sandboxes.ts'
import { createApiApp } from '../../../src/daemon/http/api-app.ts'
import { listAllowedHosts } from '../../../src/daemon/http/host-guard.ts'
import { openHttpListener } from '../../../src/daemon/http/http-listener.ts'
import { createPagesApp } from '../../../src/daemon/http/pages-app.ts'
import { createStreamRoutes } from '../../../src/daemon/http/stream-routes.ts'
import type { SandboxRegistry } from '../../../src/daemon/sandboxes/sandbox-registry.ts'
import type { LimitOptions } from '../../../src/daemon/sandboxes/server-limits.ts'
import { createIdGenerators, type IdGenerators } from '../../../src/daemon/system/ids.ts'
import { waitForNextTurn } from '../../../src/daemon/system/task-scheduling.ts'
import { addSandboxIdToKey } from '../../../src/domain/sandboxes/api-keys.ts'
import type { Sandbox } from '../../../src/domain/sandboxes/sandboxes.ts'
import { registerApiKey } from '../../../src/engine/sandbox-credentials.ts'
import type { SandboxManager } from '../../../src/engine/sandbox-manager.ts'
import { openDatabase } from '../../../src/store/open-database.ts'
import type { Database } from '../../../src/store/port/database.ts'
import { createTargetGuard } from '../../../src/webhooks/ssrf-guard.ts'
import { createTestClock, type TestClock } from '../../support/daemon.ts'
import { newFolder } from '../../support/folders.ts'
import { type HttpResponse, postJson, sendRequest } from '../../support/raw-http.ts'
import { newDatabase } from '../../support/test-store.ts'
import { KEY } from '../http/serve-sandbox.ts'

const HOST = '127.0.0.1'

/** A sandbox with its first API key. */
export interface CreatedSandbox {
  readonly sandbox: Sandbox
  readonly key: string
}

/** A server with sandboxes, whose background jobs run only when the test starts them. */
export interface ServedSandboxes {
  readonly database: Database
  readonly registry: SandboxRegistry
  readonly manager: SandboxManager
  readonly clock: TestClock
  readonly apiUrl: string
  readonly pagesUrl: string
  /** Creates a sandbox, as POST /v1/sandboxes does. */
  readonly create: (fields?: Partial<Sandbox>) => Promise<CreatedSandbox>
  readonly post: (key: string, path: string, fields: object) => Promise<HttpResponse>
  readonly get: (key: string, path: string) => Promise<HttpResponse>
  readonly close: () => Promise<void>
}

interface ServeSandboxesOptions {
  readonly db?: string | null
  readonly newIds?: (variant: string) => IdGenerators
  /** Whether the API behaves as if other machines could reach it (default: false). */
  readonly isExposed?: boolean
  readonly limits?: LimitOptions
  /** Measures the slices of the jobs (default: the time of the machine). */
  readonly monotonicMs?: () => number
}

/** Serves the sandboxes of a database, by default an empty database of this run; the caller closes it. */
export async function serveSandboxes(options: ServeSandboxesOptions = {}): Promise<ServedSandboxes> {
  const clock = createTestClock()
  const log = () => {}
  const systemIds = createIdGenerators()
  const { newIds = () => systemIds, db = await newDatabase(), isExposed = false } = options
  const { monotonicMs = () => performance.now() } = options
  const home = newFolder()
  const database = await openDatabase({
    ...{ file: db, newSuffix: systemIds.newToken, holder: { pid: process.pid, url: '' } },
    ...{ onNote: log, scheduling: { yieldToEventLoop: waitForNextTurn, monotonicMs } },
  })
  const api = await openHttpListener({ host: HOST, port: 0, flag: '--port' })
  const pages = await openHttpListener({ host: HOST, port: 0, flag: '--checkout-port' })
  const pagesUrl = `http://${HOST}:${pages.port}`
  const guard = createTargetGuard({ isPublicOnly: false, allowed: [], ownPorts: [], ownHost: HOST })
  const registry = await openDaemonSandboxes(
    {
      ...{
        home,
        db,
        ids: systemIds,
        newIds,
        log,
        port: 0,
        checkoutPort: 0,
        forwardTo: [],
        retries: 'default',
      },
      ...(options.limits && { limits: options.limits }),
      ...{ pid: process.pid, isServiceRunning: async () => false },
    },
    {
      ...{ database, clock, guard, monotonicMs, isLocal: false, isExposed },
      checkoutUrl: pagesUrl,
      credentials: { api_key: KEY, webhook_secret: 'whsec_test' },
    },
  )
  const { runtime, pages: hosted } = registry.default
  await registerApiKey(runtime, { secret: KEY, digest: digestApiKey(KEY) })
  const apiUrl = `http://${HOST}:${api.port}`
  const shared = { sandboxes: registry, clock, log, pid: 1, isProxyTrusted: false, isLenient: false }
  const limits = { limit: null, unauthenticatedLimit: null, referenceLimit: null, serverSecret: 'secret' }
  const { yieldToEventLoop } = runtime
  const routes = createStreamRoutes({
    ...{ nowMs: clock.nowMs, requireTarget: () => {}, yieldToEventLoop, onError: hosted.onError },
  })
  api.serve(createApiApp({ ...shared, ...limits, apiUrl, hosts: listAllowedHosts(api.port, []), routes }))
  pages.serve(createPagesApp({ ...shared, limit: null, hosts: listAllowedHosts(pages.port, []), apiUrl }))
  const { sandboxes: manager } = runtime
  if (manager === undefined) throw new Error('the default sandbox has no manager')

  async function create(fields: Partial<Sandbox> = {}): Promise<CreatedSandbox> {
    const sandbox = newSandbox(systemIds.newId('sbx_'), { created: clock.now(), ...fields })
    const key = addSandboxIdToKey(systemIds.newApiKey(), sandbox.id)
    const apiKey = { secret: key, digest: digestApiKey(key) }
    await manager?.prepare(sandbox, { apiKey, webhookSecret: systemIds.newWebhookSecret() })
    await put(sandbox)
    return { sandbox, key }
  }

  async function put(sandbox: Sandbox): Promise<void> {
    await runtime.store.transact(async () => ({ result: null, writes: [{ put: sandbox }], events: [] }))
  }

  return {
    ...{ database, registry, manager, clock, apiUrl, pagesUrl, create },
    post: (key, path, fields) => postJson(`${apiUrl}${path}`, key, fields),
    get: (key, path) => sendRequest(`${apiUrl}${path}`, { headers: { Authorization: `Bearer ${key}` } }),
    async close() {
      for (const { streams } of registry.allOpen()) streams.hub.close()
      await Promise.all([api.close(1000), pages.close(1000)])
      await registry.close()
      await database.close()
    },
  }
}

function newSandbox(id: string, fields: Partial<Sandbox>): Sandbox {
  return {
    ...{ id, object: 'sandbox', created: 0, livemode: false, name: null, status: 'active' },
    ...{ storage: 'memory', from: null, expires_at: null, reset_at: null },
    ...fields,
  }
}

export { KEY }
