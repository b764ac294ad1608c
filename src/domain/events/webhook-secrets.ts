import { type Change, toUpdate } from '../core/changes.ts'

/**
 * Internal record: the signing secret of the endpoint with the same id. The API returns the secret only on creation and
 * after a roll.
 */
export interface WebhookSecret {
  readonly id: string
  readonly object: 'webhook_secret'
  readonly secret: string
  /** Previous secrets in their grace period, newest first; absent until the first roll. */
  readonly previous?: readonly { readonly secret: string; readonly expires_at: number }[]
}

/** Grace period of a rolled secret in seconds. */
export const SECRET_GRACE_SECONDS = { default: 86_400, max: 7 * 86_400 }

const MAX_PREVIOUS_SECRETS = 4

/** Replaces a secret. The four newest previous secrets stay valid until their own expiry; all times in Unix seconds. */
export function rollWebhookSecret(
  secret: WebhookSecret,
  next: { readonly secret: string; readonly graceSeconds: number },
  now: number,
): Change<WebhookSecret> {
  const former = { secret: secret.secret, expires_at: now + next.graceSeconds }
  const previous = [former, ...(secret.previous ?? [])].filter(({ expires_at }) => expires_at > now)
  return toUpdate(null, secret, {
    ...secret,
    secret: next.secret,
    previous: previous.slice(0, MAX_PREVIOUS_SECRETS),
  })
}

/** Returns the secrets that are valid at `now`, in Unix seconds, newest first. */
export function getActiveSecrets({ secret, previous = [] }: WebhookSecret, now: number): string[] {
  return [secret, ...previous.filter(({ expires_at }) => expires_at > now).map((one) => one.secret)]
}
