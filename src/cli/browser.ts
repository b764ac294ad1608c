import { UsageError } from './usage-error.ts'

/** Opens a page in the user's browser; refuses anything that is no http or https address. */
export async function openInBrowser(url: string): Promise<void> {
  const protocol = URL.canParse(url) ? new URL(url).protocol : null
  if (protocol !== 'http:' && protocol !== 'https:') {
    throw new UsageError('url_invalid', `'${url}' is no web address, so it is not opened.`)
  }
  const { default: open } = await import('open')
  await open(url)
}
