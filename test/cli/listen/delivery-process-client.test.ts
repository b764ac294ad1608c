import { writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { createDeliveryProcess } from '../../../src/cli/listen/delivery-process-client.ts'
import { OUTCOME } from '../../support/delivery-outcome.ts'
import { newFolder } from '../../support/folders.ts'
import { assert, suite } from '../../support/suite.ts'
import { openWebhookServer, type WebhookServer } from '../../webhooks/webhook-server.ts'

const test = suite('cli/delivery-process-client')

const BODY = '{"id":"evt_1", "z":"é 😀 \u2028"}'
const accept = (_request: IncomingMessage, response: ServerResponse) => response.end('{}')
const configOf = ({ port }: WebhookServer) => ({
  apiBase: `http://127.0.0.1:${port}`,
  apiKey: 'sk_test_1',
  isUntrustedCertificateAllowed: false,
})

test('sends a request byte for byte and returns its outcome', async () => {
  const [handler, service] = [await openWebhookServer(), await openWebhookServer(accept)]
  const deliveryProcess = createDeliveryProcess(configOf(service))
  const outcome = await deliveryProcess.send('whd_1', {
    url: handler.url,
    headers: { 'X-Tenant': '7' },
    body: BODY,
  })
  assert.equal([outcome.http_status, outcome.error, outcome.response_body], [200, null, 'ok'])
  assert.equal([handler.received[0]?.body, handler.received[0]?.headers['x-tenant']], [BODY, '7'])
  deliveryProcess.markReported('whd_1')
  deliveryProcess.close()
  await Promise.all([handler.close(), service.close()])
})

test('finishes running deliveries after the listener has ended, and reports their results to the service', async () => {
  let respond = () => {}
  const handler = await openWebhookServer((_request, response) => {
    respond = () => response.end('late')
  })
  const service = await openWebhookServer(accept)
  const deliveryProcess = createDeliveryProcess(configOf(service))
  deliveryProcess.setLeaveRequest({ reader: 'reader_1' })
  void deliveryProcess.send('whd_1', { url: handler.url, headers: {}, body: BODY })
  await handler.waitFor(1)
  deliveryProcess.close()
  respond()
  await service.waitFor(2)
  const [result, leave] = service.received.map(({ url, body }) => [url, JSON.parse(body)])
  assert.equal(
    [result?.[0], result?.[1].delivery, result?.[1].response_body],
    ['/v1/stream/results', 'whd_1', 'late'],
  )
  assert.equal(leave, ['/v1/stream/leave', { reader: 'reader_1' }])
  assert.is(service.received[0]?.headers.authorization, 'Bearer sk_test_1')
  await Promise.all([handler.close(), service.close()])
})

/** Writes a program that exits at its first delivery; with `once` only its first process does. */
function writeFailingProgram(once: boolean): string {
  const folder = newFolder()
  const program = join(folder, 'program.mjs')
  const mark = JSON.stringify(join(folder, 'mark'))
  writeFileSync(
    program,
    `import { existsSync, writeFileSync } from 'node:fs'
    process.on('message', ({ kind, delivery }) => {
      if (kind !== 'send') return
      const isSecond = ${once} && existsSync(${mark})
      writeFileSync(${mark}, '')
      process.stderr.write('failure')
      if (isSecond) process.send({ delivery, outcome: ${JSON.stringify(OUTCOME)} })
      else process.exit(1)
    })`,
  )
  return program
}

const CONFIG = { apiBase: 'http://127.0.0.1:1', apiKey: undefined, isUntrustedCertificateAllowed: false }
const REQUEST = { url: 'http://127.0.0.1:1/', headers: {}, body: BODY }

test('restarts a killed delivery process and sends the request again', async () => {
  const deliveryProcess = createDeliveryProcess(CONFIG, writeFailingProgram(true))
  assert.equal(await deliveryProcess.send('whd_1', REQUEST), OUTCOME)
  assert.equal(await deliveryProcess.send('whd_2', REQUEST), OUTCOME)
  deliveryProcess.close()
})

test('rejects with the stderr of the delivery process when it ends twice in a row', async () => {
  const deliveryProcess = createDeliveryProcess(CONFIG, writeFailingProgram(false))
  const failed = await deliveryProcess.send('whd_1', REQUEST).catch((error: Error) => error.message)
  assert.is(failed, 'The delivery process ended twice in a row. failure')
  deliveryProcess.close()
})

test.run()
