import { join } from 'node:path'
import type { Schedule } from '../../src/cli/explore/model/schedule.ts'
import { type Ended, paycli } from '../commands/paycli.ts'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import { shellQuote } from '../support/shell-quote.ts'
import type { Integration } from './replays.ts'

const FOLDER = join(ROOT, 'test', 'explore', 'handlers')
/** `node:sqlite` warns that it is experimental. */
const NODE_COMMAND = [process.execPath, '--disable-warning=ExperimentalWarning']

/** An integration with one bug, and its correction; both are in the folder of this name. */
export interface HandlerPair {
  readonly name: string
  readonly language: 'javascript' | 'python'
  /** What both integrations print at the end of a run without faults, with `in_…` in place of ids such as those of invoices. */
  readonly final: string
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
    final: '{"ada":100}',
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
    final: '[{"order_id":"order-1","licences":1}]',
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
    final: '[{"user":"ada","status":"active","ends_at_period_end":1}]',
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
    final: '[{"id":"order-1","status":"paid"}]',
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
    final: '{"topUps":[2000]}',
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
    final: '{"refunds": [400]}',
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
    final: '[{"user":"ada","months":3}]',
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
    final: '{"accounts": [{"user": "ada", "credits": 200}]}',
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
    final: '[{"order_id":"order-1"}]',
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
    final: '[{"invoice":"in_…","amount":900},{"invoice":"in_…","amount":900}]',
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
    final: '[{"brand":"mastercard","last4":"4444"}]',
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
    final: '[{"user":"ada","seats":3}]',
    schedule: [
      {
        fault: 'error',
        at: { kind: 'request', operation: 'subscriptions.retrieve', occurrence: 1 },
        options: { http_status: 500 },
      },
    ],
  },
]

/** Returns an integration of a pair, with a database of its own. */
export function integrationOf({ name, language, final }: HandlerPair, variant: HandlerVariant): Integration {
  const folder = join(FOLDER, name)
  return {
    app:
      language === 'python'
        ? ['python3', join(folder, `${variant}.py`)]
        : [...NODE_COMMAND, join(folder, `${variant}.mjs`)],
    scenario: [...NODE_COMMAND, join(folder, 'scenario.mjs')].map(shellQuote).join(' '),
    observe: 'curl -s 127.0.0.1:$PORT/debug/orders',
    reset: 'rm -f "$DATABASE" "$DATABASE-journal"',
    final,
    env: { DATABASE: join(newFolder(), 'orders.sqlite') },
  }
}

/** Runs `paycli explore` on an integration with additional flags. */
export function exploreHandler(
  pair: HandlerPair,
  variant: HandlerVariant,
  flags: readonly string[],
): Promise<Ended> {
  const { app, scenario, observe, reset, env } = integrationOf(pair, variant)
  const args = [
    ...['explore', scenario, '--forward-to', '/webhooks', '--observe', observe, '--reset', reset],
    ...(flags.includes('--write') ? [] : ['--write', join(newFolder(), 'schedule.json')]),
    ...[...flags, '--', ...app],
  ]
  return paycli(args, { env })
}
