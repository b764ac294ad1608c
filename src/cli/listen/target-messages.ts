import type { ListenTarget } from '../../client/listen-records.ts'

/** Describes the targets that are not enabled and how to fix them; null when all are enabled. */
export function describeTargetProblems(targets: readonly ListenTarget[]): string | null {
  const problems = targets.flatMap((target) => (target.status === 'enabled' ? [] : [describeProblem(target)]))
  return problems.length === 0 ? null : problems.join(' ')
}

function describeProblem({ url, status, webhook_endpoint: id }: ListenTarget): string {
  switch (status) {
    case 'disabled':
      return `${url} gets no events: its endpoint is disabled. Enable it: paycli webhooks endpoints update ${id} --status enabled`
    case 'taken':
      return `${url} gets no events from this listener: another listener forwards to it. End one of them`
    default:
      return `${url} gets no events: its endpoint was deleted or replaced. Restart this listener`
  }
}
