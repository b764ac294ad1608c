import type { ListenTarget } from '../client/listen-records.ts'

/** What is wrong with the targets of a listener, and what helps; null when all of them are sent to. */
export function targetTrouble(targets: readonly ListenTarget[]): string | null {
  const troubles = targets.flatMap(({ url, status, webhook_endpoint: id }) => {
    if (status === 'enabled') return []
    const help =
      status === 'disabled'
        ? `paycli webhooks endpoints update ${id} --status enabled`
        : 'end this and listen again'
    return [`${url} gets nothing: its endpoint is ${status}. To have it sent to: ${help}.`]
  })
  return troubles.length === 0 ? null : troubles.join(' ')
}
