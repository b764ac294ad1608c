import type { Client, ClientOptions } from '../../client/client.ts'
import { type CallableOperation, toHttpRequest } from '../../client/request.ts'

interface UnsentRequest {
  readonly method: string
  readonly url: string
  /** The `Idempotency-Key` header, if the user set the key. */
  readonly headers?: { readonly 'Idempotency-Key': string }
  readonly body: unknown
}

/** The error that ends a dry run at its first change. `request` is the request that was not sent. */
export class DryRunError extends Error {
  readonly request: UnsentRequest

  constructor(request: UnsentRequest) {
    super(`${request.method} ${request.url} was not sent`)
    this.name = 'DryRunError'
    this.request = request
  }
}

/** Creates a client that sends reads and throws `DryRunError` instead of sending a change. */
export function createDryRunClient(
  client: Client,
  {
    apiBase,
    idempotencyKey,
  }: Pick<ClientOptions, 'apiBase'> & {
    readonly idempotencyKey?: string | undefined
  },
): Client {
  const send = async (operation: CallableOperation, params: object): Promise<object> => {
    if (operation.method === 'GET') return client.send(operation, params)
    const { method, path, body } = toHttpRequest(operation, params)
    // A generated key differs each time, and a DELETE has no key, so only a key of the user is printed.
    const isKeyed = idempotencyKey !== undefined && method === 'POST'
    throw new DryRunError({
      method,
      url: apiBase + path,
      ...(isKeyed ? { headers: { 'Idempotency-Key': idempotencyKey } } : {}),
      body: body === null ? null : JSON.parse(body),
    })
  }
  // The cast is safe: the operation declares the type of the response, as in the client.
  return { ...client, send, call: (operation, params) => send(operation, Object(params)) as Promise<never> }
}
