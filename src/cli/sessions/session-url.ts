import { UsageError } from '../errors/usage-error.ts'

/**
 * Returns the address of a session's page. Throws for a session without an address, such as a response of another
 * service.
 */
export function requireSessionUrl({ id, url }: { readonly id?: unknown; readonly url?: unknown }): string {
  if (typeof url === 'string' && url !== '') return url
  const what = typeof id === 'string' ? `The response for '${id}'` : 'The response'
  throw new UsageError('page_missing', `${what} has no url, so no page can be opened.`, {
    hint: 'Check --api-base: the response may come from another server.',
  })
}
