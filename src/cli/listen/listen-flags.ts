import type { FlagInput } from '@oclif/core/interfaces'
import { EVENT_TYPES, type EventType } from '../../domain/core/event-types.ts'
import { isEventEnabled } from '../../domain/events/events.ts'
import { UsageError } from '../errors/usage-error.ts'
import { parseDurationSeconds } from '../parse/duration.ts'
import { boolean, integer, repeatable, string } from '../parse/flag-builders.ts'
import { type FlagValues, listFlagValues } from '../parse/params.ts'
import { selectEventTypes } from '../request/event-selection.ts'
import { parseWhere } from './event-condition.ts'
import { forwardTargetFlags, parseForwardRules } from './forward-flags.ts'
import type { ListenExitConditions } from './listen-runner.ts'
import type { ListenSettings } from './listener.ts'

/** The output formats of a listener. */
export type ListenOutputFormat = 'tui' | 'compact' | 'json' | 'quiet'

const OUTPUTS = ['tui', 'compact', 'json', 'quiet']
/** Headers of the signature and of the connection, which `--header` must not override. */
const RESERVED_HEADERS =
  /^(?:webhook-.*|paycli-signature|content-(?:type|length)|transfer-encoding|connection|keep-alive|upgrade|expect)$/

/** The flags of all commands that read the event stream. */
export const streamFlags: FlagInput = {
  events: repeatable({
    char: 'e',
    description:
      'Event types to include, such as invoice.* or *.completed. A leading ! excludes. Repeat for more types.',
    helpValue: '<glob>',
    delimiter: ',',
  }),
  filter: repeatable({
    description: 'Only events with this value at this path. Repeat for more conditions.',
    helpValue: '<path=value>',
  }),
  'exit-after': integer({ description: 'End after this number of events.', helpValue: '<n>', min: 1 }),
  until: string({ description: 'End after an event of this type or glob.', helpValue: '<event>' }),
  'max-wait': string({
    description:
      'Maximum time to listen (default: no limit). Exits with 7 if --exit-after or --until was not reached.',
    helpValue: '<60s>',
  }),
}

/** The flags of `webhooks listen` in addition to `streamFlags`. */
export const listenFlags: FlagInput = {
  ...forwardTargetFlags,
  header: repeatable({
    char: 'H',
    description: "Additional header of forwarded requests, such as 'X-Tenant: 7'. Repeat for more headers.",
    helpValue: '<name: value>',
  }),
  'skip-verify': boolean({
    description: 'Accept any TLS certificate of a target, such as a self-signed certificate.',
  }),
  since: string({
    description:
      'Include past events since this duration, time or event id. Use last for the events that the targets missed.',
    helpValue: '<last|10m|evt_…>',
  }),
  output: string({
    description:
      'Output format: screen, lines, NDJSON, or failures only (default: tui on a terminal, else compact).',
    options: OUTPUTS,
  }),
  'show-body': boolean({ description: 'Print lines with complete events and response bodies.' }),
  'fail-on-error': boolean({ description: 'Exit with 8 if a delivery failed.' }),
  'print-secret': boolean({ description: 'Print the signing secret of forwarded webhooks and exit.' }),
  // Flag names of other tools, accepted as aliases.
  headers: repeatable({ hidden: true }),
  'print-json': boolean({ hidden: true }),
  format: string({ hidden: true, options: ['json'] }),
}

/** Reads the settings of a listener from the flags. */
export function readListenSettings(flags: FlagValues): ListenSettings {
  const [targets = [], routes = [], globs = []] = ['forward-to', 'route', 'events'].map((name) =>
    listFlagValues(flags[name]),
  )
  const forwardRules = parseForwardRules(targets, targets.length === 0 ? [] : globs, routes)
  const isRouted = (type: EventType) => forwardRules.some((rule) => isEventEnabled(type, rule.events))
  const selected = globs.length === 0 ? null : new Set(selectEventTypes(globs, 'events'))
  const isSelected = (type: EventType) => selected?.has(type) ?? targets.length > 0
  const isAll = selected === null && forwardRules.length === 0
  const types = EVENT_TYPES.filter((type) => isAll || isSelected(type) || isRouted(type))
  return {
    types: types.length === EVENT_TYPES.length ? null : types,
    filter: parseWhere(listFlagValues(flags['filter']), 'filter'),
    forwardRules,
    headers: Object.fromEntries(
      ['header', 'headers'].flatMap((name) => listFlagValues(flags[name])).map(parseHeader),
    ),
  }
}

/** Reads the goal of a listener, and its maximum time in milliseconds, from the flags. */
export function readExitConditions(
  flags: FlagValues,
): ListenExitConditions & { readonly maxWaitMs: number | null } {
  const { until, 'exit-after': exitAfter, 'max-wait': maxWait } = flags
  return {
    exitAfter: exitAfter === undefined ? null : Number(exitAfter),
    until: until === undefined ? null : selectEventTypes([String(until)], 'until'),
    maxWaitMs: maxWait === undefined ? null : parseDurationSeconds('max-wait', String(maxWait)) * 1000,
  }
}

/** Returns the output format of the flags. The default is the screen on a terminal and lines elsewhere. */
export function getListenOutputFormat(
  flags: FlagValues,
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): ListenOutputFormat {
  const { output, json, format, field, 'print-json': printJson } = flags
  const isInCi = !['', '0', 'false'].includes(env['CI'] ?? '')
  const canShowScreen = isTerminal && !isInCi && env['TERM'] !== 'dumb'
  const isJson = json === true || printJson === true || format !== undefined
  if (isJson && output !== undefined && output !== 'json') {
    throw new UsageError('flag_invalid', `Give --output ${output} or JSON, not both.`, { param: 'output' })
  }
  if (isJson) return 'json'
  if (output === undefined && listFlagValues(field).length > 0) return 'json'
  // The screen shows one body at a time, so --show-body changes the default to compact output.
  const fallback = flags['show-body'] === true ? 'compact' : 'tui'
  const chosen = (output ?? fallback) as ListenOutputFormat
  return chosen === 'tui' && !canShowScreen ? 'compact' : chosen
}

function parseHeader(text: string): [name: string, value: string] {
  const [, name = '', value] = /^([\w!#$%&'*+.^`|~-]+):\s*([\t\x20-\x7e]*)$/.exec(text) ?? []
  if (value !== undefined && !RESERVED_HEADERS.test(name.toLowerCase()))
    return [name.toLowerCase(), value.trim()]
  const problem = value === undefined ? "expected 'name: value'" : `${name} is a reserved header`
  throw new UsageError('flag_invalid', `Invalid --header '${text}': ${problem}.`, {
    param: 'header',
    hint: "For instance -H 'X-Tenant: 7'",
  })
}
