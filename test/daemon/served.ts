import { createApiApp } from '../../src/daemon/api-app.ts'
import { logBug } from '../../src/daemon/error-handler.ts'
import { allowedHosts } from '../../src/daemon/host-guard.ts'
import { createIds } from '../../src/daemon/ids.ts'
import { type Address, listen } from '../../src/daemon/listen.ts'
import { createLog } from '../../src/daemon/log.ts'
import { createPagesApp } from '../../src/daemon/pages-app.ts'
import type { RateLimit } from '../../src/daemon/rate-limit.ts'
import { admitKey } from '../../src/daemon/sandbox.ts'
import { createKeyUses } from '../../src/engine/key-uses.ts'
import { openRequestLogs } from '../../src/engine/request-logs.ts'
import type { Store } from '../../src/store/port/store.ts'
import '../support/contract-watch.ts'
import { createSandbox, type Sandbox } from '../support/sandbox.ts'

export const KEY = 'paysk_test_Served0000000000000000000000000000'
const HOST = '127.0.0.1'
const LIMIT_MS = 1000

/** Both apps over HTTP without the rest of a daemon, so that only requests do what is due. */
export interface Served {
  readonly apiUrl: string
  readonly pagesUrl: string
  readonly sandbox: Sandbox
  /** What was logged, one JSON line each. */
  readonly lines: string[]
  /** How often a change was told. */
  readonly changes: () => number
  /** Puts members in place of the store's own, or the own ones back. */
  readonly breakStore: (broken: Partial<Store>) => void
  /** Keeps what is kept some time after it happened. */
  readonly flush: () => Promise<void>
  readonly close: () => Promise<void>
}

/** How it is served, where that is not as usual. */
export interface Rules {
  /** What to serve; an empty sandbox in memory unless given. */
  readonly sandbox?: Sandbox
  readonly limit?: RateLimit
  readonly unauthenticatedLimit?: RateLimit
  readonly referenceLimit?: RateLimit
  readonly isProxyTrusted?: boolean
  readonly isLenient?: boolean
}

/** Serves a sandbox of its own on free ports; the caller closes it. */
export async function serveSandbox(limits: Address['limits'] = {}, rules: Rules = {}): Promise<Served> {
  const { limit = null, isLenient = false, isProxyTrusted = false, sandbox = createSandbox() } = rules
  const { unauthenticatedLimit = null, referenceLimit = null } = rules
  const lines: string[] = []
  let changes = 0
  let store = sandbox.store
  const runtime = {
    ...sandbox.runtime,
    get store() {
      return store
    },
  }
  const clock = { nowMs: () => sandbox.now() * 1000 }
  const ids = createIds()
  await admitKey(sandbox.store, KEY, { ids, now: sandbox.now() })
  const address = { host: HOST, port: 0, limits }
  const api = await listen({ ...address, flag: '--port' })
  const pages = await listen({ ...address, flag: '--checkout-port' })
  const log = createLog('json', (line) => lines.push(line))
  const onError = (error: unknown) => logBug(log, clock, { message: 'background work failed', error })
  const keyUses = createKeyUses(sandbox.store, sandbox.now)
  const shared = {
    limit,
    unauthenticatedLimit,
    referenceLimit,
    isLenient,
    isProxyTrusted,
    keyUses,
    requestLogs: await openRequestLogs(sandbox.store, sandbox.now),
    runtime,
    clock,
    log,
    pid: 4711,
    onChange: () => {
      changes += 1
    },
  }
  const apiUrl = `http://${HOST}:${api.port}`
  api.serve(createApiApp({ ...shared, apiUrl, hosts: allowedHosts(api.port, []) }))
  pages.serve(
    createPagesApp({
      ...shared,
      pages: {
        runtime,
        isLocal: false,
        businessName: null,
        formKey: 'form key',
        newNonce: ids.newToken,
        onError,
      },
      hosts: allowedHosts(pages.port, []),
    }),
  )
  return {
    apiUrl,
    pagesUrl: `http://${HOST}:${pages.port}`,
    sandbox,
    lines,
    changes: () => changes,
    breakStore(broken) {
      store = { ...sandbox.store, ...broken }
    },
    flush: () => keyUses.flush(),
    async close() {
      await Promise.all([api.close(LIMIT_MS), pages.close(LIMIT_MS)])
    },
  }
}
