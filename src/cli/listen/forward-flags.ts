import { createInvalidFlagError, UsageError } from '../errors/usage-error.ts'
import { repeatable } from '../parse/flag-builders.ts'
import { parseEnabledEvents } from '../request/event-selection.ts'

/** The flags of `serve` and `webhooks listen` that select targets. */
export const forwardTargetFlags = {
  'forward-to': repeatable({
    char: 'f',
    description: 'Forward events to a URL, a port, or a port with a path. Repeat for more targets.',
    helpValue: '<url|port>',
  }),
  route: repeatable({
    description:
      "Also forward some events to another target, such as 'invoice.*=3000/invoices'. Repeat for more routes.",
    helpValue: '<glob=url|port>',
  }),
}

/** A target URL with the events to send to it, as in the `enabled_events` of an endpoint. */
export interface ForwardRule {
  readonly url: string
  readonly events: readonly string[]
}

/**
 * Parses the values of `--forward-to`, `--events` and `--route` into one rule per URL. A URL that occurs more than once
 * gets the events of all its occurrences.
 */
export function parseForwardRules(
  targets: readonly string[],
  globs: readonly string[],
  routes: readonly string[],
): ForwardRule[] {
  if (globs.length > 0 && targets.length === 0) {
    throw new UsageError('flag_missing', '--events selects the events of --forward-to, which is missing.', {
      param: 'forward-to',
      hint: 'For instance --forward-to 3000/webhooks --events invoice.*',
    })
  }
  const selected = parseEnabledEvents(globs, 'events')
  const byUrl = new Map<string, Set<string>>()
  const rules = [
    ...targets.map((text) => ({ url: parseTargetUrl(text), events: selected })),
    ...routes.map(parseRoute),
  ]
  for (const { url, events } of rules) byUrl.set(url, new Set([...(byUrl.get(url) ?? []), ...events]))
  return [...byUrl].map(([url, events]) => ({ url, events: events.has('*') ? ['*'] : [...events] }))
}

/** Parses the target of forwarded webhooks: a URL, or a host or port with an optional path. */
export function parseTargetUrl(text: string, flag = 'forward-to'): string {
  // A development server listens at 127.0.0.1 or at ::1, and connections to localhost try both.
  const withHost = /^:?\d+([/?#]|$)/.test(text) ? `localhost:${text.replace(/^:/, '')}` : text
  const url = /^https?:\/\//i.test(withHost) ? withHost : `http://${withHost}`
  // The URL parser would interpret a path or another protocol as a host.
  const isHostOrUrl = !/\s|^\/|^(?!https?:)[a-z][a-z\d+.-]*:\/\//i.test(text)
  if (isHostOrUrl && URL.canParse(url)) {
    const { username, password, port, href } = new URL(url)
    if (username === '' && password === '' && port !== '0') return href
  }
  throw new UsageError('flag_invalid', `Invalid webhook target '${text}'.`, {
    param: flag,
    hint: 'Give a port of at most 65535 (3000), a port with a path (3000/hook) or a URL (http://localhost:3000/hook).',
  })
}

function parseRoute(text: string): ForwardRule {
  // A URL may contain =, but a glob cannot.
  const end = text.indexOf('=')
  if (end > 0 && end < text.length - 1) {
    const globs = text.slice(0, end).split(',')
    return { url: parseTargetUrl(text.slice(end + 1), 'route'), events: parseEnabledEvents(globs, 'route') }
  }
  throw createInvalidFlagError(
    'route',
    text,
    'events=target',
    "For instance --route 'invoice.*=3000/invoices'",
  )
}
