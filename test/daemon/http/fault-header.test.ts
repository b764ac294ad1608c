import { parseFaultHeader } from '../../../src/daemon/http/fault-header.ts'
import { DomainError } from '../../../src/domain/core/domain-error.ts'
import { FAULT_TYPES_BY_KIND } from '../../../src/domain/faults/faults.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('daemon/http/fault-header')

test('parses every fault on requests with the default values of its options', () => {
  for (const type of FAULT_TYPES_BY_KIND.request) assert.is(parseFaultHeader(type).type, type)
  assert.is(parseFaultHeader('delay_response').options.delay_ms, 1000)
  assert.is(parseFaultHeader('slow_response').options.bytes_per_second, 100)
  assert.equal(parseFaultHeader('drop_response').options.delay_ms, null)
})

test('parses options with and without spaces', () => {
  for (const header of [
    'error; http_status=503; retry_after=2',
    ' error;http_status = 503 ;retry_after=2 ',
  ]) {
    const { http_status, retry_after } = parseFaultHeader(header).options
    assert.equal([http_status, retry_after], [503, 2])
  }
})

function errorOf(header: string): DomainError {
  try {
    parseFaultHeader(header)
  } catch (error) {
    if (error instanceof DomainError) return error
    throw error
  }
  throw new Error(`'${header}' is valid`)
}

const INVALID: Readonly<Record<string, RegExp>> = {
  drop_respond:
    /there is no fault 'drop_respond'\. Did you mean drop_response\? A request can name delay_request, .*slow_response\.$/,
  '': /there is no fault ''\. A request can name/,
  duplicate: /duplicate is not a fault on requests\. Create it with POST \/v1\/test_helpers\/faults\./,
  decline: /decline is not a fault on requests/,
  'drop_response; delay_ms=5': /'delay_ms' has no effect\. Omit it: drop_response has no options\./,
  'error; delay_ms=5': /'delay_ms' has no effect\. Omit it: error has the options http_status, retry_after\./,
  'error; skip=1': /'skip' has no effect/,
  'error; http_status':
    /'http_status' is not an option\. Write .*`Paycli-Fault: error; http_status=503; retry_after=2`/,
  'error;': /'' is not an option/,
  'error; retry_after=1; retry_after=2': /retry_after is set twice/,
  'error; http_status=504': /http_status.*429.*503/,
  'delay_request; delay_ms=0': /delay_ms.*1/,
  'delay_request; delay_ms=60001': /delay_ms.*60000/,
  'delay_request; delay_ms=1.5': /delay_ms.*integer/,
  'drop_response, drop_request': /there is no fault 'drop_response, drop_request'/,
}

for (const [header, message] of Object.entries(INVALID)) {
  test(`rejects '${header}' and lists the possible values`, () => {
    const error = errorOf(header)
    assert.is(error.code, 'fault_header_invalid')
    assert.match(error.message, message)
    assert.match(error.message, /^Invalid Paycli-Fault header: .*\.$/)
  })
}

test('the error quotes only the beginning of a long header', () => {
  const error = errorOf('x'.repeat(5000))
  assert.ok(error.message.length < 300)
})

test.run()
