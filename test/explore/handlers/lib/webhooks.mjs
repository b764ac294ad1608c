import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.PAYCLI_WEBHOOK_SECRET)

/** Returns the event of a webhook request, or null if its signature is invalid or old. */
export function readEvent(headers, body) {
  try {
    return webhook.verify(body, headers)
  } catch {
    return null
  }
}
