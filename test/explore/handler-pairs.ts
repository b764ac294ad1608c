import { join } from 'node:path'
import type { Schedule } from '../../src/cli/explore/model/schedule.ts'
import { type Ended, paycli } from '../commands/paycli.ts'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { shellQuote } from '../support/shell-quote.ts'

const FOLDER = join(ROOT, 'test', 'explore', 'handlers')
/** `node:sqlite` warns that it is experimental. */
const NODE_COMMAND = [process.execPath, '--disable-warning=ExperimentalWarning']

/** An integration with one bug, and its correction; both are in the folder of this name. */
export interface HandlerPair {
  readonly name: string
  readonly language: 'javascript' | 'python'
  /** The faults that show the bug. */
  readonly schedule: Schedule
}

/** Which integration of a pair. */
export type HandlerVariant = 'wrong' | 'correct'

/** The twelve pairs. */
export const HANDLER_PAIRS: readonly HandlerPair[] = [
  {
    name: 'duplicate-event',
    language: 'javascript',
    schedule: [
      {
        fault: 'duplicate',
        at: { kind: 'delivery', event_type: 'payment_session.completed', occurrence: 1 },
        options: {},
      },
    ],
  },
  {
    name: 'concurrent-duplicate',
    language: 'javascript',
    schedule: [
      {
        fault: 'duplicate',
        at: { kind: 'delivery', event_type: 'payment_session.completed', occurrence: 1 },
        options: { order: 'concurrent' },
      },
    ],
  },
  {
    name: 'stale-snapshot',
    language: 'javascript',
    schedule: [
      {
        fault: 'hold',
        at: { kind: 'delivery', event_type: 'subscription.created', occurrence: 1 },
        options: {},
      },
    ],
  },
  {
    name: 'unknown-payment',
    language: 'javascript',
    schedule: [
      {
        // The response comes after the event, as fast as the app may be.
        fault: 'early',
        at: { kind: 'delivery', event_type: 'payment.succeeded', occurrence: 1 },
        options: {},
      },
    ],
  },
  {
    name: 'charge-without-key',
    language: 'javascript',
    schedule: [
      {
        fault: 'drop_response',
        at: { kind: 'request', operation: 'payments.create', occurrence: 1 },
        options: {},
      },
    ],
  },
  {
    name: 'new-key-per-attempt',
    language: 'python',
    schedule: [
      {
        fault: 'drop_response',
        at: { kind: 'request', operation: 'refunds.create', occurrence: 1 },
        options: {},
      },
    ],
  },
  {
    name: 'swallowed-error',
    language: 'javascript',
    schedule: [
      {
        fault: 'error',
        at: { kind: 'request', operation: 'subscriptions.retrieve', occurrence: 1 },
        options: { http_status: 500 },
      },
    ],
  },
  {
    name: 'memory-dedup',
    language: 'python',
    schedule: [
      {
        fault: 'restart',
        at: { kind: 'delivery', event_type: 'invoice.paid', occurrence: 1 },
        options: { moment: 'after' },
      },
    ],
  },
  {
    name: 'acknowledged-early',
    language: 'javascript',
    schedule: [
      {
        fault: 'restart',
        at: { kind: 'request', operation: 'payment_sessions.retrieve', occurrence: 1 },
        options: { moment: 'before' },
      },
    ],
  },
  {
    name: 'error-on-duplicate',
    language: 'javascript',
    schedule: [
      {
        fault: 'restart',
        at: { kind: 'delivery', event_type: 'invoice.paid', occurrence: 1 },
        options: { moment: 'after' },
      },
    ],
  },
  {
    name: 'old-signature',
    language: 'javascript',
    schedule: [
      {
        fault: 'old_timestamp',
        at: { kind: 'delivery', event_type: 'payment_method.attached', occurrence: 1 },
        options: {},
      },
    ],
  },
  {
    name: 'marked-before-done',
    language: 'javascript',
    schedule: [
      {
        fault: 'error',
        at: { kind: 'request', operation: 'subscriptions.retrieve', occurrence: 1 },
        options: { http_status: 500 },
      },
    ],
  },
]

/** Runs `paycli explore` on an integration with additional flags. */
export function exploreHandler(
  { name, language }: HandlerPair,
  variant: HandlerVariant,
  flags: readonly string[],
): Promise<Ended> {
  const folder = join(FOLDER, name)
  const ownFolder = newFolder()
  const script = (path: string) => [...NODE_COMMAND, path].map(shellQuote).join(' ')
  const app =
    language === 'python'
      ? ['python3', join(folder, `${variant}.py`)]
      : [...NODE_COMMAND, join(folder, `${variant}.mjs`)]
  const args = [
    ...['explore', script(join(folder, 'scenario.mjs')), '--forward-to', '/webhooks'],
    ...['--observe', script(join(FOLDER, 'lib', 'observe.mjs'))],
    ...['--reset', 'rm -f "$DATABASE" "$DATABASE-journal"'],
    ...(flags.includes('--write') ? [] : ['--write', join(ownFolder, 'schedule.json')]),
    ...[...flags, '--', ...app],
  ]
  return paycli(args, { env: { DATABASE: join(ownFolder, 'orders.sqlite') } })
}
