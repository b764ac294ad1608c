import { type Mutation, mutationsOf } from './mutation.ts'

const ORDER = 'test/webhooks/worker.order.test.ts'
const RESENDS = 'test/webhooks/worker.resends.test.ts'
const RESENDING = 'test/api/operations/events.resending.test.ts'
const HEALTH = 'test/webhooks/worker.health.test.ts'

/** Mutations of the rules on durable deliveries, their order, resends, disabled endpoints and retention. */
export const workerMutations: readonly Mutation[] = [
  ...mutationsOf({ rule: 'webhooks 4', file: 'src/engine/commit.ts' }, [
    [
      'deliveries are not stored with their event',
      'writes.push({ put: after })',
      'void after',
      'plans one delivery per event',
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
        'events are delivered before they are durable',
        'isKept: durability.persist({ writes, undo }).then(() => true)',
        'isKept: (durability.persist({ writes, undo }), Promise.resolve(true))',
        'delivers every committed event',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 4', file: 'src/webhooks/worker.ts', test: ORDER }, [
    [
      'the start ignores pending retries',
      '(await loadDue(getRetryQueue(endpoint))).slice(0, 1)',
      '[]',
      'a restarted process continues pending deliveries',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 9', file: 'src/webhooks/worker.ts', test: ORDER }, [
    [
      'the newest event is sent first',
      'first.length > 0 ? first :',
      'first.length > 0 ? first.toReversed() :',
      'in the order of the events',
    ],
    [
      'retries are sent before first attempts',
      'const first = await loadDue(getFirstAttemptQueue(endpoint))',
      'const late = await loadDue(getRetryQueue(endpoint)); const first = late.length > 0 ? late : await loadDue(getFirstAttemptQueue(endpoint))',
      'sends first attempts before retries',
    ],
    [
      'a tick waits for responses',
      'queue.track(startEndpoints())',
      'queue.track(startEndpoints()).then(queue.idle)',
      'tick() does not wait for endpoints',
    ],
  ]),
  ...mutationsOf(
    { rule: 'webhooks 9', file: 'src/webhooks/keyed-queue.ts', test: 'test/webhooks/worker.http.test.ts' },
    [
      [
        'endpoints wait for each other',
        'await drain(key)',
        'await Promise.all([...running].slice(1)); await drain(key)',
        'a stalled endpoint does not delay others',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 10', file: 'src/webhooks/delivery-attempts.ts', test: RESENDS }, [
    [
      'a resend that fails is retried',
      "|| delivery.trigger === 'manual'",
      '|| false',
      'a failed resend is not retried',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 10', file: 'src/engine/delivery-results.ts', test: RESENDS }, [
    [
      'a success by hand ends no retries',
      "if (delivery.trigger === 'automatic')",
      'if (true)',
      'a successful resend ends the retries',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 10', file: 'src/domain/events/webhook-resends.ts', test: RESENDS }, [
    [
      'an event has two pending resends',
      "manual.some(({ status }) => status === 'pending')",
      'false',
      'does not plan a second resend',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 10', file: 'src/domain/events/webhook-resends.ts', test: RESENDING }, [
    [
      'delivered events are recovered too',
      "status === 'failed' || status === 'skipped'",
      'true',
      'recovers at most 1000 events per request',
    ],
    [
      'recovery looks further back',
      'MAX_RECOVERY_SECONDS = 14 *',
      'MAX_RECOVERY_SECONDS = 15 *',
      'since = 1704104999',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 10', file: 'src/engine/missed-deliveries.ts', test: RESENDING }, [
    [
      'more than a thousand are recovered at once',
      'MAX_EVENTS = 1000',
      'MAX_EVENTS = 2000',
      'recovers at most 1000 events per request',
    ],
  ]),
  ...mutationsOf(
    {
      rule: 'webhooks 10',
      file: 'src/daemon/jobs/background-jobs.ts',
      test: 'test/commands/webhooks.listen.test.ts',
    },
    [
      [
        'resends skip listeners',
        'if (!isListenerEndpoint(endpoint))',
        "if (!isListenerEndpoint(endpoint) || delivery.trigger !== 'automatic')",
        'forwards an event that is resent',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 11', file: 'src/domain/events/webhook-deliveries.ts', test: HEALTH }, [
    [
      'deliveries of disabled endpoints are pending',
      "endpoint.status === 'enabled' ? planned : skipped(planned)",
      'planned',
      'records events of a disabled endpoint as skipped',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 11', file: 'src/domain/events/webhook-health.ts', test: HEALTH }, [
    [
      'the failure limit is one higher',
      'MAX_FAILURES = 100',
      'MAX_FAILURES = 101',
      'disables an endpoint after 100 consecutive failures',
    ],
    [
      'the failure duration is one day longer',
      'MAX_FAILING_SECONDS = 5 *',
      'MAX_FAILING_SECONDS = 6 *',
      'disables an endpoint after exactly five days',
    ],
    [
      'a stopped local handler counts as a failure',
      "error === 'refused' && isLoopbackHost",
      'false && isLoopbackHost',
      'never disables the endpoint of a stopped handler',
    ],
    [
      'refused connections never count as failures',
      '&& isLoopbackHost(new URL(url).hostname)',
      '',
      'disables an endpoint on another machine',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 11', file: 'src/domain/events/webhook-resends.ts', test: RESENDING }, [
    [
      'skipped events cannot be recovered',
      "|| status === 'skipped'",
      '',
      'and recovers them after it is enabled',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 12', file: 'src/engine/retention.ts' }, [
    [
      'events with pending deliveries are deleted',
      "if (deliveries.some(({ status }) => status === 'pending'))",
      'if (false)',
      'keeps an event with a pending delivery',
    ],
  ]),
  ...mutationsOf(
    { rule: 'webhooks 12', file: 'src/domain/time/retention.ts', test: 'test/engine/retention.test.ts' },
    [
      [
        'the age limit is ignored',
        'newest - rules.maxEvents, old)',
        'newest - rules.maxEvents)',
        'deletes events over the maximum age',
      ],
      [
        'the number limit is ignored',
        'newest - rules.maxEvents, old)',
        'old)',
        'deletes the oldest events over the maximum number',
      ],
    ],
  ),
]
