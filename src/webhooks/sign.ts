import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 24
const MAX_KNOWN_SECRETS = 100

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
  const keys = secrets.map(keysOf)
  const standard = keys.map(
    (key) => `v1,${createHmac('sha256', key.standard).update(`${id}.${timestamp}.${body}`).digest('base64')}`,
  )
  const own = keys.map(
    (key) => `v1=${createHmac('sha256', key.own).update(`${timestamp}.${body}`).digest('hex')}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
    'Paycli-Signature': [`t=${timestamp}`, ...own].join(','),
  }
}

interface Keys {
  readonly standard: KeyObject
  readonly own: KeyObject
}

const known = new Map<string, Keys>()

// Preparing a key costs more than signing with it.
function keysOf(secret: string): Keys {
  const kept = known.get(secret)
  if (kept !== undefined) return kept
  const keys = {
    standard: createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')),
    own: createSecretKey(Buffer.from(secret)),
  }
  if (known.size >= MAX_KNOWN_SECRETS) known.clear()
  known.set(secret, keys)
  return keys
}

/** A new signing secret from a source of random bytes: as Standard Webhooks has it, and never with a `=`. */
export function createWebhookSecret(source: (count: number) => Buffer): string {
  return SECRET_PREFIX + source(SECRET_BYTES).toString('base64')
}
