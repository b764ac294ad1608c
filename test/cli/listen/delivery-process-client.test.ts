import { writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createDeliveryProcess } from '../../../src/cli/listen/delivery-process-client.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { openReceiver, type Receiver } from '../../webhooks/receiver.ts'
import { OUTCOME } from '../output/result-summary.ts'

const test = suite('cli/carrier')

const BODY = '{"id":"evt_1", "z":"é 😀 \u2028"}'
const accept = (_request: IncomingMessage, response: ServerResponse) => response.end('{}')
const beginning = ({ port }: Receiver) => ({
  apiBase: `http://127.0.0.1:${port}`,
  apiKey: 'sk_test_1',
  isAnyCertificateTaken: false,
})

test('a process sends what it is given, byte for byte, and tells what came of it', async () => {
  const [handler, service] = [await openReceiver(), await openReceiver(accept)]
  const carrier = createDeliveryProcess(beginning(service))
  const outcome = await carrier.send('whd_1', { url: handler.url, headers: { 'X-Tenant': '7' }, body: BODY })
  assert.equal([outcome.http_status, outcome.error, outcome.response_body], [200, null, 'ok'])
  assert.equal([handler.received[0]?.body, handler.received[0]?.headers['x-tenant']], [BODY, '7'])
  carrier.reported('whd_1')
  carrier.close()
  await Promise.all([handler.close(), service.close()])
})

test('it finishes what is on its way when its listener is gone, and reports to the service', async () => {
  let answer = () => {}
  const handler = await openReceiver((_request, response) => {
    answer = () => response.end('late')
  })
  const service = await openReceiver(accept)
  const carrier = createDeliveryProcess(beginning(service))
  carrier.farewell({ reader: 'reader_1' })
  void carrier.send('whd_1', { url: handler.url, headers: {}, body: BODY })
  await handler.has(1)
  carrier.close()
  answer()
  await service.has(2)
  const [result, farewell] = service.received.map(({ url, body }) => [url, JSON.parse(body)])
  assert.equal(
    [result?.[0], result?.[1].delivery, result?.[1].response_body],
    ['/v1/stream/results', 'whd_1', 'late'],
  )
  assert.equal(farewell, ['/v1/stream/leave', { reader: 'reader_1' }])
  assert.is(service.received[0]?.headers.authorization, 'Bearer sk_test_1')
  await Promise.all([handler.close(), service.close()])
})

/** A program that is killed by its first task; with a `once`, only the first process of it is. */
function mortal(once: boolean): string {
  const folder = newFolder()
  const program = join(folder, 'program.mjs')
  const mark = JSON.stringify(join(folder, 'mark'))
  writeFileSync(
    program,
    `import { existsSync, writeFileSync } from 'node:fs'
    process.on('message', ({ kind, delivery }) => {
      if (kind !== 'send') return
      const isLast = ${once} && existsSync(${mark})
      writeFileSync(${mark}, '')
      process.stderr.write('out of luck')
      if (isLast) process.send({ delivery, outcome: ${JSON.stringify(OUTCOME)} })
      else process.exit(1)
    })`,
  )
  return program
}

const NOWHERE = { apiBase: 'http://127.0.0.1:1', apiKey: undefined, isAnyCertificateTaken: false }
const REQUEST = { url: 'http://127.0.0.1:1/', headers: {}, body: BODY }

test('one that is killed has another in its place, which sends again', async () => {
  const carrier = createDeliveryProcess(NOWHERE, mortal(true))
  assert.equal(await carrier.send('whd_1', REQUEST), OUTCOME)
  assert.equal(await carrier.send('whd_2', REQUEST), OUTCOME)
  carrier.close()
})

test('one that does not stay alive is an error that says what it said', async () => {
  const carrier = createDeliveryProcess(NOWHERE, mortal(false))
  const failed = await carrier.send('whd_1', REQUEST).catch((error: Error) => error.message)
  assert.is(failed, 'The process that forwards ended twice in a row. out of luck')
  carrier.close()
})

test.run()
