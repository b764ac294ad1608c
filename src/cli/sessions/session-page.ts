import { UsageError } from '../errors/usage-error.ts'

/** Returns the address of a session's page; throws in words for an answer without one, as another service may give. */
export function pageOf({ id, url }: { readonly id?: unknown; readonly url?: unknown }): string {
  if (typeof url === 'string' && url !== '') return url
  const what = typeof id === 'string' ? `The answer for '${id}'` : 'The answer'
  throw new UsageError('page_missing', `${what} has no url, so there is no page to open.`, {
    hint: 'Check --api-base: another service may answer there.',
  })
}
