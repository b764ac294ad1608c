/** The tone of each status of an object; other statuses are neutral. */
const TONES: Readonly<Record<string, 'good' | 'bad' | 'waiting'>> = {
  succeeded: 'good',
  paid: 'good',
  active: 'good',
  complete: 'good',
  completed: 'good',
  ready: 'good',
  enabled: 'good',
  failed: 'bad',
  canceled: 'bad',
  unpaid: 'bad',
  past_due: 'bad',
  uncollectible: 'bad',
  internal_failure: 'bad',
  disabled: 'bad',
  pending: 'waiting',
  processing: 'waiting',
  requires_action: 'waiting',
  trialing: 'waiting',
  advancing: 'waiting',
  open: 'waiting',
}

/** Shows a status as a word on a color; the word alone says what it is. */
export function StatusBadge({ status }: { readonly status: string }) {
  return <span class={`badge badge-${TONES[status] ?? 'neutral'}`}>{status.replaceAll('_', ' ')}</span>
}

/** Shows the status of an HTTP response; null when there was none. */
export function HttpStatus({ status }: { readonly status: number | null }) {
  const tone = status !== null && status < 400 ? 'good' : 'bad'
  return <span class={`badge badge-${tone}`}>{status ?? 'no response'}</span>
}
