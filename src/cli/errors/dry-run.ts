import type { Client, ClientOptions } from '../../client/client.ts'
import { type Callable, requestOf } from '../../client/request.ts'

/** A request as `--dry-run` prints it. */
interface Unsent {
  readonly method: string
  readonly url: string
  /** Those that were asked for. */
  readonly headers?: { readonly 'Idempotency-Key': string }
  readonly body: unknown
}

/** Ends a command at its first change: the request that was not sent. */
export class NotSent extends Error {
  readonly request: Unsent

  constructor(request: Unsent) {
    super(`${request.method} ${request.url} was not sent`)
    this.name = 'NotSent'
    this.request = request
  }
}

/** A client that reads as usual, and rejects with `NotSent` in place of the first change. */
export function withoutChanges(
  client: Client,
  { apiBase, idempotencyKey }: Pick<ClientOptions, 'apiBase' | 'idempotencyKey'>,
): Client {
  const send = async (operation: Callable, params: object): Promise<object> => {
    if (operation.method === 'GET') return client.send(operation, params)
    const { method, path, body } = requestOf(operation, params)
    // A key that nobody gave is another one each time, and a DELETE has none.
    const isKeyed = idempotencyKey !== undefined && method === 'POST'
    throw new NotSent({
      method,
      url: apiBase + path,
      ...(isKeyed ? { headers: { 'Idempotency-Key': idempotencyKey } } : {}),
      body: body === null ? null : JSON.parse(body),
    })
  }
  // As in the client itself, the service answers with what the operation declares.
  return { ...client, send, call: (operation, params) => send(operation, Object(params)) as Promise<never> }
}
