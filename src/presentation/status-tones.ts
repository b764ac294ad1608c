import type { ObjectStatus } from '../api/resources/catalog.ts'

/** The tone of a status: success, waiting, failure, or inactive. */
export type StatusTone = 'good' | 'waiting' | 'bad' | 'quiet'

const TONES: Readonly<Record<ObjectStatus | 'no_payment_required', StatusTone>> = {
  succeeded: 'good',
  complete: 'good',
  paid: 'good',
  active: 'good',
  won: 'good',
  trialing: 'good',
  enabled: 'good',
  ready: 'good',
  open: 'waiting',
  pending: 'waiting',
  processing: 'waiting',
  requires_action: 'waiting',
  requires_capture: 'waiting',
  draft: 'waiting',
  advancing: 'waiting',
  deleting: 'waiting',
  paused: 'waiting',
  under_review: 'waiting',
  warning_under_review: 'waiting',
  warning_needs_response: 'waiting',
  needs_response: 'bad',
  lost: 'bad',
  past_due: 'bad',
  unpaid: 'bad',
  failed: 'bad',
  uncollectible: 'bad',
  disabled: 'bad',
  revoked: 'bad',
  internal_failure: 'bad',
  expired: 'quiet',
  canceled: 'quiet',
  void: 'quiet',
  warning_closed: 'quiet',
  skipped: 'quiet',
  not_listening: 'quiet',
  no_payment_required: 'quiet',
}

const TONE_BY_STATUS: ReadonlyMap<string, StatusTone> = new Map(Object.entries(TONES))

/**
 * Returns the tone of the status of an object, or of an HTTP response: `bad` for 5xx, `waiting` for 4xx and 1xx.
 * Returns null for an unknown status.
 */
export function findStatusTone(status: string | number): StatusTone | null {
  if (typeof status === 'string') return TONE_BY_STATUS.get(status) ?? null
  if (status >= 500) return 'bad'
  return status >= 400 || status < 200 ? 'waiting' : 'good'
}
