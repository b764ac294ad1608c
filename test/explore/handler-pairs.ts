import { join } from 'node:path'
import type { FaultSchedule } from '../../src/cli/explore/model/schedule.ts'
import { quoteForShell } from '../../src/domain/text/shell-quote.ts'
import { type Ended, paycli } from '../commands/paycli.ts'
import { newFolder } from '../support/folders.ts'
import { ROOT } from '../support/root.ts'
import type { Integration } from './replays.ts'

const FOLDER = join(ROOT, 'test', 'explore', 'handlers')
/** `node:sqlite` warns that it is experimental. */
const NODE_COMMAND = [process.execPath, '--disable-warning=ExperimentalWarning']

/** An integration with one bug, and its correction; both are in the folder of this name. */
export interface HandlerPair {
  readonly name: string
  readonly language: 'javascript' | 'python'
  /** The output of both integrations after a run without faults, with `in_…` in place of ids, such as invoice ids. */
  readonly final: string
  /** The faults that reveal the bug. */
  readonly schedule: FaultSchedule
}

/** The integration of a pair: with the bug, or with its correction. */
export type HandlerVariant = 'wrong' | 'correct'

type Fault = FaultSchedule[number]

/** Returns a schedule with a fault at the first delivery of an event type. */
function onDelivery(
  fault: Fault['fault'],
  event_type: string,
  options: Fault['options'] = {},
): FaultSchedule {
  return [{ fault, at: { kind: 'delivery', event_type, occurrence: 1 }, options }]
}

/** Returns a schedule with a fault at the first request of an operation. */
function onRequest(fault: Fault['fault'], operation: string, options: Fault['options'] = {}): FaultSchedule {
  return [{ fault, at: { kind: 'request', operation, occurrence: 1 }, options }]
}

/** The thirteen pairs. */
export const HANDLER_PAIRS: readonly HandlerPair[] = [
  {
    name: 'duplicate-event',
    language: 'javascript',
    final: '{"ada":100}',
    schedule: onDelivery('duplicate', 'payment_session.completed'),
  },
  {
    name: 'concurrent-duplicate',
    language: 'javascript',
    final: '[{"order_id":"order-1","licences":1}]',
    schedule: onDelivery('duplicate', 'payment_session.completed', { order: 'concurrent' }),
  },
  {
    name: 'stale-snapshot',
    language: 'javascript',
    final: '[{"user":"ada","status":"active","ends_at_period_end":1}]',
    schedule: onDelivery('hold', 'subscription.created'),
  },
  {
    name: 'unknown-payment',
    language: 'javascript',
    final: '[{"id":"order-1","status":"paid"}]',
    // Even a fast app receives the response after the event, because the fault delays the response.
    schedule: onDelivery('early', 'payment.succeeded'),
  },
  {
    name: 'charge-without-key',
    language: 'javascript',
    final: '{"topUps":[2000]}',
    schedule: onRequest('drop_response', 'payments.create'),
  },
  {
    name: 'new-key-per-attempt',
    language: 'python',
    final: '{"refunds": [400]}',
    schedule: onRequest('drop_response', 'refunds.create'),
  },
  {
    name: 'swallowed-error',
    language: 'javascript',
    final: '[{"user":"ada","months":3}]',
    schedule: onRequest('error', 'subscriptions.retrieve', { http_status: 500 }),
  },
  {
    name: 'memory-dedup',
    language: 'python',
    final: '{"accounts": [{"user": "ada", "credits": 200}]}',
    schedule: onDelivery('restart', 'invoice.paid', { moment: 'after' }),
  },
  {
    name: 'acknowledged-early',
    language: 'javascript',
    final: '[{"order_id":"order-1"}]',
    schedule: onRequest('restart', 'payment_sessions.retrieve', { moment: 'before' }),
  },
  {
    name: 'error-on-duplicate',
    language: 'javascript',
    final: '[{"invoice":"in_…","amount":900},{"invoice":"in_…","amount":900}]',
    schedule: onDelivery('restart', 'invoice.paid', { moment: 'after' }),
  },
  {
    name: 'old-signature',
    language: 'javascript',
    final: '[{"brand":"mastercard","last4":"4444"}]',
    schedule: onDelivery('old_timestamp', 'payment_method.attached'),
  },
  {
    name: 'marked-before-done',
    language: 'javascript',
    final: '[{"user":"ada","seats":3}]',
    schedule: onRequest('error', 'subscriptions.retrieve', { http_status: 500 }),
  },
  {
    name: 'access-on-renewal',
    language: 'javascript',
    final: '[{"status":"open"}]',
    // The first charge is that of the session.
    schedule: [{ fault: 'decline', at: { kind: 'payment', occurrence: 2 }, options: {} }],
  },
]

/** Returns an integration of a pair with a separate database. */
export function integrationOf({ name, language, final }: HandlerPair, variant: HandlerVariant): Integration {
  const folder = join(FOLDER, name)
  return {
    app:
      language === 'python'
        ? ['python3', join(folder, `${variant}.py`)]
        : [...NODE_COMMAND, join(folder, `${variant}.mjs`)],
    scenario: [...NODE_COMMAND, join(folder, 'scenario.mjs')].map(quoteForShell).join(' '),
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
