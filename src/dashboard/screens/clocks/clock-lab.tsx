import { useState } from 'preact/hooks'
import type { CalendarDuration } from '../../../domain/time/clock-steps.ts'
import type { TestClock } from '../../../domain/time/test-clocks.ts'
import { CopyText } from '../../components/copy-text.tsx'
import { ObjectCommands } from '../../components/object-commands.tsx'
import { ErrorNote, Loading } from '../../components/placeholders.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { UtcTime } from '../../components/values.tsx'
import { post } from '../../data/api-client.ts'
import { useAction } from '../../data/use-action.ts'
import { setFilters } from '../../data/use-filters.ts'
import { useRoute } from '../../routing/router.ts'
import { latestTarget, nextEndingPeriod } from './advance-targets.ts'
import { ClockControls } from './clock-controls.tsx'
import { ClockEventLists } from './clock-event-lists.tsx'
import { ADVANCE_HINTS, AdvanceProgress, ClockStatusNote, NoRewindNote } from './clock-notes.tsx'
import { ClockPlot } from './clock-plot.tsx'
import { type ClockData, useClock } from './use-clock.ts'

/** Shows the time axis of a clock and the controls that advance the clock. */
export function ClockLab({ id }: { readonly id: string }) {
  const [until, setUntil] = useState(0)
  const data = useClock(id, until)
  const { clock } = data
  if (clock.data === null)
    return (
      <div class="stack">
        <h1 class="id">{id}</h1>
        {clock.error === null ? <Loading /> : <ErrorNote error={clock.error} onRetry={clock.reload} />}
      </div>
    )
  return <LoadedLab clock={clock.data} data={data} onUntil={setUntil} />
}

interface LoadedLabProps {
  readonly clock: TestClock
  readonly data: ClockData
  /** Called with the last time for which the projection is needed. */
  readonly onUntil: (until: number) => void
}

function LoadedLab({ clock, data, onUntil }: LoadedLabProps) {
  const { id, frozen_time: now, status } = clock
  const { past, projected, lanes } = data
  const { reload } = data.clock
  const [chosen, setChosen] = useState<number | null>(null)
  const [isBack, setBack] = useState(false)
  const since = Number(useRoute().query.get('since') ?? Number.NaN)
  const { isRunning, error, run } = useAction((at: number, step?: CalendarDuration) =>
    post(
      `/v1/test_helpers/test_clocks/${id}/advance`,
      step === undefined ? { frozen_time: at } : { by: step },
    ).finally(() => {
      setChosen(null)
      reload()
    }),
  )
  // Another client may advance the clock too.
  const goal = (isRunning ? chosen : null) ?? clock.status_details.advancing?.target_frozen_time ?? null
  const isDisabled = goal !== null || status !== 'ready'
  const target = goal ?? Math.max(chosen ?? now, now)
  const changeTarget = (at: number) => {
    if (at > now) setBack(false)
    setChosen(at > now ? Math.min(at, latestTarget(now)) : null)
    onUntil(at)
  }
  const start = (at: number, step?: CalendarDuration) => {
    if (isDisabled) return
    setBack(false)
    setChosen(at)
    setFilters({ since: String(now) })
    run(at, step)
  }
  const recent = goal === null ? [] : (past ?? []).filter(({ created }) => created > now)
  const reached = goal === null ? null : (recent.at(-1)?.created ?? now)
  const control = {
    ...{ now, target, reached, isDisabled, onTarget: changeTarget, onAdvance: start },
    onBack: () => setBack(true),
  }
  return (
    <div class="stack">
      <ClockTitle clock={clock} isAdvancing={goal !== null} />
      <section class="panel stack" aria-label="Time">
        <ClockControls
          {...{ ...control, clock }}
          period={nextEndingPeriod(
            lanes.map(({ subscription }) => subscription).filter((one) => one !== null),
          )}
          nextEvent={projected[0]?.created ?? null}
        />
        <ClockPlot {...{ ...control, data }} />
        {goal !== null && (
          <AdvanceProgress from={now} to={goal} reached={reached ?? now} count={recent.length} />
        )}
        {isBack && <NoRewindNote now={now} />}
        {error !== null && <ErrorNote error={error} hint={ADVANCE_HINTS[error.code] ?? null} />}
        <ClockStatusNote clock={clock} />
        {data.errors.map((one) => (
          <ErrorNote key={one.message} error={one} onRetry={reload} />
        ))}
      </section>
      <ClockEventLists data={data} now={now} since={Number.isFinite(since) ? since : null} />
      <ObjectCommands id={id}>
        {target > now && (
          <CopyText text={`paycli clock advance ${id} --to ${new Date(target * 1000).toISOString()}`} />
        )}
      </ObjectCommands>
    </div>
  )
}

function ClockTitle({ clock, isAdvancing }: { readonly clock: TestClock; readonly isAdvancing: boolean }) {
  const { id, name, frozen_time, status } = clock
  return (
    <header class="row spread">
      <div>
        <h1>{name === null ? 'Test clock' : <bdi>{name}</bdi>}</h1>
        <p class="id quiet">{id}</p>
      </div>
      <p class="row">
        <strong>
          <UtcTime at={frozen_time} /> UTC
        </strong>
        <StatusBadge status={isAdvancing ? 'advancing' : status} />
      </p>
    </header>
  )
}
