import { createHmac, createSecretKey } from 'node:crypto'

const SECRET_PREFIX = 'whsec_'
const SECRET_BYTES = 24
const MAX_KNOWN_SECRETS = 100

export interface SignatureOptions {
  /** The id of the event, the same in every attempt. */
  readonly id: string
  /** All valid secrets, the newest first. */
  readonly secrets: readonly string[]
  /** The request body, byte for byte; a string is signed in UTF-8. */
  readonly body: string | Uint8Array
  /** Time of the attempt in Unix seconds. */
  readonly timestamp: number
}

/**
 * Creates the headers of both signature schemes. The key of Standard Webhooks is the decoded secret without its prefix.
 * `Paycli-Signature` has the format of Stripe, and its key is the whole secret.
 */
export function createSignatureHeaders(options: SignatureOptions): Record<string, string> {
  const { id, secrets, body, timestamp } = options
  if (secrets.length === 0) throw new Error(`no secret to sign '${id}' with`)
  const keys = secrets.map(loadSigningKeys)
  const standard = keys.map(
    (key) =>
      `v1,${createHmac('sha256', key.standard).update(`${id}.${timestamp}.`).update(body).digest('base64')}`,
  )
  const own = keys.map(
    (key) => `v1=${createHmac('sha256', key.own).update(`${timestamp}.`).update(body).digest('hex')}`,
  )
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
    'Paycli-Signature': [`t=${timestamp}`, ...own].join(','),
  }
}

const signingKeys = new Map<string, ReturnType<typeof createSigningKeys>>()

// The keys are cached, because creating a key takes longer than signing with a key.
function loadSigningKeys(secret: string) {
  const cached = signingKeys.get(secret)
  if (cached !== undefined) return cached
  const keys = createSigningKeys(secret)
  if (signingKeys.size >= MAX_KNOWN_SECRETS) signingKeys.clear()
  signingKeys.set(secret, keys)
  return keys
}

function createSigningKeys(secret: string) {
  return {
    standard: createSecretKey(Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64')),
    own: createSecretKey(Buffer.from(secret)),
  }
}

/** Creates a signing secret in the format of Standard Webhooks; 24 bytes need no `=` padding. */
export function createWebhookSecret(source: (count: number) => Buffer): string {
  return SECRET_PREFIX + source(SECRET_BYTES).toString('base64')
}
