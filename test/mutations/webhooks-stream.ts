import { type Mutation, mutationsOf } from './mutation.ts'

const FOLLOW = { rule: 'webhooks 14', file: 'src/client/follow.ts', test: 'test/client/follow.test.ts' }
const CONNECTION = 'src/daemon/stream-connection.ts'
const CONNECTED = 'test/daemon/stream-connection.test.ts'
const ROUTES = {
  rule: 'webhooks 14',
  file: 'src/daemon/stream-routes.ts',
  test: 'test/daemon/stream-routes.test.ts',
}

/** The live stream, and those who send for it. */
export const stream: readonly Mutation[] = [
  ...mutationsOf(ROUTES, [
    [
      'Last-Event-ID is not read',
      "positionOf(ctx.get('Last-Event-ID')) ?? params.after",
      'params.after',
      'Last-Event-ID resumes',
    ],
    [
      'nothing is written at once',
      "response.write(': paycli\\n\\n')",
      '',
      'the stream begins with a comment',
    ],
  ]),
  ...mutationsOf({ ...ROUTES, file: 'src/daemon/stream-source.ts' }, [
    ['events carry no place', 'String(event.sequence)))', 'null))', 'tells of events with their places'],
  ]),
  ...mutationsOf({ rule: 'webhooks 14', file: 'src/daemon/stream-source.ts', test: CONNECTED }, [
    [
      'what is gone is left out in silence',
      'if (next > cursor + 1)',
      'if (false)',
      'what is not kept any more is reset',
    ],
  ]),
  ...mutationsOf({ ...ROUTES, file: CONNECTION }, [
    [
      'the heartbeat is late',
      'HEARTBEAT_MS = 15_000',
      'HEARTBEAT_MS = 16_000',
      'heartbeat with its place every 15 seconds',
    ],
  ]),
  ...mutationsOf(FOLLOW, [
    [
      'it does not resume',
      'place.after = frame.id',
      'place.database ??= null',
      'is taken up after the last event',
    ],
    [
      'silence is waited out',
      'AbortSignal.any([signal, silence.signal])',
      'AbortSignal.any([signal])',
      'silence counts as an end',
    ],
    [
      '45 seconds are not what is usual',
      'SILENCE_MS = 45_000',
      'SILENCE_MS = 60_000',
      '45 seconds of silence are an end',
    ],
    [
      'it begins with a longer pause',
      'FIRST_PAUSE_MS = 250',
      'FIRST_PAUSE_MS = 500',
      'it waits longer after each failure',
    ],
    [
      'pauses grow beyond five seconds',
      'LONGEST_PAUSE_MS = 5000',
      'LONGEST_PAUSE_MS = 6000',
      'it waits longer after each failure',
    ],
    [
      'it gives up',
      'if (!place.hasBeenReady ||',
      'if (failures > 3 || !place.hasBeenReady ||',
      'it tries again for ever',
    ],
    [
      'nobody hears that it stays down',
      "'retrying' : 'down'",
      "'retrying' : 'retrying'",
      'says when it stays down',
    ],
  ]),
  ...mutationsOf(
    { rule: 'webhooks 15', file: 'src/daemon/stream-hub.ts', test: 'test/daemon/stream-routes.test.ts' },
    [
      ['a lease is longer', 'LEASE_MS = 30_000', 'LEASE_MS = 31_000', 'a lease that is over'],
      [
        'what a listener left is not offered anew',
        "failOffers(({ endpoint }) => targets?.has(endpoint) === true, 'the listener went')",
        '',
        'a listener that went',
      ],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 15', file: 'src/cli/forwarder.ts', test: 'test/cli/forwarder.test.ts' }, [
    [
      'forwarded bytes are written anew',
      'send({ url, body,',
      'send({ url, body: JSON.stringify(event, null, 1),',
      'an offer is sent as it is',
    ],
    [
      'no result is reported',
      'await client.send(RESULTS',
      'await null; [].push(RESULTS',
      'its result reported',
    ],
    ['what was sent is sent again', 'results.get(offer.delivery)', 'undefined', 'not sent again'],
  ]),
  ...mutationsOf({ rule: 'webhooks 16', file: CONNECTION, test: CONNECTED }, [
    [
      'more waits for a slow reader',
      'MAX_QUEUED_BYTES = 1024 *',
      'MAX_QUEUED_BYTES = 64 * 1024 *',
      'who reads nothing has little waiting',
    ],
    [
      'a slow reader is kept',
      "close('too_slow')",
      'stuckSinceMs = now',
      'who reads nothing has little waiting',
    ],
  ]),
  ...mutationsOf(
    {
      rule: 'webhooks 16',
      file: 'src/cli/forwarder.ts',
      test: 'test/commands/webhooks.listen-kills.test.ts',
    },
    [
      [
        'a result that was lost is not reported again',
        'results.get(offer.delivery)',
        'undefined',
        'sends nothing twice',
      ],
    ],
  ),
]
