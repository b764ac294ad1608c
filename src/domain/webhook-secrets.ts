import { type Change, mutation } from './changes.ts'

/** The signing secret of the endpoint of the same id; private, shown only when it is made. */
export interface WebhookSecret {
  readonly id: string
  readonly object: 'webhook_secret'
  readonly secret: string
  /** Those before it that still sign, the newest first; absent until it is first rolled. */
  readonly previous?: readonly { readonly secret: string; readonly expires_at: number }[]
}

/** How long a rolled secret still signs, in seconds, unless asked otherwise; and the longest that can be asked for. */
export const SECRET_GRACE_SECONDS = { usual: 86_400, most: 7 * 86_400 }

const MAX_PREVIOUS_SECRETS = 4

/** A new secret beside those before it, each of which signs until its own end; all times in Unix seconds. */
export function rollWebhookSecret(
  secret: WebhookSecret,
  next: { readonly secret: string; readonly graceSeconds: number },
  now: number,
): Change<WebhookSecret> {
  const former = { secret: secret.secret, expires_at: now + next.graceSeconds }
  const previous = [former, ...(secret.previous ?? [])].filter(({ expires_at }) => expires_at > now)
  return mutation(null, secret, {
    ...secret,
    secret: next.secret,
    previous: previous.slice(0, MAX_PREVIOUS_SECRETS),
  })
}

/** The secrets that sign at a moment in Unix seconds, the newest first. */
export function secretsInForce({ secret, previous = [] }: WebhookSecret, now: number): string[] {
  return [secret, ...previous.filter(({ expires_at }) => expires_at > now).map((one) => one.secret)]
}
