import { createFrameReader, type Frame } from '../../src/client/frames.ts'
import { assert, suite } from '../support/suite.ts'

const test = suite('client/frames')

function framesOf(pieces: readonly Buffer[]): Frame[] {
  const frames: Frame[] = []
  const read = createFrameReader((frame) => frames.push(frame))
  for (const piece of pieces) read(piece)
  return frames
}

const STREAM =
  ': hello\n\nid: 7\nevent: event\ndata: {"a":"é\u2028😀"}\n\n: still here\nid: 9\n\nevent: x\ndata:1\ndata: 2\r\n\r\n'
const FRAMES = [
  { id: '7', event: 'event', data: '{"a":"é\u2028😀"}' },
  { id: '9', event: '', data: '' },
  { id: null, event: 'x', data: '1\n2' },
]

test('frames are read as the standard has them, and comments are left out', () => {
  assert.equal(framesOf([Buffer.from(STREAM)]), FRAMES)
})

test('where the pieces are cut does not matter, not even inside of a character', () => {
  const bytes = Buffer.from(STREAM)
  assert.equal(framesOf(Array.from(bytes, (byte) => Buffer.from([byte]))), FRAMES)
})

test('what is not whole is not told', () => {
  assert.equal(framesOf([Buffer.from('id: 7\ndata: {}\n')]), [])
})

test.run()
