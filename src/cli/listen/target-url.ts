import { UsageError } from '../errors/usage-error.ts'

/** Parses the target of forwarded webhooks: a URL, a host, a port, or one of these with a path. */
export function parseTargetUrl(text: string, flag = 'forward-to'): string {
  const withHost = /^:?\d+([/?#]|$)/.test(text) ? `127.0.0.1:${text.replace(/^:/, '')}` : text
  const url = /^https?:\/\//i.test(withHost) ? withHost : `http://${withHost}`
  // The URL parser would take a path or another protocol for a host.
  const isHostOrUrl = !/\s|^\/|^(?!https?:)[a-z][a-z\d+.-]*:\/\//i.test(text)
  if (isHostOrUrl && URL.canParse(url)) {
    const { username, password, port, href } = new URL(url)
    if (username === '' && password === '' && port !== '0') return href
  }
  throw new UsageError('flag_invalid', `Invalid webhook target '${text}'.`, {
    param: flag,
    hint: 'Give a port (3000), a port with a path (3000/hook) or a URL (http://127.0.0.1:3000/hook).',
  })
}
