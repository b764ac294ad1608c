import { createSandbox, type Sandbox, type SandboxOptions } from '../support/sandbox.ts'
import { type Answer, type Ask, ask } from '../support/wire.ts'
import { KEY, type Rules, type Served, serveSandbox } from './served.ts'

/** A service to get errors out of, over HTTP. */
export interface Target {
  readonly served: Served
  readonly sandbox: Sandbox
  readonly get: (path: string, headers?: Ask['headers']) => Promise<Answer>
  /** Sends a body as JSON, or text as it is. */
  readonly post: (path: string, body: unknown, headers?: Ask['headers']) => Promise<Answer>
}

/** Gets one error out of a service. */
export type Provoke = (target: Target) => Promise<Answer>

/** Provokes an error from a service of its own. */
export async function provoked(provoke: Provoke, options: SandboxOptions = {}, rules: Rules = {}) {
  const served = await serveSandbox({}, { ...rules, sandbox: createSandbox(options) })
  try {
    const answer = await provoke(targetOf(served))
    const reference = await ask(JSON.parse(answer.text).error.doc_url)
    return { answer, reference }
  } finally {
    await served.close()
  }
}

function targetOf(served: Served): Target {
  const authorized = { Authorization: `Bearer ${KEY}` }
  return {
    served,
    sandbox: served.sandbox,
    get: (path, headers = {}) => ask(served.apiUrl + path, { headers: { ...authorized, ...headers } }),
    post: (path, body, headers = {}) =>
      ask(served.apiUrl + path, {
        method: 'POST',
        headers: { ...authorized, 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
  }
}
