import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ScenarioRun } from '../../../src/cli/explore/run/run-context.ts'
import {
  createUnclearResponseError,
  parseAccess,
  parsePaidAmount,
  replacePlaceholders,
  requestAppState,
} from '../../../src/cli/grade/app-state.ts'
import { assert, suite } from '../../support/suite.ts'

const test = suite('cli/grade/app-state')

test('reads access from words, JSON and the status of a URL', () => {
  const command = ['true\n', '1', 'no', ' t\n', 'f', '{"access":false}', '{"active":true}', 'maybe', '{}', '']
  assert.equal(
    command.map((text) => parseAccess({ text, status: null })),
    [true, true, false, true, false, false, true, null, null, null],
  )
  const urls = [200, 403, 404, 402, 500] as const
  assert.equal(
    urls.map((status) => parseAccess({ text: '<h1>Course</h1>', status })),
    [true, false, false, false, null],
  )
  assert.is(parseAccess({ text: 'false', status: 200 }), false)
  assert.is(parseAccess({ text: '', status: 204 }), true)
})

test('reads the paid amount from numbers and JSON, and 0 from a URL of an unknown customer', () => {
  const texts = ['1499\n', '"1499"', '{"paid":1499}', '{"total":"0"}', '19.99', 'lots', '', '{"name":1}']
  assert.equal(
    texts.map((text) => parsePaidAmount({ text, status: null })),
    [1499, 1499, 1499, 0, 19.99, null, null, null],
  )
  assert.equal(
    [parsePaidAmount({ text: 'none', status: 404 }), parsePaidAmount({ text: '5', status: 500 })],
    [0, null],
  )
})

test('the error for an SQL command without output names the values that it can print', () => {
  const { message, hint } = createUnclearResponseError('access', { text: '', status: null })
  assert.match(message, '--access printed nothing: expected true or false')
  assert.match(hint ?? '', 'In SQL: select exists (')
})

test('replaces known placeholders only', () => {
  const placeholders = { id: 'cus_1', user: 'pays', email: 'a@example.com', now: 5 }
  assert.is(replacePlaceholders('/{customer}/{user}?at={now}&{x}', placeholders), '/cus_1/pays?at=5&{x}')
})

test('aborts a state request when the run ends', async () => {
  const server = createServer(() => {}).listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const end = new AbortController()
  const run = { signal: end.signal, setup: { appUrl: `http://localhost:${port}` } } as unknown as ScenarioRun
  const customer = { id: 'cus_1', user: 'pays', email: 'a@example.com', now: 5 }
  const request = requestAppState(run, '/access', customer).catch((error: unknown) => error)
  await once(server, 'request')
  end.abort(new Error('interrupted'))
  assert.match(String(await request), 'interrupted')
  server.close()
})

test.run()
