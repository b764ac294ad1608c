import { createHmac } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 24

export interface Signing {
  /** The id of the event: the same on every attempt. */
  readonly id: string
  /** Every secret in force, the newest first. */
  readonly secrets: readonly string[]
  /** Exactly what is sent. */
  readonly body: string
  /** When this attempt is made, in Unix seconds. */
  readonly timestamp: number
}

/**
 * The headers of both families over the same bytes: Standard Webhooks, whose key is the decoded part of the secret
 * after its prefix, and `Paycli-Signature`, built as Stripe's, whose key is the whole secret.
 */
export function signatureHeaders({ id, secrets, body, timestamp }: Signing): Record<string, string> {
  if (secrets.length === 0) throw new Error(`no secret to sign '${id}' with`)
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  const own = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
    'Paycli-Signature': [`t=${timestamp}`, ...own].join(','),
  }
}

/** A new signing secret from a source of random bytes: as Standard Webhooks has it, and never with a `=`. */
export function createWebhookSecret(source: (count: number) => Buffer): string {
  return SECRET_PREFIX + source(SECRET_BYTES).toString('base64')
}
