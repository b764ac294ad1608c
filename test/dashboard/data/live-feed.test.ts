import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveFeed } from '../../../src/dashboard/data/live-feed.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('dashboard/data/live-feed')

const MAX_ENTRIES = 5000
const REPLACED = ['document', 'window', 'requestAnimationFrame', 'fetch'] as const
const originals = REPLACED.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
const stream = writable.getWriter()
let feed: LiveFeed
/** The entries that the feed sent to a listener. */
const added: unknown[] = []

/** Answers the stream of events with the messages of the test; every list is empty, and the other stream is silent. */
async function answer(url: string): Promise<Response> {
  if (url.includes('/v1/stream/')) return new Response(new ReadableStream())
  return url.includes('/v1/stream') ? new Response(readable) : Response.json({ data: [] })
}

test.before(async () => {
  Object.assign(globalThis, {
    document: { querySelector: () => null },
    window: { location: { pathname: '/dashboard', search: '' } },
    requestAnimationFrame: (callback: () => void) => setTimeout(callback, 0),
    fetch: answer,
  })
  const { openLiveFeed } = await import('../../../src/dashboard/data/live-feed.ts')
  feed = openLiveFeed((error) => {
    throw error
  })
  feed.subscribe((entries) => added.push(...entries))
})

test.after(async () => {
  feed?.close()
  await stream.close()
  // The feed may still wait for the next frame.
  await sleep(300)
  for (const [name, original] of originals) {
    if (original === undefined) Reflect.deleteProperty(globalThis, name)
    else Object.defineProperty(globalThis, name, original)
  }
})

async function send(type: string, sequences: readonly number[]): Promise<void> {
  const text = sequences.map(
    (sequence) => `event: ${type}\nid: ${sequence}\ndata: ${JSON.stringify({ sequence })}\n\n`,
  )
  await stream.write(new TextEncoder().encode(text.join('')))
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await sleep(5)
}

test('keeps the newest entries, and the same array while nothing changes', async () => {
  const count = MAX_ENTRIES + 100
  await send(
    'event',
    Array.from({ length: count }, (_, at) => at),
  )
  await until(() => feed.arrivals().events === count)
  const entries = feed.events()
  assert.is(entries.length, MAX_ENTRIES)
  assert.is(entries[0]?.sequence, 100)
  assert.is(entries.at(-1)?.sequence, count - 1)
  assert.ok(feed.events() === entries)
})

test('sends the new entries to its listeners once', async () => {
  await send('event', [1])
  await until(() => feed.arrivals().events === MAX_ENTRIES + 101)
  await sleep(300)
  assert.equal(added.at(-1), { sequence: 1 })
  const { length } = added
  await send('event', [2])
  await until(() => added.length > length)
  assert.equal(added.slice(length), [{ sequence: 2 }])
})

test('the feed is empty after a reset of the sandbox', async () => {
  await send('sandbox.reset', [MAX_ENTRIES + 101])
  await until(() => feed.events().length === 0)
})

test.run()
