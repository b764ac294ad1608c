import { createHmac } from 'node:crypto'
import { evaluateCase } from '../../../src/cli/webhook-tools/handler-check.ts'
import type { DeliveryRequest } from '../../../src/webhooks/delivery-request.ts'
import { assert, suite } from '../../support/suite.ts'
import { createSampleTestCases, SECRET } from './sample-test-cases.ts'

const test = suite('cli/handler-check bugs')

const NOW = 1_800_000_000
const CHUNK_BYTES = 64 * 1024
const testCases = createSampleTestCases('http://127.0.0.1:3000/hook', NOW)

/** The replaceable steps of a handler. */
interface Steps {
  readonly body: (chunks: readonly Buffer[]) => string | Buffer
  readonly header: (headers: DeliveryRequest['headers'], name: string) => string | undefined
  /** Returns the signatures without their versions. */
  readonly macs: (signatures: readonly string[], prefix: string) => string[]
  /** Chooses the signatures to compare with. */
  readonly choose: (signatures: string[]) => string[]
  readonly matches: (given: string, expected: string) => boolean
  /** Returns whether a timestamp is accepted; `age` is in seconds, and negative for a future timestamp. */
  readonly isFresh: (age: number) => boolean
  readonly isSigned: (signatures: string[], matches: (given: string) => boolean) => boolean
  /** The id that a Standard Webhooks signature covers. */
  readonly id: (headerId: string, body: string | Buffer) => string
}

const CORRECT: Steps = {
  body: (chunks) => Buffer.concat(chunks),
  header: (headers, name) =>
    Object.entries(headers).find(([one]) => one.toLowerCase() === name.toLowerCase())?.[1],
  macs: macsOf,
  choose: (signatures) => signatures,
  matches: (given, expected) => given === expected,
  isFresh: (age) => Math.abs(age) <= 300,
  isSigned: (signatures, matches) => signatures.some(matches),
  id: (headerId) => headerId,
}

type Verify = (request: DeliveryRequest, steps: Steps) => boolean

const VERIFIERS: Readonly<Record<'standard' | 'paycli', Verify>> = {
  standard({ headers, body: sent }, steps) {
    const body = steps.body(chunksOf(sent))
    const [id, timestamp, header] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      steps.header(headers, name),
    )
    if (id === undefined || timestamp === undefined || header === undefined) return false
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64')
    const signed = `${steps.id(id, body)}.${timestamp}.`
    const expected = createHmac('sha256', key).update(signed).update(body).digest('base64')
    const signatures = steps.macs(header.split(' '), 'v1,')
    return isValid({ expected, signatures, timestamp }, steps)
  },
  paycli({ headers, body: sent }, steps) {
    const parts = (steps.header(headers, 'Paycli-Signature') ?? '').split(',')
    const timestamp = macsOf(parts, 't=')[0]
    if (timestamp === undefined) return false
    const mac = createHmac('sha256', SECRET)
      .update(`${timestamp}.`)
      .update(steps.body(chunksOf(sent)))
    return isValid({ expected: mac.digest('hex'), signatures: steps.macs(parts, 'v1='), timestamp }, steps)
  },
}

interface Signed {
  readonly expected: string
  readonly signatures: string[]
  readonly timestamp: string
}

function isValid({ expected, signatures, timestamp }: Signed, steps: Steps): boolean {
  const isMatch = (given: string) => steps.matches(given, expected)
  return steps.isFresh(NOW - Number(timestamp)) && steps.isSigned(steps.choose(signatures), isMatch)
}

function macsOf(signatures: readonly string[], prefix: string): string[] {
  return signatures.filter((one) => one.startsWith(prefix)).map((one) => one.slice(prefix.length))
}

function chunksOf(body: string): Buffer[] {
  const bytes = Buffer.from(body)
  const count = Math.ceil(bytes.length / CHUNK_BYTES)
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
  )
}

