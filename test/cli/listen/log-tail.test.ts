import { formatLogLine } from '../../../src/cli/listen/log-tail.ts'
import { createStyle } from '../../../src/cli/output/style.ts'
import type { RequestLog } from '../../../src/domain/requests/request-logs.ts'
import { SAMPLES } from '../../store/samples.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/log-tail')

const LOG: RequestLog = { ...SAMPLES.request_logs, created: 1_700_000_000 }
const PLAIN = createStyle(false)

test('formats a successful request as one line', () => {
  assert.is(formatLogLine(LOG, PLAIN), '22:13:20  200  GET     /v1/customers  1 ms  req_sample\n')
})

test('adds a line with the error of a failed request', () => {
  const error = { code: 'email_invalid', message: 'Not an address.', param: 'email' }
  assert.is(
    formatLogLine({ ...LOG, method: 'DELETE', status: 400, error }, PLAIN),
    '22:13:20  400  DELETE  /v1/customers  1 ms  req_sample\n          email_invalid: Not an address.\n',
  )
})

test('names the fault of a request', () => {
  assert.is(
    formatLogLine({ ...LOG, fault: 'flt_1' }, PLAIN),
    '22:13:20  200  GET     /v1/customers  1 ms  req_sample  fault flt_1\n',
  )
})

test('formats a request log of a server without faults', () => {
  const { fault: _, ...earlier } = LOG
  assert.is(formatLogLine(earlier as RequestLog, PLAIN), formatLogLine(LOG, PLAIN))
})

test('escapes control characters of a request', () => {
  const error = { code: 'c', message: 'a\u001b[2J\nb\u202e', param: null }
  const line = formatLogLine({ ...LOG, path: '/v1/\u001b]0;x\u0007', error }, PLAIN)
  assert.is(line.split('\n').length, 3)
  for (const unsafe of ['\u001b', '\u0007', '\u202e']) assert.not(line.includes(unsafe))
})

test.run()
