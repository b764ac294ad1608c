import type { RequestTexts } from '../../domain/requests/request-logs.ts'
import { maskSecrets } from '../../domain/text/secret-masking.ts'

/** The newest request and response bodies of a sandbox, in memory only. */
export type RequestBodies = ReturnType<typeof createRequestBodies>

const MAX_REQUESTS = 200
/** Maximum length of each shown body in characters. */
const MAX_CHARACTERS = 16_000
/** A secret at the end of a longer body must be complete, so that it is masked. */
const MAX_CHARACTERS_KEPT = MAX_CHARACTERS + 1000

// The name may be escaped in JSON.
const ESCAPED_LETTER = /\\u00([46][1-9a-f]|[57][0-9a])/gi
const SECURITY_CODE = /("cvc"\s*:\s*)(?:"[^"]*"?|[^\s,}\]]+)/gi

/** Creates the buffer of the bodies of the newest 200 requests. Bodies are masked when they are read. */
export function createRequestBodies() {
  const kept = new Map<string, RequestTexts>()
  return {
    add(id: string, { query, idempotency_key, request, response }: RequestTexts): void {
      if (kept.size >= MAX_REQUESTS) kept.delete(kept.keys().next().value ?? '')
      kept.set(id, { query, idempotency_key, request: startOf(request), response: startOf(response) })
    },
    /** Returns the masked texts of a request; null if they are not kept. */
    read(id: string): RequestTexts | null {
      const texts = kept.get(id)
      if (texts === undefined) return null
      const { query, idempotency_key, request, response } = texts
      return {
        query: mask(query),
        idempotency_key: idempotency_key && mask(idempotency_key),
        request: request && mask(request),
        response: response && mask(response),
      }
    },
  }
}

// A shorter text is kept as it is. The copy of a longer one does not keep all of it in memory.
function startOf(text: string | null): string | null {
  if (text === null || text.length <= MAX_CHARACTERS_KEPT) return text
  return Buffer.from(text.slice(0, MAX_CHARACTERS_KEPT)).toString()
}

function mask(text: string): string {
  const plain = text.replaceAll(ESCAPED_LETTER, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
  const masked = maskSecrets(plain).replaceAll(SECURITY_CODE, '$1"…"')
  return (masked.length > MAX_CHARACTERS ? `${masked.slice(0, MAX_CHARACTERS)}…` : masked).toWellFormed()
}
