import type { Client } from '../../client/client.ts'
import { downloadBytes } from '../../client/download.ts'
import type { JsonObject } from '../../domain/core/json-object.ts'
import { AnnotatedError } from '../errors/annotated-error.ts'
import { UsageError } from '../errors/usage-error.ts'

/** Downloads the receipt of a payment from the hosted pages, which need no API key. */
export async function downloadReceipt(
  client: Client,
  payment: string,
): Promise<{ readonly url: string; readonly bytes: Buffer }> {
  const { status }: JsonObject = {
    ...(await client.send({ method: 'GET', path: '/v1/payments/:id' }, { id: payment })),
  }
  if (status !== 'succeeded') {
    throw new UsageError('payment_unexpected_state', `'${payment}' is ${status}, so it has no receipt.`, {
      param: 'id',
      hint: 'Find a payment: paycli payments list --status succeeded',
    })
  }
  const sandbox: JsonObject = {
    ...(await client.send({ method: 'GET', path: '/v1/sandboxes/:id' }, { id: 'current' })),
  }
  const url = `${sandbox['checkout_url']}/3ds/${payment}/receipt.pdf`
  const hint = `The hosted pages are at ${sandbox['checkout_url']}. If this machine cannot reach them, set their address: paycli serve --checkout-url <url>`
  const { response, bytes } = await downloadBytes(url).catch((error: unknown) => {
    throw new AnnotatedError(error, { hint })
  })
  if (response.headers.get('content-type') !== 'application/pdf')
    throw new UsageError('receipt_missing', `${url} responded ${response.status}, without a PDF.`, { hint })
  return { url: response.url, bytes }
}
