import type { AnyOperation, ParamsOf, ResultOf } from '../../../src/api/core/operation.ts'
import { toHttpRequest } from '../../../src/client/request.ts'
import { cardFields, openForm, sendForm } from '../../support/page-forms.ts'
import { errorIn, fieldsOf, type HttpResponse, sendRequest } from '../../support/raw-http.ts'

/** The address and the API key of one sandbox. */
export interface SandboxAddress {
  readonly apiBase: string
  readonly apiKey: string
}

/** Sends the requests of one run to a sandbox, and records the responses in order. */
export interface Conversation {
  /** The requests with their responses. */
  readonly lines: readonly string[]
  /** Names of the operations that returned 200. */
  readonly succeeded: ReadonlySet<AnyOperation>
  /** Calls an operation, twice if it is a POST: the second response must replay the first. */
  call<O extends AnyOperation>(operation: O, params: ParamsOf<O>): Promise<ResultOf<O>>
  /** Calls an operation with any parameters; throws if the call succeeds or fails with another error code. */
  reject(operation: AnyOperation, params: object, code?: string): Promise<void>
  /** Pays on a hosted page with a card. The form is sent twice, and only the first submission may pay. */
  payOnPage(url: string, card: string): Promise<void>
}

export interface ConversationOptions extends SandboxAddress {
  /** Runs before each request. */
  readonly turn: () => Promise<void>
}

/** Headers that differ between equal responses. */
const UNSTABLE_HEADERS: ReadonlySet<string> = new Set(['date', 'connection', 'keep-alive', 'content-length'])

/** Starts to record requests to one sandbox and their responses. */
export function startConversation({ apiBase, apiKey, turn }: ConversationOptions): Conversation {
  const lines: string[] = []
  const succeeded = new Set<AnyOperation>()
  let posts = 0

  function record(request: string, { status, headers, text }: HttpResponse): void {
    const stable = Object.entries(headers).filter(([name]) => !UNSTABLE_HEADERS.has(name))
    lines.push(`${request} → ${status} ${JSON.stringify(stable.sort())}\n${text}`)
  }

  async function send(operation: AnyOperation, params: object, key?: string): Promise<HttpResponse> {
    const { method, path, headers, body } = toHttpRequest(operation, params, key)
    await turn()
    const response = await sendRequest(apiBase + path, {
      method,
      headers: { ...headers, Authorization: `Bearer ${apiKey}` },
      ...(body !== null && { body }),
    })
    record(`${method} ${path} ${body ?? ''}`, response)
    return response
  }

  return {
    lines,
    succeeded,
    async call<O extends AnyOperation>(operation: O, params: ParamsOf<O>): Promise<ResultOf<O>> {
      posts += 1
      const key = `conversation-${posts}`
      const response = await send(operation, Object(params), key)
      if (response.status !== 200) throw new Error(`unexpected response: ${lines.at(-1)}`)
      succeeded.add(operation)
      if (operation.method === 'POST') {
        const replay = await send(operation, Object(params), key)
        if (replay.headers['idempotent-replayed'] !== 'true' || replay.text !== response.text) {
          throw new Error(`not a replay: ${lines.at(-1)}\nof ${lines.at(-2)}`)
        }
      }
      return fieldsOf<ResultOf<O>>(response)
    },
    async reject(operation, params, code) {
      posts += 1
      const response = await send(operation, params, `conversation-${posts}`)
      const isExpected = response.status >= 400 && response.status < 500
      if (!isExpected || (code !== undefined && errorIn(response)['code'] !== code))
        throw new Error(`expected ${code ?? 'an error'}: ${lines.at(-1)}`)
    },
    async payOnPage(url, card) {
      await turn()
      const token = await openForm(url)
      for (const attempt of ['first', 'second']) {
        await turn()
        const { status, headers } = await sendForm(url, token, cardFields(card))
        lines.push(`${attempt} form at ${url} → ${status} ${headers['location']}`)
      }
    },
  }
}
