import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import Stripe from 'stripe'
import { Webhook as SvixWebhook } from 'svix'
import { evaluateCase } from '../../../src/cli/webhook-tools/handler-check.ts'
import { createSender } from '../../../src/webhooks/send.ts'
import { assert, suite } from '../../support/suite.ts'
import { guard, nowMs } from '../../webhooks/send-once.ts'
import { createSampleTestCases, SECRET } from './sample-test-cases.ts'

const test = suite('cli/handler-check verifiers')

type Headers = Readonly<Record<string, string>>
/** Verifies a delivery; throws when it is invalid. */
type Verify = (body: string | Buffer, headers: Headers) => unknown
/** Creates a handler that returns 204 or 400. */
type CreateHandler = (verify: Verify) => RequestListener | Promise<RequestListener>

const PACKAGES: Readonly<Record<string, Verify>> = {
  standardwebhooks: (body, headers) => new StandardWebhook(SECRET).verify(body, headers),
  svix: (body, headers) => new SvixWebhook(SECRET).verify(body, headers),
  stripe: (body, headers) => Stripe.webhooks.constructEvent(body, headers['paycli-signature'] ?? '', SECRET),
}

function statusOf(verify: Verify, body: string | Buffer, headers: object): 204 | 400 {
  try {
    verify(body, headers as Headers)
    return 204
  } catch {
    return 400
  }
}

async function readBytes(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const FRAMEWORKS: Readonly<Record<string, CreateHandler>> = {
  'express.raw': (verify) =>
    express().post(
      '/hook',
      express.raw({ type: 'application/json', limit: '1mb' }),
      ({ body, headers }, response) => {
        response.sendStatus(statusOf(verify, body, headers))
      },
    ),
  async fastify(verify) {
    const app = Fastify()
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body),
    )
    app.post('/hook', ({ body, headers }, reply) =>
      reply.code(statusOf(verify, body as Buffer, headers)).send(),
    )
    await app.ready()
    return app.routing
  },
  hono(verify) {
    const app = new Hono()
    app.post('/hook', async ({ req }) => {
      const status = statusOf(verify, await req.text(), req.header())
      return new Response(null, { status })
    })
    return getRequestListener(app.fetch)
  },
  koa: (verify) =>
    new Koa()
      .use(async (context) => {
        context.status = statusOf(verify, await readBytes(context.req), context.headers)
      })
      .callback(),
  'node:http': (verify) => async (request, response) => {
    response.writeHead(statusOf(verify, await readBytes(request), request.headers)).end()
  },
}

async function listen(handler: RequestListener): Promise<{ server: Server; url: string }> {
  const server = createServer(handler)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

/** Sends every delivery of `webhooks check` and returns the test cases whose verdict is not `passed`. */
async function findProblems(handler: RequestListener): Promise<Record<string, string>> {
  const { server, url } = await listen(handler)
  const sender = createSender({ nowMs, guard })
  const problems: Record<string, string> = {}
  for (const testCase of createSampleTestCases(url, Math.floor(Date.now() / 1000))) {
    const response = await sender.send(testCase.request)
    const { name, verdict } = evaluateCase(testCase, response, { slowMs: Number.POSITIVE_INFINITY })
    if (verdict !== 'passed') problems[name] = verdict
  }
  await sender.close()
  server.close()
  server.closeAllConnections()
  return problems
}

for (const [framework, createHandler] of Object.entries(FRAMEWORKS)) {
  for (const [name, verify] of Object.entries(PACKAGES)) {
    const problems = name === 'stripe' ? { future_paycli: 'warning' } : {}
    const result = name === 'stripe' ? 'with a warning about timestamps of the future' : 'without a warning'
    test(`a handler of ${framework} with the package ${name} passes ${result}`, async () => {
      assert.equal(await findProblems(await createHandler(verify)), problems)
    })
  }
}

test('a handler that decodes each chunk separately fails only the test case large_unicode', async () => {
  const handler: RequestListener = async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    response.writeHead(statusOf(PACKAGES['standardwebhooks'] as Verify, body, request.headers)).end()
  }
  assert.equal(await findProblems(handler), { large_unicode: 'failed' })
})

test.run()