/** Returns the body that results from a change of the correctly decoded text. */
const changing = (change: (text: string) => string) => ({
  body: (chunks: readonly Buffer[]) => change(Buffer.concat(chunks).toString()),
})
const decoding = (encoding: BufferEncoding) => ({
  body: (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString(encoding),
})

const UNICODE = ['large_unicode', 'unicode']
const FORMATS = ['formatting', 'whitespace']
const SEVERAL = ['rotation_first', 'rotation_middle']

/** The bugs, each with the test cases that detect it. */
const BUGS: readonly (readonly [name: string, bug: Partial<Steps>, failed: readonly string[]])[] = [
  ['has no bug', {}, []],
  ['serializes the parsed body again', changing((text) => JSON.stringify(JSON.parse(text))), FORMATS],
  [
    'serializes the parsed body again with indentation and a final newline',
    changing((text) => `${JSON.stringify(JSON.parse(text), null, 2)}\n`),
    testCases.filter(({ shouldAccept }) => shouldAccept).map(({ name }) => name),
  ],
  ['removes the escape of a slash', changing((text) => text.replaceAll('\\/', '/')), ['formatting']],
  [
    'replaces escapes of characters',
    changing((text) =>
      text.replace(/\\u([\da-f]{4})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
    ),
    ['formatting'],
  ],
  ['shortens the number 1.0', changing((text) => text.replace(/\b1\.0\b/, '1')), ['formatting']],
  ['expands the number 1e2', changing((text) => text.replace(/\b1e2\b/, '100')), ['formatting']],
  [
    'rounds large integers',
    changing((text) => text.replace(/\b\d{17,}\b/g, (digits) => String(Number(digits)))),
    ['formatting'],
  ],
  [
    'decodes each chunk by itself',
    { body: (chunks) => chunks.map((chunk) => chunk.toString()).join('') },
    ['large_unicode'],
  ],
  ['decodes the body as Latin-1', decoding('latin1'), UNICODE],
  ['decodes the body as ASCII', decoding('ascii'), UNICODE],
  ['normalizes to NFC', changing((text) => text.normalize('NFC')), ['unicode']],
  ['normalizes to NFD', changing((text) => text.normalize('NFD')), ['unicode']],
  ['normalizes to NFKC', changing((text) => text.normalize('NFKC')), ['unicode']],
  ['removes U+FEFF', changing((text) => text.replaceAll('\ufeff', '')), ['unicode']],
  [
    'replaces characters outside the basic plane',
    changing((text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?')),
    ['unicode'],
  ],
  ['escapes U+2028', changing((text) => text.replaceAll('\u2028', '\\u2028')), ['unicode']],
  ['replaces no-break spaces', changing((text) => text.replaceAll('\u00a0', ' ')), ['unicode']],
  ['trims the body', changing((text) => text.trim()), FORMATS],
  ['trims the start of the body', changing((text) => text.trimStart()), ['whitespace']],
  ['trims the end of the body', changing((text) => text.trimEnd()), FORMATS],
  ['removes one final newline', changing((text) => text.replace(/\n$/, '')), FORMATS],
  ['converts CRLF to LF', changing((text) => text.replaceAll('\r\n', '\n')), ['whitespace']],
  ['converts LF to CRLF', changing((text) => text.replace(/\r?\n/g, '\r\n')), FORMATS],
  [
    'limits the body to 100 kB',
    { body: (chunks) => Buffer.concat(chunks).subarray(0, 100_000) },
    ['large', 'large_unicode'],
  ],
  [
    'compares with the first signature only',
    { choose: (all) => all.slice(0, 1) },
    ['rotation', 'rotation_middle'],
  ],
  ['compares with the last signature only', { choose: (all) => all.slice(-1) }, SEVERAL],
  [
    'compares with the first and the last signature only',
    { choose: (all) => [...all.slice(0, 1), ...all.slice(-1)] },
    ['rotation_middle'],
  ],
  [
    'accepts one signature only',
    { choose: (all) => (all.length === 1 ? all : []) },
    ['rotation', ...SEVERAL],
  ],
  [
    'requires that every signature matches',
    { isSigned: (all, matches) => all.length > 0 && all.every(matches) },
    ['rotation', ...SEVERAL],
  ],
  [
    'rejects no signature that it compares',
    { isSigned: (all, matches) => all.length === 0 || all.some(matches) },
    ['empty_signature', 'unknown_version'],
  ],
  [
    'accepts signatures of any version',
    { macs: (signatures) => signatures.map((one) => one.replace(/^v\d+[,=]/, '')) },
    ['unknown_version'],
  ],
  [
    'compares the start of the signature',
    { matches: (given, expected) => given.slice(0, 10) === expected.slice(0, 10) },
    ['partial_signature'],
  ],
  [
    'compares the end of the signature',
    { matches: (given, expected) => given.slice(-10) === expected.slice(-10) },
    ['partial_signature'],
  ],
  [
    'compares as much of the signature as is given',
    { matches: (given, expected) => expected.startsWith(given) },
    ['partial_signature'],
  ],
  ['reads headers by their letter case', { header: (headers, name) => headers[name] }, ['header_case']],
  ['accepts timestamps of the past', { isFresh: (age) => age >= -300 }, ['stale_timestamp']],
]

/** Returns the verdict of every test case for a handler. */
function check(verify: Verify, bug: Partial<Steps>): Record<string, string> {
  const verdicts = testCases.map((testCase) => {
    const isAccepted = verify(testCase.request, { ...CORRECT, ...bug })
    const response = { http_status: isAccepted ? 204 : 400, error: null, error_message: null, duration_ms: 1 }
    return [testCase.name, evaluateCase(testCase, response, { slowMs: 5000 }).verdict]
  })
  return Object.fromEntries(verdicts)
}

/** Returns the expected verdict of every test case, given the failed test cases and the test cases with a warning. */
function expectedVerdicts(failed: readonly string[], warned: readonly string[] = []): Record<string, string> {
  const verdictOf = (name: string) =>
    failed.includes(name) ? 'failed' : warned.includes(name) ? 'warning' : 'passed'
  return Object.fromEntries(testCases.map(({ name }) => [name, verdictOf(name)]))
}

for (const [name, bug, failed] of BUGS) {
  for (const [scheme, verify] of Object.entries(VERIFIERS)) {
    test(`a handler of ${scheme} signatures that ${name} fails ${failed.join(', ') || 'no test case'}`, () => {
      assert.equal(check(verify, bug), expectedVerdicts(failed))
    })
  }
}

for (const [name, isFresh, failed] of [
  ['of the future', (age: number) => age <= 300, []],
  ['of any time', () => true, ['stale_timestamp']],
] as const) {
  test(`a handler that accepts timestamps ${name} fails future_timestamp and has a warning in future_paycli`, () => {
    assert.equal(check(VERIFIERS.standard, { isFresh }), expectedVerdicts([...failed, 'future_timestamp']))
    assert.equal(check(VERIFIERS.paycli, { isFresh }), expectedVerdicts(failed, ['future_paycli']))
  })
}

test('a handler that verifies the id in the body instead of webhook-id fails changed_id', () => {
  const id = (_headerId: string, body: string | Buffer) => JSON.parse(String(body)).id
  assert.equal(check(VERIFIERS.standard, { id }), expectedVerdicts(['changed_id']))
})

test.run()
