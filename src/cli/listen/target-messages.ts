import type { ListenTarget } from '../../client/listen-records.ts'

/** What is wrong with the targets of a listener, and what helps; null when all of them are sent to. */
export function targetTrouble(targets: readonly ListenTarget[]): string | null {
  const troubles = targets.flatMap((target) => (target.status === 'enabled' ? [] : [wordsOn(target)]))
  return troubles.length === 0 ? null : troubles.join(' ')
}

function wordsOn({ url, status, webhook_endpoint: id }: ListenTarget): string {
  switch (status) {
    case 'disabled':
      return `${url} gets nothing: its endpoint is disabled. Enable it: paycli webhooks endpoints update ${id} --status enabled`
    case 'taken':
      return `Another listener sends to ${url} now, and this one does not. End one of them`
    default:
      return `${url} gets nothing: its endpoint was deleted or made another one. End this and listen again`
  }
}
