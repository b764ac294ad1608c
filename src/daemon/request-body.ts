import type { Context, Next } from 'koa'
import { Refusal } from '../domain/refusal.ts'

type Parse = (ctx: Context, next: Next) => unknown

/** The JSON body of a request, or undefined when it has none; 415 for a body in any other type or charset. */
export async function readJsonBody(ctx: Context, parse: Parse): Promise<unknown> {
  if (!hasBody(ctx)) return undefined
  if (!isJson(ctx)) {
    throw new Refusal(
      'unsupported_media_type',
      `The body must be sent with 'Content-Type: application/json' in UTF-8; ${describeType(ctx)}.`,
    )
  }
  await parse(ctx, async () => {})
  return ctx.request.body
}

function hasBody({ headers }: Context): boolean {
  const { 'content-length': length = '', 'transfer-encoding': coding = '' } = headers
  return coding !== '' || (length !== '' && length !== '0')
}

function isJson(ctx: Context): boolean {
  // What nearly everybody sends needs no parsing.
  if (ctx.headers['content-type'] === 'application/json') return true
  const charset = ctx.request.charset.toLowerCase()
  return ctx.request.type.toLowerCase() === 'application/json' && (charset === '' || charset === 'utf-8')
}

function describeType(ctx: Context): string {
  return ctx.get('Content-Type') === '' ? 'no Content-Type was sent' : 'another Content-Type was sent'
}
