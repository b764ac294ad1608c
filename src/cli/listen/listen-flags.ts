import type { FlagInput } from '@oclif/core/interfaces'
import { EVENT_TYPES, type EventType } from '../../domain/event-types.ts'
import { isEventWanted } from '../../domain/events.ts'
import { UsageError } from '../errors/usage-error.ts'
import { repeatable } from '../parse/flags.ts'
import { boolean, integer, string } from '../parse/options.ts'
import { type FlagValues, textsOf } from '../parse/params.ts'
import { parseSeconds } from '../parse/past-timestamp.ts'
import { selectEvents } from '../request/event-selection.ts'
import { parseWhere } from './event-wait.ts'
import { parseForwarding } from './forward-flags.ts'
import type { Goal } from './listen-goal.ts'
import type { Listening } from './listener.ts'

/** How a listener tells what happens. */
export type ListenOutput = 'tui' | 'compact' | 'json' | 'quiet'

const OUTPUTS = ['tui', 'compact', 'json', 'quiet']
/** What signs a delivery or says how it is sent: a receiver would be told something else than it is. */
const OWN_HEADERS =
  /^(?:webhook-.*|paycli-signature|content-(?:type|length)|transfer-encoding|connection|keep-alive|upgrade|expect)$/

/** The flags of everything that reads the stream. */
export const streamFlags: FlagInput = {
  events: string({
    char: 'e',
    description: 'Only these, such as invoice.* or *.completed; with ! all but these. Repeat for more.',
    helpValue: '<glob>',
    multiple: true,
    multipleNonGreedy: true,
    delimiter: ',',
  }),
  filter: repeatable('Only events with this value at this path. Repeat for more.', '<path=value>'),
  'exit-after': integer({ description: 'End after so many events.', helpValue: '<n>', min: 1 }),
  until: string({ description: 'End after an event of this type or glob.', helpValue: '<event>' }),
  'max-wait': string({
    description: 'End after so long in any case; with 7 when --exit-after or --until was not reached.',
    helpValue: '<60s>',
  }),
}

/** The flags of `webhooks listen` besides. */
export const listenFlags: FlagInput = {
  'forward-to': string({
    char: 'f',
    description: 'Send events here: a port, a port with a path, or a URL. Repeat for more.',
    helpValue: '<url|port>',
    multiple: true,
    multipleNonGreedy: true,
  }),
  route: repeatable(
    "Send some events elsewhere, such as 'invoice.*=3000/invoices'. Repeat for more.",
    '<glob=url|port>',
  ),
  headers: string({
    char: 'H',
    description: "A header to send besides, such as 'X-Tenant: 7'. Repeat for more.",
    helpValue: '<name: value>',
    multiple: true,
    multipleNonGreedy: true,
  }),
  'skip-verify': boolean({ description: 'Take any certificate of a handler, such as a self-signed one.' }),
  since: string({
    description: 'Begin earlier: last is what targets missed, 10m a moment, evt_… an event.',
    helpValue: '<last|10m|evt_…>',
  }),
  output: string({
    description:
      'How to tell: a screen, lines, NDJSON, or failures only. A screen where there is a terminal.',
    options: OUTPUTS,
  }),
  'show-body': boolean({ description: 'Print lines, with events and what handlers answer whole.' }),
  'fail-on-error': boolean({ description: 'Exit with 8 at the end when a delivery failed.' }),
  'print-secret': boolean({
    description: 'Print the secret that signs what is forwarded, raw unless with --json, and end.',
  }),
  // As the commands that people come from spell it.
  'print-json': boolean({ hidden: true }),
  format: string({ hidden: true, options: ['json'] }),
}

/** What the flags of `webhooks listen` choose; `since` is read apart. */
export function readListening(flags: FlagValues): Omit<Listening, 'after'> {
  const [targets, routes, globs] = ['forward-to', 'route', 'events'].map((name) => textsOf(flags[name]))
  const events = targets?.length === 0 ? [] : (globs ?? [])
  const forwarding = parseForwarding({ targets: targets ?? [], events, routes: routes ?? [] })
  const isRouted = (type: EventType) => forwarding.some((one) => isEventWanted(type, one.events))
  const chosen = (globs ?? []).length === 0 ? null : new Set(selectEvents(globs ?? [], 'events'))
  const isChosen = (type: EventType) => chosen?.has(type) ?? targets?.length !== 0
  const isAll = chosen === null && forwarding.length === 0
  const types = EVENT_TYPES.filter((type) => isAll || isChosen(type) || isRouted(type))
  return {
    types: types.length === EVENT_TYPES.length ? null : types,
    filter: parseWhere(textsOf(flags['filter']), 'filter'),
    forwarding,
    headers: Object.fromEntries(textsOf(flags['headers']).map(parseHeader)),
  }
}

/** When the flags say that it is enough. */
export function readGoal(flags: FlagValues): Goal & { readonly maxWaitMs: number | null } {
  const { until, 'exit-after': exitAfter, 'max-wait': maxWait } = flags
  return {
    exitAfter: exitAfter === undefined ? null : Number(exitAfter),
    until: until === undefined ? null : selectEvents([String(until)], 'until'),
    maxWaitMs: maxWait === undefined ? null : parseSeconds('max-wait', String(maxWait)) * 1000,
  }
}

/** How to tell what happens: what the flags say, else a screen where there is a terminal for one. */
export function readOutput(
  flags: FlagValues,
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): ListenOutput {
  const { output, json, format, field, 'print-json': printJson } = flags
  const isScreen = isTerminal && !isTrue(env['CI']) && env['TERM'] !== 'dumb'
  const isJson = json === true || printJson === true || format !== undefined
  if (isJson && output !== undefined && output !== 'json') {
    throw new UsageError('flag_invalid', `Give --output ${output} or JSON, not both.`, { param: 'output' })
  }
  if (isJson) return 'json'
  if (output === undefined && textsOf(field).length > 0) return 'json'
  // The screen shows bodies one by one.
  const usual = flags['show-body'] === true ? 'compact' : 'tui'
  const wanted = (output ?? usual) as ListenOutput
  return wanted === 'tui' && !isScreen ? 'compact' : wanted
}

function isTrue(value: string | undefined): boolean {
  return value !== undefined && value !== '' && value !== '0' && value !== 'false'
}

function parseHeader(text: string): [name: string, value: string] {
  const [, name = '', value] = /^([\w!#$%&'*+.^`|~-]+):\s*([\t\x20-\x7e]*)$/.exec(text) ?? []
  if (value !== undefined && !OWN_HEADERS.test(name.toLowerCase())) return [name.toLowerCase(), value.trim()]
  const problem =
    value === undefined ? "takes 'name: value'" : `cannot set ${name}, which says how a delivery is sent`
  throw new UsageError('flag_invalid', `--headers ${problem}, not '${text}'.`, {
    param: 'headers',
    hint: "For instance -H 'X-Tenant: 7'",
  })
}
