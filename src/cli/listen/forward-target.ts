import { UsageError } from '../errors/usage-error.ts'

/** Reads where to forward webhooks: a URL, a host with a path, a port, or a port with a path. */
export function parseForwardTarget(text: string, flag = 'forward-to'): string {
  const withHost = /^:?\d+([/?#]|$)/.test(text) ? `127.0.0.1:${text.replace(/^:/, '')}` : text
  const url = /^https?:\/\//i.test(withHost) ? withHost : `http://${withHost}`
  // Elsewhere the parser would take a path or another protocol for a host.
  const isPlace = !/\s|^\/|^(?!https?:)[a-z][a-z\d+.-]*:\/\//i.test(text)
  if (isPlace && URL.canParse(url)) {
    const { username, password, port, href } = new URL(url)
    if (username === '' && password === '' && port !== '0') return href
  }
  throw new UsageError('flag_invalid', `'${text}' is no place to forward webhooks to.`, {
    param: flag,
    hint: 'Give a port (3000), a port with a path (3000/hook) or a URL (http://127.0.0.1:3000/hook).',
  })
}
