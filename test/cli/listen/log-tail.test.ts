import { formatLogLine } from '../../../src/cli/listen/log-tail.ts'
import { createStyle } from '../../../src/cli/output/style.ts'
import type { RequestLog } from '../../../src/domain/requests/request-logs.ts'
import { SAMPLES } from '../../store/samples.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/log-tail')

const LOG: RequestLog = { ...SAMPLES.request_logs, created: 1_700_000_000 }
const PLAIN = createStyle(false)

const LINE = '22:13:20  200  GET     /v1/customers  1 ms  req_sample'
const error = { code: 'email_invalid', message: 'Not an address.', param: 'email' }

for (const [request, fields, lines] of [
  ['a successful request', {}, `${LINE}\n`],
  ['the fault of a request', { fault: 'flt_1' }, `${LINE}  fault flt_1\n`],
  [
    'a failed request with a line for its error',
    { method: 'DELETE', status: 400, error },
    '22:13:20  400  DELETE  /v1/customers  1 ms  req_sample\n          email_invalid: Not an address.\n',
  ],
] as const) {
  test(`formats ${request}`, () =>
    assert.is(formatLogLine({ ...LOG, ...fields } as RequestLog, PLAIN), lines))
}

test('escapes control characters of a request', () => {
  const error = { code: 'c', message: 'a\u001b[2J\nb\u202e', param: null }
  const line = formatLogLine({ ...LOG, path: '/v1/\u001b]0;x\u0007', error }, PLAIN)
  assert.is(line.split('\n').length, 3)
  for (const unsafe of ['\u001b', '\u0007', '\u202e']) assert.not(line.includes(unsafe))
})

test.run()
