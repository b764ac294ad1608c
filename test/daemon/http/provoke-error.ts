import { type HttpRequestOptions, type HttpResponse, sendRequest } from '../../support/raw-http.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../../support/sandbox.ts'
import { type ServedSandbox, type ServeSandboxOptions, serveSandbox } from './serve-sandbox.ts'

/** A server that requests are sent to. */
export interface ProvokeTarget {
  readonly served: ServedSandbox
  readonly sandbox: Sandbox
  readonly get: (path: string, headers?: HttpRequestOptions['headers']) => Promise<HttpResponse>
  readonly remove: (path: string) => Promise<HttpResponse>
  /** Posts an object as JSON, or raw text. */
  readonly post: (
    path: string,
    body: unknown,
    headers?: HttpRequestOptions['headers'],
  ) => Promise<HttpResponse>
}

/** Provokes an error of a server. */
export type Provoke = (target: ProvokeTarget) => Promise<HttpResponse>

/** Provokes an error of a new server, and loads its documentation. */
export async function provokeError(
  provoke: Provoke,
  options: SandboxOptions = {},
  rules: ServeSandboxOptions = {},
) {
  const served = await serveSandbox({}, { ...rules, sandbox: createSandbox(options) })
  try {
    const response = await provoke(targetOf(served))
    const reference = await sendRequest(JSON.parse(response.text).error.doc_url)
    return { response, reference }
  } finally {
    await served.close()
  }
}

function targetOf(served: ServedSandbox): ProvokeTarget {
  const { sandbox, call } = served
  return {
    ...{ served, sandbox },
    get: (path, headers = {}) => call(path, { headers }),
    remove: (path) => call(path, { method: 'DELETE' }),
    post: (path, body, headers = {}) =>
      call(path, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}
