import { digestApiKey } from '../../../src/api/core/auth.ts'
import { createApiApp } from '../../../src/daemon/http/api-app.ts'
import { listAllowedHosts } from '../../../src/daemon/http/host-guard.ts'
import { type BindOptions, openHttpListener } from '../../../src/daemon/http/http-listener.ts'
import { createPagesApp } from '../../../src/daemon/http/pages-app.ts'
import type { RateLimiter } from '../../../src/daemon/http/rate-limit.ts'
import { createLog } from '../../../src/daemon/system/log.ts'
import { DEFAULT_SANDBOX } from '../../../src/domain/sandboxes/sandboxes.ts'
import { createWorkAdmission } from '../../../src/engine/admission.ts'
import { registerApiKey } from '../../../src/engine/sandbox-credentials.ts'
import type { Store } from '../../../src/store/port/store.ts'
import '../../support/contract-watch.ts'
import { type HttpRequestOptions, type HttpResponse, sendRequest } from '../../support/raw-http.ts'
import { createSandbox, type Sandbox } from '../../support/sandbox.ts'
import { openTestSandbox } from '../sandboxes/open-test-sandbox.ts'

export const KEY = 'paysk_test_Served0000000000000000000000000000'
const HOST = '127.0.0.1'
const LIMIT_MS = 1000

/** The API and the pages over HTTP without background jobs, so that only requests run due jobs. */
export interface ServedSandbox {
  readonly apiUrl: string
  readonly pagesUrl: string
  readonly sandbox: Sandbox
  /** Sends a request to the API with the key. */
  readonly call: (path: string, options?: HttpRequestOptions) => Promise<HttpResponse>
  /** Posts JSON to the API with the key. */
  readonly post: (
    path: string,
    fields: object,
    headers?: HttpRequestOptions['headers'],
  ) => Promise<HttpResponse>
  /** The log as JSON lines. */
  readonly lines: string[]
  /** Number of onChange calls. */
  readonly changes: () => number
  /** Overrides methods of the store; an empty object restores the store. */
  readonly breakStore: (broken: Partial<Store>) => void
  /** Writes buffered API key usage to the store. */
  readonly flush: () => Promise<void>
  readonly close: () => Promise<void>
}

export interface ServeSandboxOptions {
  /** The sandbox to serve (default: an empty sandbox in memory). */
  readonly sandbox?: Sandbox
  readonly limit?: RateLimiter
  readonly unauthenticatedLimit?: RateLimiter
  readonly referenceLimit?: RateLimiter
  readonly isProxyTrusted?: boolean
  readonly isLenient?: boolean
}

const atOnce = (work: () => void) => work()

/** Serves a sandbox on free ports; the caller closes it. */
export async function serveSandbox(
  limits: BindOptions['limits'] = {},
  rules: ServeSandboxOptions = {},
): Promise<ServedSandbox> {
  const { sandbox = createSandbox(), ...given } = rules
  const lines: string[] = []
  let changes = 0
  let store = sandbox.store
  const runtime = {
    ...sandbox.runtime,
    admit: createWorkAdmission()(DEFAULT_SANDBOX),
    get store() {
      return store
    },
  }
  const clock = { nowMs: () => sandbox.now() * 1000 }
  await registerApiKey(sandbox.runtime, { secret: KEY, digest: digestApiKey(KEY) })
  const address = { host: HOST, port: 0, limits }
  const api = await openHttpListener({ ...address, flag: '--port' })
  const pages = await openHttpListener({ ...address, flag: '--checkout-port' })
  const log = createLog('json', (line) => lines.push(line), atOnce)
  const opened = await openTestSandbox(sandbox, log)
  const wake = () => {
    changes += 1
  }
  const served = {
    ...opened,
    runtime,
    pages: { ...opened.pages, runtime },
    jobs: { ...opened.jobs, wake },
  }
  const sandboxes = {
    default: served,
    opened: () => served,
    find: async () => served,
    findActive: async () => served,
    newRequestId: () => runtime.newId('req_'),
  }
  const shared = {
    ...{ limit: null, unauthenticatedLimit: null, referenceLimit: null },
    ...{ isLenient: false, isProxyTrusted: false, ...given },
    ...{ sandboxes, clock, log, pid: 4711, serverSecret: 'secret' },
  }
  const apiUrl = `http://${HOST}:${api.port}`
  api.serve(createApiApp({ ...shared, apiUrl, hosts: listAllowedHosts(api.port, []) }))
  pages.serve(createPagesApp({ ...shared, hosts: listAllowedHosts(pages.port, []), apiUrl }))
  return {
    apiUrl,
    pagesUrl: `http://${HOST}:${pages.port}`,
    ...{ sandbox, lines },
    ...createSender(apiUrl),
    changes: () => changes,
    breakStore(broken) {
      store = { ...sandbox.store, ...broken }
    },
    flush: () => opened.keyUsage.flush(),
    async close() {
      await Promise.all([api.close(LIMIT_MS), pages.close(LIMIT_MS)])
    },
  }
}

/** Creates the functions that send requests with the key. */
function createSender(apiUrl: string): Pick<ServedSandbox, 'call' | 'post'> {
  const call: ServedSandbox['call'] = (path, options = {}) =>
    sendRequest(apiUrl + path, {
      ...options,
      headers: { Authorization: `Bearer ${KEY}`, ...options.headers },
    })
  return {
    call,
    post: (path, fields, headers = {}) =>
      call(path, {
        ...{ method: 'POST', body: JSON.stringify(fields) },
        headers: { 'Content-Type': 'application/json', ...headers },
      }),
  }
}

/** Serves a sandbox while the work runs. */
export async function withServedSandbox(
  work: (served: ServedSandbox) => Promise<void>,
  rules: ServeSandboxOptions = {},
): Promise<void> {
  const served = await serveSandbox({}, rules)
  try {
    await work(served)
  } finally {
    await served.close()
  }
}
