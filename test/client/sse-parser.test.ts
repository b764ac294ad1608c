import { createSseParser, type SseMessage } from '../../src/client/sse-parser.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('client/sse-parser')

function parseChunks(chunks: readonly Buffer[]): SseMessage[] {
  const messages: SseMessage[] = []
  const parse = createSseParser((message) => messages.push(message))
  for (const chunk of chunks) parse(chunk)
  return messages
}

const STREAM =
  ': hello\n\nid: 7\nevent: event\ndata: {"a":"é\u2028😀"}\n\n: still here\nid: 9\n\nevent: x\ndata:1\ndata: 2\r\n\r\n'
const MESSAGES = [
  { id: '7', event: 'event', data: '{"a":"é\u2028😀"}' },
  { id: '9', event: '', data: '' },
  { id: null, event: 'x', data: '1\n2' },
]

test('parses server-sent messages by the WHATWG standard and drops comments', () => {
  assert.equal(parseChunks([Buffer.from(STREAM)]), MESSAGES)
})

test('parses the same messages from chunks of one byte', () => {
  const bytes = Buffer.from(STREAM)
  assert.equal(parseChunks(Array.from(bytes, (byte) => Buffer.from([byte]))), MESSAGES)
})

test('does not emit an incomplete server-sent message', () => {
  assert.equal(parseChunks([Buffer.from('id: 7\ndata: {}\n')]), [])
})

test.run()
