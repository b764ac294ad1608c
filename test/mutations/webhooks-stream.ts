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
  ...mutationsOf({ rule: 'webhooks 16', file: 'src/daemon/stream-source.ts', test: CONNECTED }, [
    [
      'many readers hold up the event loop',
      'createFairQueue(yieldToEventLoop)',
      'createFairQueue(async () => {})',
      'lets the event loop answer others',
    ],
    ['a piece is as long as it gets', 'size > MAX_PIECE_BYTES', 'false', 'ends a piece with the event'],
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
    {
      rule: 'webhooks 15',
      file: 'src/daemon/stream-offers.ts',
      test: 'test/daemon/stream-offers.test.ts',
    },
    [
      ['a lease is longer', 'LEASE_MS = 30_000', 'LEASE_MS = 31_000', 'a lease that is over'],
      [
        'a result is acknowledged before it is kept',
        'unkept.set(delivery,',
        'resolve(true); unkept.set(delivery,',
        'acknowledged once it is kept',
      ],
      [
        'a result that comes late is lost',
        '        keepEarly(delivery, result)',
        '',
        'a result that comes when nothing is on offer',
      ],
    ],
  ),
  ...mutationsOf(
    { rule: 'webhooks 15', file: 'src/daemon/stream-hub.ts', test: 'test/daemon/stream-offers.test.ts' },
    [
      [
        'what a listener left is not offered anew',
        "offers.end('the listener left', id)",
        '',
        'a listener that left',
      ],
    ],
  ),
  ...mutationsOf({ ...ROUTES, rule: 'webhooks 16', test: 'test/daemon/stream-offers.test.ts' }, [
    [
      'what a killed listener took is offered to the next',
      'hub.lose(ready.reader)',
      'hub.leave(ready.reader)',
      'gone without a word is its own',
    ],
  ]),
  ...mutationsOf(
    {
      rule: 'webhooks 16',
      file: 'src/cli/listen/delivery-process.ts',
      test: 'test/cli/listen/delivery-process.test.ts',
    },
    [
      ['what is on its way is left', 'await Promise.all(underway)', '', 'finishes what is on its way'],
      [
        'a result that the service has not is not reported',
        'reportAll([...results, ...last]',
        'reportAll([...last]',
        'finishes what is on its way',
      ],
      [
        'what it has not taken waits for the lease',
        'reportAll([...results, ...last]',
        'reportAll([...results]',
        'finishes what is on its way',
      ],
    ],
  ),
  ...mutationsOf(
    { rule: 'webhooks 15', file: 'src/cli/listen/forwarder.ts', test: 'test/cli/listen/forwarder.test.ts' },
    [
      [
        'forwarded bytes are written anew',
        'request = { url, body,',
        'request = { url, body: JSON.stringify(event, null, 1),',
        'an offer is sent as it is',
      ],
      [
        'no result is reported',
        'await client.send(RESULTS',
        'await null; [].push(RESULTS',
        'its result reported',
      ],
      ['what was sent is sent again', 'results.get(offer.delivery)', 'undefined', 'not sent again'],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 16', file: CONNECTION, test: CONNECTED }, [
    [
      'more waits for a slow reader',
      'MAX_UNSENT_BYTES = 32 *',
      'MAX_UNSENT_BYTES = 1024 *',
      'who reads nothing has little waiting',
    ],
    [
      'what was read after its key was revoked is sent',
      '!(await isKeyOpen())',
      'false',
      'sends nothing that was read after its key was revoked',
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
      file: 'src/cli/listen/forwarder.ts',
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
