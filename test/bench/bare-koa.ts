import { createServer } from 'node:http'
import Router from '@koa/router'
import { Ajv } from 'ajv'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'
import { recordWithEvent } from './records.ts'

const EMAIL = '^[^@\\s]+@[^@\\s]+$'
const SCHEMA = {
  type: 'object',
  properties: {
    email: { type: 'string', pattern: EMAIL, maxLength: 512 },
    name: { type: 'string', minLength: 1, maxLength: 256 },
    phone: { type: 'string', minLength: 1, maxLength: 20 },
    description: { type: 'string', minLength: 1, maxLength: 5000 },
    metadata: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['email'],
  additionalProperties: false,
}

/** A minimal Koa server that routes, parses, validates and returns the same JSON, and stores nothing. */
export async function startBareKoa(_options: Record<string, never>) {
  const { record } = recordWithEvent(0, { blend: 'customers', size: 1 })
  const isValid = new Ajv({ allErrors: true }).compile(SCHEMA)
  const router = new Router()
  router.post('/v1/customers', bodyParser({ enableTypes: ['json'] }), (ctx) => {
    if (isValid(ctx.request.body)) ctx.body = record
    else ctx.throw(400)
  })
  router.get('/v1/customers/:id', (ctx) => {
    ctx.body = record
  })
  const ofBytes = new Map<number, string>()
  router.get('/pages/:bytes', (ctx) => {
    const bytes = Number(ctx.params['bytes'])
    const page = ofBytes.get(bytes) ?? '<!doctype html>'.padEnd(bytes, 'x')
    ofBytes.set(bytes, page)
    ctx.type = 'html'
    ctx.body = page
  })
  const app = new Koa()
  app.use(router.routes())
  const server = createServer(app.callback())
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the server has no port'))
      else resolve(address.port)
    })
  })
  return {
    port: () => port,
    /** Returns the processor time that the main thread has used so far, in microseconds. */
    cpuMicroseconds: () => {
      const { user, system } = process.threadCpuUsage()
      return user + system
    },
  }
}
