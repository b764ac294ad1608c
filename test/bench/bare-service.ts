import Router from '@koa/router'
import { Ajv } from 'ajv'
import Koa from 'koa'
import bodyParser from 'koa-bodyparser'

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

/** Creates a minimal Koa server that routes, parses and validates, and stores nothing: it returns the given JSON. */
export function createBareService({ record, page }: { readonly record: object; readonly page: object }): Koa {
  const isValid = new Ajv({ allErrors: true }).compile(SCHEMA)
  const router = new Router()
  router.post('/v1/customers', bodyParser({ enableTypes: ['json'] }), (ctx) => {
    if (isValid(ctx.request.body)) ctx.body = record
    else ctx.throw(400)
  })
  router.get('/v1/customers', (ctx) => {
    ctx.body = page
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
  return app
}
