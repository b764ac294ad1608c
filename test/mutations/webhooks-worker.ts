import { type Mutation, mutationsOf } from './mutation.ts'

const DELIVERIES = 'src/webhooks/deliveries.ts'
const WORKER = 'src/webhooks/worker.ts'
const RESENDS = {
  file: 'src/domain/webhook-resends.ts',
  test: 'test/api/operations/events.resending.test.ts',
}

/** Which deliveries are made in which order, by whom, and for how long. */
export const worker: readonly Mutation[] = [
  ...mutationsOf({ rule: 'webhooks 4', file: 'src/engine/commit.ts', test: 'test/engine/commit.test.ts' }, [
    [
      'deliveries are not stored with their event',
      'writes.push({ put: after })',
      'void after',
      'each endpoint is planned one delivery',
    ],
  ]),
  ...mutationsOf(
    {
      rule: 'webhooks 4',
      file: 'src/store/memory/record-store.ts',
      test: 'test/scenarios/killed-deliveries.test.ts',
    },
    [
      [
        'what is not on disk is told',
        'persisted.then(() => true)',
        'Promise.resolve(true)',
        'every committed event is delivered',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 4', file: WORKER, test: 'test/webhooks/worker.order.test.ts' }, [
    [
      'a start looks for first attempts only',
      '(await dueIn(retryQueue(endpoint))).slice(0, 1)',
      '[]',
      'a restarted process takes up what is pending',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 9', file: WORKER, test: 'test/webhooks/worker.order.test.ts' }, [
    [
      'the newest goes first',
      'first.length > 0 ? first :',
      'first.length > 0 ? first.toReversed() :',
      'in the order of the events',
    ],
    [
      'retries go before first attempts',
      'const first = await dueIn(deliveryQueue(endpoint))',
      'const late = await dueIn(retryQueue(endpoint)); const first = late.length > 0 ? late : await dueIn(deliveryQueue(endpoint))',
      'a first attempt goes before retries',
    ],
    [
      'tick waits for receivers',
      'loops.track(startLoops())',
      'loops.track(startLoops()).then(loops.idle)',
      'tick does not wait for a receiver',
    ],
  ]),
  ...mutationsOf(
    {
      rule: 'webhooks 9',
      file: 'src/webhooks/keyed-queue.ts',
      test: 'test/webhooks/worker.receivers.test.ts',
    },
    [
      [
        'endpoints wait for each other',
        'await drain(key)',
        'await Promise.all([...running].slice(1)); await drain(key)',
        'does not delay another',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 10', file: DELIVERIES, test: 'test/webhooks/worker.resends.test.ts' }, [
    [
      'a resend that fails is retried',
      "|| delivery.trigger === 'manual'",
      '|| false',
      'is not retried by itself',
    ],
    [
      'a success by hand ends no retries',
      "if (delivery.trigger === 'automatic')",
      'if (true)',
      'a resend that succeeds ends the retries',
    ],
  ]),
  ...mutationsOf(
    {
      rule: 'webhooks 10',
      file: 'src/domain/webhook-resends.ts',
      test: 'test/webhooks/worker.resends.test.ts',
    },
    [
      [
        'a resend is asked for twice',
        "byHand.some(({ status }) => status === 'pending')",
        'false',
        'is not asked for twice',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 10', ...RESENDS }, [
    [
      'what succeeded is recovered, too',
      "status === 'failed' || status === 'skipped'",
      'true',
      'a thousand are recovered at a time',
    ],
    [
      'recovery looks further back',
      'MAX_RECOVERY_SECONDS = 14 *',
      'MAX_RECOVERY_SECONDS = 15 *',
      'since = 1704104999',
    ],
  ]),
  ...mutationsOf(
    {
      rule: 'webhooks 10',
      file: 'src/engine/missed.ts',
      test: 'test/api/operations/events.resending.test.ts',
    },
    [
      [
        'more than a thousand are recovered at once',
        'MAX_EVENTS = 1000',
        'MAX_EVENTS = 2000',
        'a thousand are recovered at a time',
      ],
    ],
  ),
  ...mutationsOf(
    {
      rule: 'webhooks 10',
      file: 'src/daemon/background-jobs.ts',
      test: 'test/commands/webhooks.listen.test.ts',
    },
    [
      [
        'a resend passes a listener by',
        'return isOffered ?',
        "return isOffered && delivery.trigger === 'automatic' ?",
        'a resend from another terminal reaches the listener',
      ],
    ],
  ),
  ...mutationsOf(
    {
      rule: 'webhooks 11',
      file: 'src/domain/webhook-deliveries.ts',
      test: 'test/webhooks/worker.health.test.ts',
    },
    [
      [
        'what happens while it is disabled waits',
        "endpoint.status === 'enabled' ? planned : skipped(planned)",
        'planned',
        'is listed as skipped',
      ],
    ],
  ),
  ...mutationsOf(
    {
      rule: 'webhooks 11',
      file: 'src/domain/webhook-health.ts',
      test: 'test/webhooks/worker.health.test.ts',
    },
    [
      [
        'one more failure is forgiven',
        'MAX_FAILURES = 100',
        'MAX_FAILURES = 101',
        'a hundred failures in a row',
      ],
      [
        'one more day is forgiven',
        'MAX_FAILING_SECONDS = 5 *',
        'MAX_FAILING_SECONDS = 6 *',
        'five days of nothing but failures',
      ],
      [
        'a handler that is not running is given up',
        "error === 'refused' && LOOPBACK_HOST",
        'false && LOOPBACK_HOST',
        'is never given up',
      ],
      [
        'nobody who refuses is given up',
        '&& LOOPBACK_HOST.test(new URL(url).hostname)',
        '',
        'one of another machine that refuses',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 11', ...RESENDS }, [
    [
      'what was skipped cannot be recovered',
      "|| status === 'skipped'",
      '',
      'is listed as skipped, and recovered once it is enabled',
    ],
  ]),
  ...mutationsOf(
    { rule: 'webhooks 12', file: 'src/engine/retention.ts', test: 'test/engine/retention.test.ts' },
    [
      [
        'what waits to be delivered goes',
        "if (deliveries.some(({ status }) => status === 'pending'))",
        'if (false)',
        'never goes',
      ],
    ],
  ),
  ...mutationsOf(
    { rule: 'webhooks 12', file: 'src/domain/retention.ts', test: 'test/engine/retention.test.ts' },
    [
      [
        'age is not looked at',
        'newest - rules.maxEvents, old)',
        'newest - rules.maxEvents)',
        'events older than the age go',
      ],
      [
        'number is not looked at',
        'newest - rules.maxEvents, old)',
        'old)',
        'of too many events the oldest go',
      ],
    ],
  ),
]
