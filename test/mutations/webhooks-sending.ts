import { type Mutation, mutationsOf } from './mutation.ts'

const SEND = { file: 'src/webhooks/send.ts', test: 'test/webhooks/send.test.ts' }
const FAILURES = { file: 'src/webhooks/send.ts', test: 'test/webhooks/send.failures.test.ts' }
const SCHEDULE = { file: 'src/webhooks/schedule.ts', test: 'test/webhooks/schedule.test.ts' }
const DELIVERIES = 'src/webhooks/deliveries.ts'

/** How deliveries are sent, when again, and what is told of them. */
export const sending: readonly Mutation[] = [
  ...mutationsOf({ rule: 'webhooks 5', ...SEND }, [
    [
      'a redirect is a success',
      'status >= 200 && status < 300',
      'status >= 200 && status < 400',
      'is redirect',
    ],
    ['any answer is a success', 'status >= 200 && status < 300', 'status >= 200', 'is http_status'],
    [
      'a redirect is followed',
      'dispatcher: agent,',
      "dispatcher: agent.compose((await import('undici')).interceptors.redirect({ maxRedirections: 1 })),",
      'is redirect',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 5', file: DELIVERIES, test: 'test/webhooks/worker.failures.test.ts' }, [
    ['410 disables nothing', 'http_status === GONE_STATUS', 'false', '410 disables the endpoint'],
  ]),
  ...mutationsOf({ rule: 'webhooks 5', ...SCHEDULE }, [
    ['504 is no overload', '[429, 502, 503, 504]', '[429, 502, 503]', 'a minute at least'],
    ['a timeout is no overload', "failure.error === 'timeout'", 'false', 'a minute at least'],
    [
      'an overload waits a little less',
      'OVERLOAD_WAIT_SECONDS = 60',
      'OVERLOAD_WAIT_SECONDS = 59',
      'a minute at least',
    ],
    ['Retry-After has no lower bound', 'Math.max(askedMs, base * 1000)', 'askedMs', 'Retry-After'],
    [
      'Retry-After has no upper bound',
      'Math.min(Math.max(askedMs, base * 1000), 2 * base * 1000)',
      'Math.max(askedMs, base * 1000)',
      'Retry-After',
    ],
    ['a date in Retry-After is not read', 'HTTP_DATE.test(text) ?', 'false ?', 'Retry-After'],
  ]),
  ...mutationsOf({ rule: 'webhooks 6', ...SCHEDULE }, [
    [
      'an attempt is missing',
      "'0,5s,5m,30m,2h,5h,10h,10h'",
      "'0,5s,5m,30m,2h,5h,10h'",
      'the default schedule is',
    ],
    ['waits grow by more than a fifth', '(base * 6) / 5', '(base * 7) / 5', 'the next waits'],
    ['waits are never shorter', '(base * 4) / 5', 'base', 'the next waits'],
  ]),
  ...mutationsOf({ rule: 'webhooks 6', file: DELIVERIES, test: 'test/webhooks/worker.test.ts' }, [
    [
      'waits count from the start of a second',
      'nowMs: means.wallNowMs()',
      'nowMs: Math.floor(means.wallNowMs() / 1000) * 1000',
      'is neither early nor a second late',
    ],
  ]),
  ...mutationsOf(
    { rule: 'webhooks 6', file: 'src/webhooks/worker.ts', test: 'test/webhooks/worker.test.ts' },
    [
      [
        'retries are made at the start of the second they are due in',
        '(due.next_attempt_at ?? 0) <= now &&',
        '',
        'is neither early nor a second late',
      ],
    ],
  ),
  ...mutationsOf(
    { rule: 'webhooks 6', file: 'src/domain/webhook-deliveries.ts', test: 'test/webhooks/worker.test.ts' },
    [
      [
        'when the next attempt is due is not stored',
        'isDone ? null : nextAttemptAt',
        'null',
        'the whole default schedule runs',
      ],
    ],
  ),
  ...mutationsOf(
    {
      rule: 'webhooks 6',
      file: 'src/daemon/background-jobs.ts',
      test: 'test/daemon/background-jobs.test.ts',
    },
    [
      [
        '--retry-schedule is read and not used',
        'parseSchedule(retries)',
        '(parseSchedule(retries), DEFAULT_SCHEDULE)',
        'are made after 80 to 120 seconds',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 7', ...SEND }, [
    [
      '15 seconds are not what is usual',
      'TIMEOUT_MS = 15_000',
      'TIMEOUT_MS = 20_000',
      'a receiver has 15 seconds unless told otherwise',
    ],
    [
      'a body may take longer',
      'await readStart(response.body, chunks)',
      'clearTimeout(timer); await readStart(response.body, chunks)',
      'headers and body share the time',
    ],
    ['more than 16 KiB is kept', 'KEPT_BYTES = 16 *', 'KEPT_BYTES = 17 *', '16 KiB is kept whole'],
    [
      'nobody hears that it was cut',
      'bytes.length > KEPT_BYTES || encoded',
      'encoded',
      'one byte more is cut and flagged',
    ],
    [
      'answers are inflated',
      'const bytes = Buffer.concat(chunks)',
      "const packed = Buffer.concat(chunks); const bytes = packed[0] === 31 ? process.getBuiltinModule('node:zlib').gunzipSync(packed, { finishFlush: 2 }) : packed",
      'a gzip bomb stays packed',
    ],
    [
      'connections are not kept',
      'headersTimeout: 0,',
      'headersTimeout: 0, pipelining: 0,',
      'connections are kept alive',
    ],
    [
      'receivers of one origin share a connection',
      'headersTimeout: 0,',
      'headersTimeout: 0, connections: 1,',
      'does not hold up another path',
    ],
  ]),
  ...mutationsOf(
    { rule: 'webhooks 7', file: 'src/webhooks/request.ts', test: 'test/webhooks/worker.test.ts' },
    [
      [
        'packed answers are taken',
        "'accept-encoding': 'identity'",
        "'accept-encoding': 'gzip'",
        'a success is recorded with all',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 8', file: DELIVERIES, test: 'test/webhooks/worker.test.ts' }, [
    ['attempts are not counted', 'failed.attempt + 1', 'failed.attempt', 'the whole default schedule runs'],
  ]),
  ...mutationsOf(
    {
      rule: 'webhooks 8',
      file: 'src/domain/webhook-deliveries.ts',
      test: 'test/webhooks/worker.resends.test.ts',
    },
    [
      [
        'what was sent by hand does not say so',
        "attempt.trigger ?? 'automatic'",
        "'automatic'",
        'is not retried by itself',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 8', ...SEND }, [
    ['no time is told', 'Math.round(nowMs() - startedMs)', '0', 'durations come from the given clock'],
    ['the answer is not kept', 'status === null ? null : text', 'null', 'is kept whole'],
    [
      'a timeout has another name',
      "'protocol' : 'timeout'",
      "'protocol' : 'connection'",
      'silence ends after',
    ],
    [
      'a redirect has another name',
      "return { error: 'redirect', message }",
      "return { error: 'http_status', message }",
      'is redirect',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 8', ...FAILURES }, [
    ['a missing host has another name', "return 'dns'", "return 'connection'", 'a host that does not exist'],
    [
      'a refused connection has another name',
      "return 'refused'",
      "return 'connection'",
      'refuses the connection',
    ],
    [
      'informational responses are not counted',
      'informational += 1',
      '',
      'without end is given up after ten',
    ],
    ['a reset has another name', "return 'reset'", "return 'connection'", 'a reset before the answer'],
    ['a failed handshake has another name', "? 'tls' :", "? 'connection' :", 'is a TLS error'],
    [
      'what was not allowed has another name',
      "return 'blocked'",
      "return 'connection'",
      'a name of which nothing but its addresses is wrong',
    ],
  ]),
]
