import { type Mutation, mutationsOf } from './mutation.ts'

const FOLLOW = {
  rule: 'webhooks 14',
  file: 'src/client/follow-stream.ts',
  test: 'test/client/follow-stream.test.ts',
}
const CONNECTION = 'src/daemon/streams/stream-connection.ts'
const CONNECTED = 'test/daemon/streams/stream-connection.test.ts'
const ROUTES = {
  rule: 'webhooks 14',
  file: 'src/daemon/http/stream-routes.ts',
  test: 'test/daemon/http/stream-routes.test.ts',
}

/** The live stream, and those who send for it. */
export const streamMutations: readonly Mutation[] = [
  ...mutationsOf(ROUTES, [
    [
      'Last-Event-ID is not read',
      "parseLastEventId(ctx.get('Last-Event-ID')) ?? params.after",
      'params.after',
      'Last-Event-ID resumes',
    ],
    ['nothing is written at once', "response.write(': paycli\\n\\n')", '', 'starts with a comment'],
  ]),
  ...mutationsOf({ ...ROUTES, file: 'src/daemon/streams/stream-source.ts' }, [
    ['events have no id', 'String(event.sequence)))', 'null))', 'sends each event with its position'],
  ]),
  ...mutationsOf({ rule: 'webhooks 14', file: 'src/daemon/streams/stream-source.ts', test: CONNECTED }, [
    [
      'deleted events are skipped silently',
      'if (next > cursor + 1)',
      'if (false)',
      'sends a reset for deleted events',
    ],
  ]),
  ...mutationsOf({ ...ROUTES, file: CONNECTION }, [
    [
      'the heartbeat is late',
      'HEARTBEAT_MS = 15_000',
      'HEARTBEAT_MS = 16_000',
      'sends a heartbeat with the position every 15 seconds',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 16', file: 'src/daemon/streams/stream-source.ts', test: CONNECTED }, [
    [
      'many readers hold up the event loop',
      'createFairQueue(yieldToEventLoop)',
      'createFairQueue(async () => {})',
      'yields to the event loop',
    ],
    ['chunks have no size limit', 'size > MAX_CHUNK_BYTES', 'false', 'ends a chunk with the event'],
  ]),
  ...mutationsOf(FOLLOW, [
    [
      'it does not resume',
      'position.after = id',
      'position.database ??= null',
      'resumes a lost stream after the last event',
    ],
    [
      'silence is waited out',
      'AbortSignal.any([signal, silence.signal])',
      'AbortSignal.any([signal])',
      'reconnects when the stream sends no data for the timeout',
    ],
    [
      'the default idle timeout is not 45 seconds',
      'SILENCE_MS = 45_000',
      'SILENCE_MS = 60_000',
      'waits up to 45 seconds for data',
    ],
    [
      'the first wait is longer',
      'MIN_BACKOFF_MS = 250',
      'MIN_BACKOFF_MS = 500',
      'doubles the wait before a reconnection',
    ],
    [
      'waits grow beyond five seconds',
      'MAX_BACKOFF_MS = 5000',
      'MAX_BACKOFF_MS = 6000',
      'doubles the wait before a reconnection',
    ],
    [
      'it gives up',
      'if (!position.hasBeenReady ||',
      'if (failures > 3 || !position.hasBeenReady ||',
      'reconnects without a limit',
    ],
    [
      'a lasting outage is not reported',
      "'retrying' : 'down'",
      "'retrying' : 'retrying'",
      'reports the state down',
    ],
  ]),
  ...mutationsOf(
    {
      rule: 'webhooks 15',
      file: 'src/daemon/streams/stream-offers.ts',
      test: 'test/daemon/streams/stream-offers.test.ts',
    },
    [
      [
        'a lease is longer',
        'LEASE_MS = 30_000',
        'LEASE_MS = 31_000',
        'offers a delivery again after its lease expires',
      ],
      [
        'a result is acknowledged before it is stored',
        'return offer.stored.promise',
        'return true',
        'acknowledges a result once it is stored',
      ],
      [
        'a result that is never stored is not rejected',
        'offer.stored.resolve(false)',
        '',
        'rejects it when it is not stored within the lease',
      ],
    ],
  ),
  ...mutationsOf(
    {
      rule: 'webhooks 15',
      file: 'src/daemon/streams/stream-hub.ts',
      test: 'test/daemon/streams/stream-offers.test.ts',
    },
    [
      [
        'unfinished deliveries of a listener are not offered again',
        "offers.withdraw('the listener disconnected', id)",
        '',
        'offers the delivery of a listener that left',
      ],
    ],
  ),
  ...mutationsOf({ ...ROUTES, rule: 'webhooks 16', test: 'test/daemon/streams/stream-offers.test.ts' }, [
    [
      'the delivery of a killed listener waits for its lease',
      'hub.removeReader(ready.reader)',
      'undefined',
      'offers the delivery of a disconnected listener',
    ],
  ]),
  ...mutationsOf(
    { rule: 'webhooks 16', file: 'src/cli/listen/listener.ts', test: 'test/cli/listen/listener.test.ts' },
    [
      [
        'running deliveries are not finished',
        'forwarder?.waitUntilIdle()',
        'undefined',
        'finishes running deliveries',
      ],
      [
        'the endpoints of a listener that ends are not disabled',
        'client.send(streams.leave,',
        'Promise.resolve(streams.leave,',
        'finishes running deliveries',
      ],
    ],
  ),
  ...mutationsOf(
    { rule: 'webhooks 15', file: 'src/cli/listen/forwarder.ts', test: 'test/cli/listen/forwarder.test.ts' },
    [
      [
        'forwarded bytes are serialized again',
        'request = { url, body,',
        'request = { url, body: JSON.stringify(event, null, 1),',
        'sends an offer with the additional headers',
      ],
      [
        'no result is reported',
        'await client.send(streams.report',
        'await null; [].push(streams.report',
        'reports its result',
      ],
      ['a sent event is sent again', 'outcomes.get(offer.delivery)', 'undefined', 'does not send it again'],
    ],
  ),
  ...mutationsOf({ rule: 'webhooks 16', file: CONNECTION, test: CONNECTED }, [
    [
      'more data is buffered for a slow reader',
      'MAX_UNSENT_BYTES = 32 *',
      'MAX_UNSENT_BYTES = 1024 *',
      'buffers a limited amount of data for a stalled client',
    ],
    [
      'events read after the revocation of the key are sent',
      'end !== null',
      'false',
      'sends no events that were read after the key of the client was revoked',
    ],
    [
      'a slow reader is not disconnected',
      "close('too_slow')",
      'stalledSinceMs = now',
      'buffers a limited amount of data for a stalled client',
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
        'outcomes.get(offer.delivery)',
        'undefined',
        'delivers every event once after the daemon is killed',
      ],
    ],
  ),
]
