import { UsageError } from '../errors/usage-error.ts'
import { enabledEventsOf } from '../request/event-selection.ts'
import { parseForwardTarget } from './forward-target.ts'

/** Where webhooks go and which: a URL with an endpoint's `enabled_events`. */
export interface Forwarding {
  readonly url: string
  readonly events: readonly string[]
}

export interface ForwardFlags {
  /** What `--forward-to` named: each gets what `--events` chooses. */
  readonly targets: readonly string[]
  /** The globs of `--events`. */
  readonly events: readonly string[]
  /** What `--route` said: `glob=target`, several globs with commas between. */
  readonly routes: readonly string[]
}

/** What the flags that forward say, one entry per URL; a URL named more than once gets all that any of them says. */
export function parseForwarding({ targets, events, routes }: ForwardFlags): Forwarding[] {
  if (events.length > 0 && targets.length === 0) {
    throw new UsageError('flag_missing', '--events chooses what --forward-to sends, which is missing.', {
      param: 'forward-to',
      hint: 'For instance --forward-to 3000/webhooks --events invoice.*',
    })
  }
  const chosen = enabledEventsOf(events, 'events')
  const byUrl = new Map<string, Set<string>>()
  const all = [
    ...targets.map((text) => ({ url: parseForwardTarget(text), events: chosen })),
    ...routes.map(parseRoute),
  ]
  for (const forwarding of all) {
    const known = byUrl.get(forwarding.url) ?? new Set()
    for (const event of forwarding.events) known.add(event)
    byUrl.set(forwarding.url, known)
  }
  return [...byUrl].map(([url, union]) => ({ url, events: union.has('*') ? ['*'] : [...union] }))
}

function parseRoute(text: string): Forwarding {
  // A URL may contain =, a glob cannot.
  const end = text.indexOf('=')
  if (end > 0 && end < text.length - 1) {
    const globs = text.slice(0, end).split(',')
    return { url: parseForwardTarget(text.slice(end + 1), 'route'), events: enabledEventsOf(globs, 'route') }
  }
  throw new UsageError('flag_invalid', `'${text}' is no route.`, {
    param: 'route',
    hint: "Give events and where they go: --route 'invoice.*=3000/invoices'",
  })
}
