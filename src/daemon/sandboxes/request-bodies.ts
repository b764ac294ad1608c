import type { RequestTexts } from '../../domain/requests/request-logs.ts'
import { maskSecretsAndCardNumbers } from '../../domain/text/secret-masking.ts'

/** The bodies of the newest requests of an open sandbox, in memory only. */
export type RequestBodies = ReturnType<ReturnType<typeof createRequestBodyBuffer>>

const MAX_REQUESTS = 2000
/** Maximum total number of characters of all stored requests. */
const MAX_TOTAL_CHARACTERS = 16_000_000
/** Maximum length of each shown body in characters. */
const MAX_CHARACTERS = 16_000
/** Maximum length of a stored body, more than is shown, so that a secret at the end is complete and gets masked. */
const MAX_CHARACTERS_KEPT = MAX_CHARACTERS + 1000

// A name or a secret may be escaped in JSON. A quote or a backslash must stay escaped.
const ESCAPE = /\\(?:u00(?!22|5c|7f)([2-7][0-9a-f])|.)/gi
const OBJECT_ID = /^[a-z]+(?:_[a-z]+)*_[0-9A-Za-z]{24}$/
const SECURITY_CODE = /(cv[cv]2?(?:["'\]]|%22|%5d)?\s*[:=]\s*)(?:"[^"]*"?|[^\s,&}\]]+)/gi

/**
 * Creates the buffer of the bodies of the newest 2,000 requests of all sandboxes. Returns a function that creates the
 * view of one open sandbox. Bodies are masked when they are read.
 */
export function createRequestBodyBuffer() {
  const kept = new Map<string, { readonly owner: symbol; readonly texts: RequestTexts }>()
  let total = 0
  function drop(id: string): void {
    total -= lengthOf(kept.get(id)?.texts)
    kept.delete(id)
  }
  return () => {
    const owner = Symbol('sandbox')
    return {
      add(id: string, { query, idempotency_key, request, response }: RequestTexts): void {
        drop(id)
        const texts = { query, idempotency_key, request: startOf(request), response: startOf(response) }
        kept.set(id, { owner, texts })
        total += lengthOf(texts)
        for (const oldest of kept.keys()) {
          if (kept.size <= MAX_REQUESTS && total <= MAX_TOTAL_CHARACTERS) break
          drop(oldest)
        }
      },
      /** Returns the masked bodies, query and idempotency key of a request; null if they are no longer stored. */
      read(id: string): RequestTexts | null {
        const entry = kept.get(id)
        if (entry?.owner !== owner) return null
        const { query, idempotency_key, request, response } = entry.texts
        return {
          query: mask(query),
          idempotency_key: idempotency_key && mask(idempotency_key),
          request: request && mask(request),
          response: response && mask(response),
        }
      },
      /** Returns the ids and keys of the requests whose bodies contain the id of an object, oldest first. */
      find(object: string): readonly (Pick<RequestTexts, 'idempotency_key'> & { readonly id: string })[] {
        // Only object ids are searched, because other texts may be parts of secrets.
        if (!OBJECT_ID.test(object)) return []
        const isContained = (text: string | null) => text?.includes(object)
        return [...kept].flatMap(([id, { owner: sandbox, texts }]) =>
          sandbox === owner && [texts.request, texts.response].some(isContained)
            ? { id, idempotency_key: texts.idempotency_key && mask(texts.idempotency_key) }
            : [],
        )
      },
    }
  }
}

function lengthOf(texts: RequestTexts | undefined): number {
  return Object.values(texts ?? {}).reduce((sum, text) => sum + (text?.length ?? 0), 0)
}

// Copies the start of a longer string, because a substring would keep the whole string in memory.
function startOf(text: string | null): string | null {
  if (text === null || text.length <= MAX_CHARACTERS_KEPT) return text
  return Buffer.from(text.slice(0, MAX_CHARACTERS_KEPT)).toString()
}

function mask(text: string): string {
  const plain = text.replaceAll(ESCAPE, (written, code) =>
    code === undefined ? written : String.fromCharCode(Number.parseInt(code, 16)),
  )
  const masked = maskSecretsAndCardNumbers(plain).replaceAll(SECURITY_CODE, '$1"…"')
  // The end of a truncated body may be an incomplete secret, which is not masked, so the end is removed.
  const end =
    text.length < MAX_CHARACTERS_KEPT ? MAX_CHARACTERS : Math.min(MAX_CHARACTERS, masked.length - 1000)
  return (masked.length > end ? `${masked.slice(0, end)}…` : masked).toWellFormed()
}
