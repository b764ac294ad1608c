import { type Mutation, mutationsOf } from './mutation.ts'

const ROUTES = 'test/daemon/http/stream-routes.test.ts'
const CONNECTION = 'test/daemon/streams/stream-connection.test.ts'
const OFFERS = 'test/daemon/streams/stream-offers.test.ts'

/** Mutations of the rules on the event stream, and on listeners that forward deliveries. */
export const streamMutations: readonly Mutation[] = [
  ...mutationsOf({ rule: 'webhooks 14', file: 'src/daemon/http/stream-routes.ts' }, [
    [
      'Last-Event-ID is not read',
      "parseLastEventId(ctx.get('Last-Event-ID')) ?? params.after",
      'params.after',
      'Last-Event-ID resumes',
    ],
    ['nothing is written at once', "response.write(': paycli\\n\\n')", '', 'starts with a comment'],
  ]),
  ...mutationsOf({ rule: 'webhooks 14', file: 'src/daemon/streams/stream-source.ts', test: ROUTES }, [
    ['events have no id', 'String(event.sequence)))', 'null))', 'sends each event with its position'],
  ]),
  ...mutationsOf({ rule: 'webhooks 14', file: 'src/daemon/streams/stream-source.ts', test: CONNECTION }, [
    [
      'deleted events are skipped silently',
      'if (next > cursor + 1)',
      'if (false)',
      'sends a reset for deleted events',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 14', file: 'src/daemon/streams/stream-connection.ts', test: ROUTES }, [
    [
      'the heartbeat is late',
      'HEARTBEAT_MS = 15_000',
      'HEARTBEAT_MS = 16_000',
      'sends a heartbeat with the position every 15 seconds',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 14', file: 'src/client/follow-stream.ts' }, [
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
  ...mutationsOf({ rule: 'webhooks 15', file: 'src/daemon/streams/stream-offers.ts' }, [
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
  ]),
  ...mutationsOf({ rule: 'webhooks 15', file: 'src/daemon/streams/stream-hub.ts', test: OFFERS }, [
    [
      'unfinished deliveries of a listener are not offered again',
      "offers.withdraw('the listener disconnected', id)",
      '',
      'offers the delivery of a listener that left',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 15', file: 'src/cli/listen/forwarder.ts' }, [
    [
      'forwarded bytes are serialized again',
      'request = { url, body,',
      'request = { url, body: JSON.stringify(event, null, 1),',
      'sends an offer with the additional headers',
    ],
    [
      'no result is reported',
      'await client.send(streamRoutes.report',
      'await null; [].push(streamRoutes.report',
      'reports its result',
    ],
    ['a sent event is sent again', 'outcomes.get(offer.delivery)', 'undefined', 'does not send it again'],
  ]),
  ...mutationsOf({ rule: 'webhooks 16', file: 'src/daemon/streams/stream-source.ts', test: CONNECTION }, [
    [
      'many readers hold up the event loop',
      'createYieldingQueue(yieldToEventLoop)',
      'createYieldingQueue(async () => {})',
      'yields to the event loop',
    ],
    ['chunks have no size limit', 'size > MAX_CHUNK_BYTES', 'false', 'ends a chunk with the event'],
  ]),
  ...mutationsOf({ rule: 'webhooks 16', file: 'src/daemon/http/stream-routes.ts', test: OFFERS }, [
    [
      'the delivery of a killed listener waits for its lease',
      'hub.removeReader(ready.reader)',
      'undefined',
      'offers the delivery of a disconnected listener',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 16', file: 'src/cli/listen/listener.ts' }, [
    [
      'running deliveries are not finished',
      'forwarder?.waitUntilIdle()',
      'undefined',
      'finishes running deliveries',
    ],
    [
      'the endpoints of a listener that ends are not disabled',
      'client.send(streamRoutes.leave,',
      'Promise.resolve(streamRoutes.leave,',
      'finishes running deliveries',
    ],
  ]),
  ...mutationsOf({ rule: 'webhooks 16', file: 'src/daemon/streams/stream-connection.ts' }, [
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
]
