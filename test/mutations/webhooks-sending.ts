import { type Mutation, mutationsOf } from './mutation.ts'

const WORKER = 'test/webhooks/worker.test.ts'
const FAILURES = 'test/webhooks/send.failures.test.ts'

/** Mutations of the rules on sending, retrying and recording deliveries. */
export const sendingMutations: readonly Mutation[] = [
  ...mutationsOf({ rule: 'webhooks 5', file: 'src/webhooks/send.ts' }, [
    [
      'a redirect is a success',
      'status >= 200 && status < 300',
      'status >= 200 && status < 400',
      'as redirect',
    ],
  ]),
  ...mutationsOf(
    {
      rule: 'webhooks 5',
      file: 'src/engine/delivery-results.ts',
      test: 'test/webhooks/worker.failures.test.ts',
    },
    [
      [
        '410 disables nothing',
        'http_status === GONE_STATUS',
        'false',
        'a 410 response disables the endpoint',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 5', file: 'src/webhooks/schedule.ts' }, [
    ['504 is no overload', '[429, 502, 503, 504]', '[429, 502, 503]', 'delays a retry by at least a minute'],
    [
      'a timeout is no overload',
      "failure.error === 'timeout'",
      'false',
      'delays a retry by at least a minute',
    ],
    [
      'an overload waits a little less',
      'OVERLOAD_WAIT_SECONDS = 60',
      'OVERLOAD_WAIT_SECONDS = 59',
      'delays a retry by at least a minute',
    ],
    ['Retry-After has no lower bound', 'Math.max(requestedMs, base * 1000)', 'requestedMs', 'Retry-After'],
    [
      'Retry-After has no upper bound',
      'Math.min(Math.max(requestedMs, base * 1000), 2 * base * 1000)',
      'Math.max(requestedMs, base * 1000)',
      'Retry-After',
    ],
    ['a date in Retry-After is not read', 'HTTP_DATE.test(text) ?', 'false ?', 'Retry-After'],
  ]),
  ...mutationsOf({ rule: 'webhooks 6', file: 'src/webhooks/schedule.ts' }, [
    [
      'an attempt is missing',
      "'0,5s,5m,30m,2h,5h,10h,10h'",
      "'0,5s,5m,30m,2h,5h,10h'",
      'the default schedule is',
    ],
    ['waits grow by more than a fifth', '(base * 6) / 5', '(base * 7) / 5', 'retries attempt'],
    ['waits are never shorter', '(base * 4) / 5', 'base', 'retries attempt'],
  ]),
  ...mutationsOf({ rule: 'webhooks 6', file: 'src/webhooks/delivery-attempts.ts', test: WORKER }, [
    [
      'waits count from the start of a second',
      'nowMs: options.wallNowMs()',
      'nowMs: Math.floor(options.wallNowMs() / 1000) * 1000',
      'retries on time',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 6', file: 'src/webhooks/worker.ts' }, [
    [
      'retries are made at the start of the second they are due in',
      '(due.next_attempt_at ?? 0) <= now &&',
      '',
      'retries on time',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 6', file: 'src/domain/events/webhook-deliveries.ts', test: WORKER }, [
    [
      'the time of the next attempt is not stored',
      'isSuccess ? null : nextAttemptAt',
      'null',
      'runs the default schedule',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 6', file: 'src/daemon/jobs/background-jobs.ts' }, [
    [
      '--retry-schedule is read and not used',
      'parseRetrySchedule(retries)',
      '(parseRetrySchedule(retries), DEFAULT_SCHEDULE)',
      'schedules the first retry after 80 to 120 seconds',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 7', file: 'src/webhooks/send.ts' }, [
    [
      'the default timeout is not 15 seconds',
      'TIMEOUT_MS = 15_000',
      'TIMEOUT_MS = 20_000',
      'uses a timeout of 15 seconds by default',
    ],
    [
      'more than 16 KiB of the body are stored',
      'KEPT_BYTES = 16 *',
      'KEPT_BYTES = 17 *',
      'stores a response body of 16 KiB',
    ],
    [
      'truncation is not reported',
      'bytes.length > KEPT_BYTES || encoded',
      'encoded',
      'and truncates a longer one',
    ],
    [
      'response bodies are decompressed',
      'const bytes = Buffer.concat(chunks)',
      "const packed = Buffer.concat(chunks); const bytes = packed[0] === 31 ? process.getBuiltinModule('node:zlib').gunzipSync(packed, { finishFlush: 2 }) : packed",
      'does not decompress responses',
    ],
    [
      'connections are not reused',
      'keepAlive: true',
      'keepAlive: false',
      'reuses a connection for consecutive requests',
    ],
    [
      'endpoints of one origin share a connection',
      'keepAlive: true',
      'keepAlive: true, maxSockets: 1',
      'does not delay another path',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 7', file: 'src/webhooks/delivery-request.ts', test: WORKER }, [
    [
      'compressed responses are requested',
      "'accept-encoding': 'identity'",
      "'accept-encoding': 'gzip'",
      'records a success with its request',
    ],
  ]),
  ...mutationsOf(
    { rule: 'webhooks 7', file: 'src/webhooks/exchange.ts', test: 'test/webhooks/send.test.ts' },
    [
      [
        'a request is sent after its timeout',
        'request.destroy()',
        'request.ref?.()',
        'sends nothing when the timeout ends',
      ],
      [
        'reading a body has no timeout',
        "() => abort('timeout')",
        "() => response ?? abort('timeout')",
        'applies one timeout to headers and body',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 8', file: 'src/engine/delivery-results.ts', test: WORKER }, [
    ['attempts are not counted', 'failed.attempt + 1', 'failed.attempt', 'runs the default schedule'],
  ]),
  ...mutationsOf(
    {
      rule: 'webhooks 8',
      file: 'src/domain/events/webhook-deliveries.ts',
      test: 'test/webhooks/worker.resends.test.ts',
    },
    [
      [
        'a manual attempt has no trigger manual',
        "attempt.trigger ?? 'automatic'",
        "'automatic'",
        'a failed resend is not retried',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 8', file: 'src/webhooks/send.ts' }, [
    [
      'the duration is not stored',
      'Math.round(nowMs() - startedMs)',
      '0',
      'measures durations with the injected clock',
    ],
    [
      'the response is not stored',
      'status === null ? null : text',
      'null',
      'stores a response body of 16 KiB',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 8', file: 'src/webhooks/exchange.ts', test: FAILURES }, [
    [
      'informational responses are not counted',
      'informational += 1',
      'informational += 0',
      'aborts after more than ten',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 8', file: 'src/webhooks/send.ts', test: FAILURES }, [
    [
      'a missing host has another name',
      "return 'dns'",
      "return 'connection'",
      'names the host in the error when the host does not exist',
    ],
  ]),
]
